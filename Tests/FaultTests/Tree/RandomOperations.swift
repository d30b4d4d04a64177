import Foundation
import Glibc
import Synchronization

/// Seeded operations of producers and people on a cache's files: no file is ever unusable for long.
struct RandomOperations {
  private let cache: TestCache
  private var generator: SeededGenerator
  private(set) var count = 0

  private(set) var feedsTouched: Set<String> = []

  /// Directories of every feed, by feed.
  private static let directories = Dictionary(
    uniqueKeysWithValues: Sessions.feeds.map { feed in
      let top = Sessions.directory(of: feed)
      return (feed, [top, "\(top)/a", "\(top)/a/b", "\(top)/c"])
    })

  /// The names at the top of a cache that feeds have.
  private static let topNames = [
    "meal-plan": "latest-session.json", "nutrition": "widgetData.json", "tasks": "cachedTasks.json",
    "events": "cachedEvents.json",
  ]

  init(_ cache: TestCache, seed: UInt64) {
    self.cache = cache
    generator = SeededGenerator(state: seed)
  }

  mutating func step() {
    count += 1
    let feed = pick(Sessions.feeds)
    feedsTouched.insert(feed)
    let directory = pick(Self.directories[feed] ?? [])
    let file = "\(directory)/\(Int.random(in: 0..<12, using: &generator)).json"
    let session = Sessions.session(of: feed, count)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<33: try? cache.drop(file, session)
    case 33..<53: try? cache.write(file, session)
    case 53..<67: cache.remove(file)
    case 67..<77: rename(cache.at(file), cache.at("\(directory)/\(Int.random(in: 0..<12, using: &generator)).json"))
    case 77..<83: try? cache.makeDirectory("\(directory)/\(pick(["n", "m"]))")
    case 83..<89: moveDirectory(directory, of: feed)
    case 89..<92: try? FileManager.default.removeItem(atPath: cache.at("\(directory)/\(pick(["n", "m", "moved"]))"))
    case 92..<93: try? FileManager.default.removeItem(atPath: cache.at(directory))
    case 93..<96:
      guard let name = Self.topNames[feed] else { return }
      if Bool.random(using: &generator) { try? cache.drop(name, session) } else { cache.remove(name) }
    default: try? cache.drop("\(directory)/\(pick(["n", "m"]))/deep.json", session)
    }
  }

  private mutating func moveDirectory(_ directory: String, of feed: String) {
    // Within the feed: a tasks session is no events session.
    let source = "\(directory)/\(pick(["n", "m", "moved"]))"
    rename(cache.at(source), cache.at("\(pick(Self.directories[feed] ?? []))/moved"))
  }

  private mutating func pick(_ values: [String]) -> String { values.randomElement(using: &generator) ?? "" }
}

/// What a reader saw, without repetitions.
final class SeenTitles: Sendable {
  private let state = Mutex<[String]>([])

  func add(_ title: String) {
    state.withLock { if $0.last != title { $0.append(title) } }
  }

  var titles: [String] { state.withLock { $0 } }
}
