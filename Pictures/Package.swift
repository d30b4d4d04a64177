// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that building and testing the agent needs no graphics library and no HTTP server.
let package = Package(
  name: "Pictures",
  products: [.executable(name: "cachesync-pictures", targets: ["cachesync-pictures"])],
  dependencies: [
    .package(name: "CacheSync", path: ".."),
    // Commands, help texts and the exit status 64 for wrong usage, as in cachesyncd.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Runs cachesyncd for what only the agent's program computes. Without Foundation.
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    // Paths that may hold any bytes, and system errors by name.
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // The page's server: limits of connections and headers, unix sockets, responses that are streamed. Its core alone: the
    // rest of it wakes up every second to format the date.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    // What the server is built of, and speaks in. They are built in any case: Hummingbird brings them.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // Text: shaping, fonts for every script, wrapping. Its Cairo paints the PNG files.
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    // PNG files by libpng; Cairo's own encoder knows only 8 bits, and takes 11 ms for a picture.
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png")]),
    .target(
      name: "CacheSyncPictures",
      dependencies: [
        "CPango", "CPNG",
        .product(name: "CacheSync", package: "CacheSync"),
        .product(name: "CacheSyncSystem", package: "CacheSync"),
      ]
    ),
    // The live page: its HTML, and the server that gives it out.
    .target(
      name: "CacheSyncPage",
      dependencies: [
        // GLib's HMAC comes with Pango.
        "CPango",
        "CacheSyncPictures",
        .product(name: "CacheSync", package: "CacheSync"),
        .product(name: "CacheSyncPrograms", package: "CacheSync"),
        .product(name: "CacheSyncSystem", package: "CacheSync"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      resources: [.embedInCode("Assets/page.css"), .embedInCode("Assets/page.js")]
    ),
    .executableTarget(
      name: "cachesync-pictures",
      dependencies: [
        "CacheSyncPage",
        "CacheSyncPictures",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CacheSync", package: "CacheSync"),
        .product(name: "CacheSyncPrograms", package: "CacheSync"),
        .product(name: "CacheSyncSystem", package: "CacheSync"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      linkerSettings: [
        // The Swift runtime inside the binary, as in cachesyncd, and for the same reasons.
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-use-ld=lld"],
          .when(configuration: .release))
      ]
    ),
    // `make bench-pictures`: the goals within one process.
    .executableTarget(
      name: "pictures-bench",
      dependencies: ["CacheSyncPictures", .product(name: "CacheSync", package: "CacheSync")], path: "Benchmarks",
      exclude: ["page.py"]
    ),
    .testTarget(
      name: "CacheSyncPicturesTests",
      dependencies: ["CPango", "CacheSyncPictures", .product(name: "CacheSync", package: "CacheSync")],
      exclude: ["PNG/compare_pixels.py", "PNG/turn.py", "SVG/well_formed.py", "Structure"]
    ),
    .testTarget(
      name: "CacheSyncPageTests",
      dependencies: [
        "CacheSyncPage", "CacheSyncPictures", .product(name: "CacheSync", package: "CacheSync"),
        .product(name: "CacheSyncPrograms", package: "CacheSync"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
        .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // The programs as a user runs them.
    .testTarget(name: "RenderTests"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  ]
}
