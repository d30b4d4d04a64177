// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "CacheSync", path: "..")],
  targets: [
    .executableTarget(name: "Reader", dependencies: [.product(name: "CacheSync", package: "CacheSync")]),
    .executableTarget(name: "TaskCount", dependencies: [.product(name: "CacheSync", package: "CacheSync")]),
    .executableTarget(name: "Producer", dependencies: [.product(name: "CacheSync", package: "CacheSync")]),
    .executableTarget(name: "Collector", dependencies: [.product(name: "CacheSync", package: "CacheSync")]),
  ],
  swiftLanguageModes: [.v6]
)
