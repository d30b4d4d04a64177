// swift-tools-version: 6.2

import PackageDescription

// A package of its own: everything in it is built for libFuzzer. `Sources/CLanguages`, `Sources/CLinux`, the libraries
// that an app links and one file of the publishing library are links to the root package's, because instrumentation is a matter of
// the compiler.
let package = Package(
  name: "Fuzz",
  dependencies: [
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .target(
      name: "CLinux", cSettings: [.unsafeFlags(["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"])]),
    .target(name: "CLanguages", exclude: ["Formats", "Names.json", "Texts"]),
    .target(
      name: "CacheSyncSystem", dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
    ),
    .target(
      name: "CacheSyncValues",
      dependencies: [
        "CLanguages", "CLinux", "CacheSyncSystem", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
    ),
    .target(
      name: "CacheSyncFeeds",
      dependencies: [
        "CacheSyncSystem", "CacheSyncValues", .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
    ),
    .target(
      name: "CacheSync",
      dependencies: [
        "CLinux", "CacheSyncFeeds", "CacheSyncSystem", .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["CacheSync.docc"],
      swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
    ),
    .executableTarget(
      name: "Fuzz", dependencies: ["CLinux", "CacheSync", "CacheSyncSystem", "CacheSyncValues"],
      swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && !["CLanguages", "CLinux"].contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),  // SE-0335
      .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
      .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    ]
}
