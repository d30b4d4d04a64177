import Synchronization

/// The registries of this process, by their definitions. Thousands of caches with the same definitions share one
/// registry.
package final class SharedRegistries: Sendable {
  package static let shared = SharedRegistries()

  /// How many registries are kept, the latest first. The caches of one machine have few sets of definitions, so keeping
  /// more would rarely save anything.
  private static let maximumCount = 64

  private struct Known {
    var zones: ObjectIdentifier
    var registry: FeedRegistry
  }

  private let known = Mutex<[Known]>([])

  /// The registry for a list of definitions.
  package func registry(_ definitions: [FeedDefinition], zones: TimeZones) -> FeedRegistry {
    return known.withLock { known in
      let found = known.firstIndex {
        $0.zones == ObjectIdentifier(zones) && $0.registry.definitions == definitions
      }
      let entry =
        found.map { known.remove(at: $0) }
        ?? Known(zones: ObjectIdentifier(zones), registry: FeedRegistry(definitions, zones: zones))
      known.insert(entry, at: 0)
      if known.count > Self.maximumCount { known.removeLast() }
      return entry.registry
    }
  }
}
