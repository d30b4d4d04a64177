import CacheSync
import CacheSyncSystem

extension BuiltInFeed {
  /// Every defect that `check` would report.
  static func check(_ bytes: UnsafeRawBufferPointer) -> [JSONDefect] {
    FeedRegistry.builtIn.feed(named: name)?.decode(bytes, at: CachePath("a.json")).defects ?? []
  }
}
