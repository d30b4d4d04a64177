// swift-tools-version: 6.2

import PackageDescription

#if canImport(Glibc)
  import Glibc
#endif

/// Whether this machine's glibc starts programs whose relocations are packed (2.36 or later: Debian 12, Ubuntu 24.04).
let startsPackedPrograms: Bool = {
  #if canImport(Glibc)
    var name = [CChar](repeating: 0, count: 64)  // "glibc 2.36"
    let length = confstr(Int32(_CS_GNU_LIBC_VERSION), &name, name.count)
    let numbers = name.prefix(length).split { !(48...57).contains($0) }.map { $0.reduce(0) { $0 * 10 + Int($1) - 48 } }
    return !numbers.lexicographicallyPrecedes([2, 36])
  #else
    return false
  #endif
}()

let package = Package(
  name: "CacheSync",
  products: [
    .library(name: "CacheSync", targets: ["CacheSync"]),
    // For the agent and the programs of `Pictures` and `Bridge`; no app wants it.
    .library(name: "CacheSyncSystem", targets: ["CacheSyncSystem"]),
    // For the programs of `Pictures` and `Bridge`.
    .library(name: "CacheSyncPrograms", targets: ["CacheSyncPrograms"]),
    .executable(name: "cachesyncd", targets: ["cachesyncd"]),
  ],
  dependencies: [
    // Commands, help texts and the exit status 64 for wrong usage. Brings FoundationEssentials, but no ICU.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // The level and the one-line messages of a daemon; the program that links the agent's library chooses where they go.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // Paths that may hold any bytes, and system errors by name. Small: it is the C library, typed.
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // The heap of what is greatest or due next; Swift's own library has none. Only its HeapModule is built.
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .systemLibrary(name: "CInotify", providers: [.apt(["libinotifytools0-dev"])]),
    .target(name: "CLinux"),
    // The languages other than English, as files of data inside the program.
    .target(name: "CLanguages", exclude: ["Formats", "Names.json", "Texts"]),
    // Descriptors, whole files, the lock, inotify, threads and the event loop, pauses, text for people, exit statuses.
    .target(
      name: "CacheSyncSystem",
      dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")]
    ),
    // Values that know no feed: civil time, JSON, the words that people read, views, what a definition says.
    .target(
      name: "CacheSyncValues",
      dependencies: [
        "CLanguages", "CLinux", "CacheSyncSystem", .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // The feeds, and what a moment makes of their records.
    .target(
      name: "CacheSyncFeeds",
      dependencies: [
        "CacheSyncSystem", "CacheSyncValues", .product(name: "HeapModule", package: "swift-collections"),
      ]
    ),
    // What an app links: it does not need libinotifytools, whose licence is the GPL.
    .target(
      name: "CacheSync",
      dependencies: [
        "CLinux", "CacheSyncFeeds", "CacheSyncSystem", .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // Reads a cache, and publishes what its files give. It watches nothing.
    .target(
      name: "CacheSyncPublishing",
      dependencies: [
        "CLinux",
        "CacheSync",
        "CacheSyncSystem",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // What keeps a cache published.
    .target(
      name: "CacheSyncAgent",
      dependencies: [
        "CInotify",
        "CLinux",
        "CacheSync",
        "CacheSyncPublishing",
        "CacheSyncSystem",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // What every program of ours does alike: messages, exit statuses, levels of the log, the heap.
    .target(
      name: "CacheSyncPrograms",
      dependencies: [
        "CLinux",
        "CacheSync",
        "CacheSyncSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .executableTarget(
      name: "cachesyncd",
      dependencies: [
        "CLinux",
        "CacheSync",
        "CacheSyncAgent",
        "CacheSyncPrograms",
        "CacheSyncPublishing",
        "CacheSyncSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      linkerSettings: [
        // The Swift runtime inside the binary: one file to copy, and 2 MiB less resident. The linker of the toolchain,
        // because the system's warns of a mktemp in FoundationEssentials that is never called. No table of symbols for
        // plugins, and packed relocations: 1.9 MiB less resident. Unsafe flags keep other packages from using a
        // product; no package uses this one, and the library has none.
        .unsafeFlags(
          ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-use-ld=lld"]
            + ["-Xlinker", "--no-export-dynamic"]
            + (startsPackedPrograms ? ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"] : []),
          .when(configuration: .release))
      ]
    ),
    .testTarget(name: "CacheSyncSystemTests", dependencies: ["CacheSyncSystem", "TestSupport"]),
    .testTarget(
      name: "CacheSyncTests",
      dependencies: [
        "CacheSync", "CacheSyncFeeds", "CacheSyncSystem", "CacheSyncValues", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: [
        "Clock/local_days.py", "Clock/Recurrence/recurrence_vectors.py", "Clock/Recurrence/recurrence_vectors.txt",
        "Feeds/health_vectors.py", "Feeds/health_vectors.json",
        "Feeds/Agenda/Calendars/calendar_vectors.py", "Feeds/Agenda/Calendars/calendar_vectors.json",
        "Words/cldr_vectors.json", "Words/region_vectors.mjs", "Words/region_vectors.json",
      ]
    ),
    .testTarget(
      name: "CacheSyncPublishingTests",
      dependencies: [
        "CacheSync", "CacheSyncPublishing", "CacheSyncSystem", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .testTarget(
      name: "CacheSyncAgentTests",
      dependencies: [
        "CacheSync", "CacheSyncAgent", "CacheSyncFeeds", "CacheSyncPublishing", "CacheSyncSystem", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .testTarget(
      name: "cachesyncdTests",
      dependencies: [
        "CacheSync", "CacheSyncAgent", "CacheSyncPrograms", "CacheSyncPublishing", "CacheSyncSystem", "cachesyncd",
        "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // Real kernel, real processes, real signals; most of it wants root.
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "CacheSync", "CacheSyncAgent", "CacheSyncPrograms", "CacheSyncPublishing", "CacheSyncSystem", "cachesyncd",
        "faulthelper",
        "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // What several of them use.
    .target(
      name: "TestSupport",
      dependencies: [
        "CacheSync", "CacheSyncAgent", "CacheSyncPublishing", "CacheSyncSystem",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Helpers/TestSupport"
    ),
    // `make bench`: a stopwatch of our own. The benchmark frameworks count allocations with a replaced allocator and
    // instructions with a privilege; without these two, a stopwatch is what is left of them.
    .executableTarget(
      name: "cachesync-bench",
      dependencies: [
        "CacheSync", "CacheSyncAgent", "CacheSyncPublishing", "CacheSyncSystem",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Benchmarks", exclude: ["README.md", "calls.py", "feeds.py", "renames.py", "thresholds.json"]
    ),
    .executableTarget(name: "faulthelper", path: "Tests/Helpers/faulthelper"),
  ],
  swiftLanguageModes: [.v6]
)

let inC = ["CLanguages", "CLinux", "faulthelper"]
for target in package.targets where target.type != .system && !inC.contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  ]
}
