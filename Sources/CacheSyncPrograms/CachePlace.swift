import CacheSync
import CacheSyncSystem

/// The role of a path below a cache for the agent, without looking at the file (contract.md section 1).
public enum CachePlace: Sendable, Equatable {
  /// A session file of a feed, by the feed's name.
  case session(feed: String)
  /// The cache's settings.
  case settings
  /// Files that no feed claims, half-written work, outputs, and the agent's own files.
  case other

  /// - Parameter path: below the cache, with `/` between components, as raw bytes of the system.
  public init(path: [UInt8]) {
    let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard components.allSatisfy({ !$0.isEmpty && $0.count <= 255 && !$0.contains(0) }) else {
      self = .other
      return
    }
    self =
      switch FeedRegistry.builtIn.layout.role(of: CachePath(bytes: path)) {
      // Definitions decide what is read, so no program carries them from elsewhere. Nor calendars and upper-case
      // endings: a file is transported under its path without `.json`.
      case .session(let feed) where feed != DefinitionsFeed.name && path.hasSuffix(".json"):
        .session(feed: feed.description)
      case .settings: .settings
      case .session, .copy, .unclaimed, .ignored: .other
      }
  }

  /// Whether an agent with its default settings accepts content at this place: a session file that its feed does not
  /// reject, or settings with known keys only. A place that no agent reads accepts nothing.
  public func accepts(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      switch self {
      case .session(let name):
        guard let feed = FeedRegistry.builtIn.feed(named: FeedName(name)) else { return false }
        return bytes.count <= CacheSettings.defaultMaximumFileBytes
          && feed.decode(bytes, at: CachePath(name)).defects.isEmpty
      case .settings:
        FeedRegistry.builtInZones.refresh()
        return bytes.count <= CacheSettings.maximumBytes
          && CacheSettings.read(bytes) { (try? FeedRegistry.builtInZones.rules(named: $0)) != nil }.value != nil
      case .other: return false
      }
    }
  }
}
