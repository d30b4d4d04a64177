import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

/// A directory with a calendar of each feed that has one, as `FEED.ics`.
struct CalendarDirectory {
  let path: FilePath
  let cache: FilePath
  /// Read for each pass, because settings and definitions may change.
  let environment: () throws -> CacheEnvironment

  /// Writes all calendars once. Files whose bytes are the same are not written.
  ///
  /// - Returns: the next local midnight of the cache.
  @discardableResult
  func write(at instant: Instant? = nil) throws -> Instant {
    try OutputFile.makeDirectory(path)
    let calendars = try ExportedCalendars(of: cache, environment(), at: instant)
    for feed in calendars.feeds {
      guard let bytes = calendars[feed] else { continue }
      try OutputFile.write(bytes, to: path.appending("\(feed).ics"))
    }
    return calendars.midnight
  }

  /// Writes the calendars now, after each publication and at midnight, until the program is terminated.
  func follow() throws -> Never {
    let follower = try CacheFollower(cache)
    while true {
      do { follower.wait(until: try write()) } catch { try follower.wait(after: error) }
    }
  }
}

struct ExportedCalendars {
  private let contents: CacheContents
  private let moment: Moment
  private let cacheName: String

  /// - Parameter instant: nil: now.
  init(of cache: FilePath, _ environment: CacheEnvironment, at instant: Instant?) throws {
    var environment = environment
    environment.wanted = .exported
    environment.moment = instant
    contents = try OneShot.contents(of: cache, environment: environment)
    moment = contents.moment(at: instant ?? environment.clock.now())
    let place = try CacheRoot.resolve(cache)
    cacheName = EscapedText.forPeople(Array((place.lastComponent?.string ?? "cache").utf8))
  }

  var feeds: [FeedName] { contents.registry.feeds.filter { $0.calendar != nil }.map(\.name) }

  /// The end of the local day.
  var midnight: Instant { moment.calendar.interval(of: moment.day).upperBound }

  /// A feed's calendar as a file; nil: the cache does not know the feed, or it has no calendar.
  subscript(feed: FeedName) -> [UInt8]? {
    contents.registry.feed(named: feed)?.calendarFile(of: contents.feeds, at: moment, cache: cacheName)
  }
}
