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
  ],
  targets: [
    // Text: shaping, fonts for every script, wrapping. Its Cairo paints the PNG files.
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    // PNG files by libpng; Cairo's own encoder knows only 8 bits, and takes 11 ms for a picture.
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png")]),
    .target(
      name: "CacheSyncPictures",
      dependencies: ["CPango", "CPNG", .product(name: "CacheSync", package: "CacheSync")]
    ),
    .executableTarget(
      name: "cachesync-pictures",
      dependencies: [
        "CacheSyncPictures",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CacheSync", package: "CacheSync"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // `make bench-pictures`: the goals that need no browser.
    .executableTarget(
      name: "pictures-bench",
      dependencies: ["CacheSyncPictures", .product(name: "CacheSync", package: "CacheSync")], path: "Benchmarks"
    ),
    .testTarget(
      name: "CacheSyncPicturesTests",
      dependencies: ["CacheSyncPictures", .product(name: "CacheSync", package: "CacheSync")],
      exclude: ["PNG/compare_pixels.py", "SVG/well_formed.py", "Structure"]
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
