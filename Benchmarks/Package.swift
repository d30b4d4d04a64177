// swift-tools-version: 6.2

import PackageDescription

// The stages are `package` declarations, which another package cannot see. So the library's folders are linked into this
// one (Sources/CacheSync is a link) and built here, as they are, optimized.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .systemLibrary(name: "CInotify", providers: [.apt(["libinotifytools0-dev"])]),
    .target(name: "CLinux"),
    .target(
      name: "CacheSync",
      dependencies: [
        "CInotify",
        "CLinux",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .executableTarget(
      name: "cachesync-bench",
      dependencies: ["CacheSync", .product(name: "SystemPackage", package: "swift-system")]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// As in the package above.
for target in package.targets where target.type != .system && target.name != "CLinux" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  ]
}
