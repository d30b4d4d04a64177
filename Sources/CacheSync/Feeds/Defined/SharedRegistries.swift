import Synchronization

/// The registries of caches with the same time zones, by their definitions. Thousands of caches with the same
/// definitions share one registry.
package final class SharedRegistries: Sendable {
  /// How many registries are kept, the latest first. The caches of one machine have few sets of definitions, so keeping
  /// more would rarely save anything.
  private static let maximumCount = 64

  package let zones: TimeZones
  private let known = Mutex<[FeedRegistry]>([])

  package init(zones: TimeZones) { self.zones = zones }

  /// The registry for a list of definitions.
  package func registry(_ definitions: [FeedDefinition]) -> FeedRegistry {
    known.withLock { known in
      let found = known.firstIndex { $0.definitions == definitions }
      let registry = found.map { known.remove(at: $0) } ?? FeedRegistry(definitions, zones: zones)
      known.insert(registry, at: 0)
      if known.count > Self.maximumCount { known.removeLast() }
      return registry
    }
  }
}
