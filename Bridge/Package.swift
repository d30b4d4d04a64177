// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that building and testing the agent needs no client of an engine.
let package = Package(
  name: "Bridge",
  products: [.executable(name: "cachesync-bridge", targets: ["cachesync-bridge"])],
  dependencies: [
    .package(name: "CacheSync", path: ".."),
    // Commands, help texts and the exit status 64 for wrong usage, as in cachesyncd.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Paths that may hold any bytes, and system errors by name.
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // Runs cachesyncd for what only the agent knows.
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    // One line for each message, as the agent writes it.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // The client of NATS by its own makers: reconnecting, TLS, credentials.
    .systemLibrary(name: "CNats", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    // Digests, and public keys of nkeys. libnats brings it anyway.
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "CacheSyncBridge",
      dependencies: [
        "CNats", "COpenSSL",
        .product(name: "CacheSync", package: "CacheSync"),
        .product(name: "CacheSyncPrograms", package: "CacheSync"),
        .product(name: "CacheSyncSystem", package: "CacheSync"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .executableTarget(
      name: "cachesync-bridge",
      dependencies: [
        "CacheSyncBridge",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CacheSync", package: "CacheSync"),
        .product(name: "CacheSyncSystem", package: "CacheSync"),
        .product(name: "CacheSyncPrograms", package: "CacheSync"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      linkerSettings: [
        // As cachesyncd's: one file to copy, and less of the Swift runtime resident.
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-use-ld=lld"],
          .when(configuration: .release))
      ]
    ),
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        "CacheSyncBridge",
        .product(name: "CacheSync", package: "CacheSync"),
        .product(name: "CacheSyncSystem", package: "CacheSync"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
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
