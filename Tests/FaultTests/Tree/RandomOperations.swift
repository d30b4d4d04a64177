import CacheSync
import Foundation
import Glibc
import Synchronization
import TestSupport

/// Random operations of producers and people on a cache's files, determined by a seed.
struct RandomOperations {
  private let cache: TestCache
  private var generator: SeededGenerator
  /// When the sessions were written, except for the seconds, which the seed determines.
  private let start = Instant(seconds: Instant.now.seconds)
  private(set) var count = 0

  private(set) var feedsTouched: Set<String> = []

  /// Directories of every feed, by feed.
  private static let directories = Dictionary(
    uniqueKeysWithValues: Sessions.feeds.map { feed in
      let top = Sessions.directory(of: feed)
      return (feed, [top, "\(top)/a", "\(top)/a/b", "\(top)/c"])
    })

  /// The names that feeds have at the top of a cache.
  private static let topNames = [
    "meal-plan": "latest-session.json", "nutrition": "widgetData.json", "tasks": "cachedTasks.json",
    "events": "cachedEvents.json",
  ]

  /// The ages of sessions, in seconds: some are stale, some soon become stale, some are dated in the future.
  private static let ages = [86_400, 3600, 60, 20, 8, 4, 2, 0, -3, -3600]

  private static let settings =
    ["PT0S", "PT1S", "PT3S", "PT5S", "PT10S", "PT30S", "PT1M1S", "PT1H", "PT2H", "P1D", "P2D", "P3000D"].map {
      #"{"staleAfter":"\#($0)","durability":"rename"}"#
    } + ["{}", #"{"firstWeekday":"sunday"}"#]

  /// Directories next to the cache, to which files are moved out of it.
  private var outside: String { cache.path + ".outside" }

  init(_ cache: TestCache, seed: UInt64) {
    self.cache = cache
    generator = SeededGenerator(state: seed)
    mkdir(outside, 0o755)
    try? TestCache.put("\(outside)/x.json", Array(Sessions.task(9).utf8))
  }

  // MARK: Rounds

  /// Some operations, with pauses in which the agent may process a part of them.
  mutating func round() {
    let isRough = chance(50)
    for _ in 0..<Int.random(in: 20...150, using: &generator) {
      if isRough { rebuild() } else { step() }
      if chance(8) { usleep(UInt32(pick([1, 2, 5, 20, 100, 300]) * 1000)) }
    }
  }

  /// Operations whose events are all dropped, sometimes again before the agent has recovered.
  mutating func roundWithDroppedEvents(of agent: Agent) {
    for _ in 0..<pick([1, 1, 2, 3]) {
      operateWithDroppedEvents(by: agent)
      usleep(UInt32(pick([0, 50, 300]) * 1000))
    }
  }

  private mutating func operateWithDroppedEvents(by agent: Agent) {
    agent.process.signal(SIGSTOP)
    // Two events each, in a directory that is always watched: more than the kernel's queue holds.
    try? TestCache.put(cache.at("noise.tmp"), [])
    for _ in 0..<4200 {
      rename(cache.at("noise.tmp"), cache.at("noise.tmp2"))
      rename(cache.at("noise.tmp2"), cache.at("noise.tmp"))
    }
    cache.remove("noise.tmp")
    for _ in 0..<Int.random(in: 1...40, using: &generator) { rebuild() }
    agent.process.signal(SIGCONT)
  }

  /// An operation that usually affects directories.
  private mutating func rebuild() {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<50: step()
    case 50..<88: moveSomething()
    case 88..<99: swapForLink(anyDirectory())
    default: replaceCache()
    }
  }

  private mutating func step() {
    count += 1
    let feed = pick(Sessions.feeds)
    feedsTouched.insert(feed)
    let directory = pick(Self.directories[feed] ?? [])
    let file = anyFile(in: directory)
    let session = Sessions.session(of: feed, count, at: start + .seconds(-pick(Self.ages)))
    switch Int.random(in: 0..<1000, using: &generator) {
    case 0..<300: try? cache.drop(file, session)
    case 300..<480: try? cache.write(file, session)
    case 480..<600: cache.remove(file)
    case 600..<680: rename(cache.at(file), cache.at(anyFile(in: directory)))
    case 680..<730: try? cache.makeDirectory("\(directory)/\(pick(["n", "m"]))")
    case 730..<850: moveSomething()
    case 850..<880: removeTree(cache.at("\(directory)/\(pick(["n", "m", "moved"]))"))
    case 880..<890: removeTree(cache.at(directory))
    case 890..<920:
      guard let name = Self.topNames[feed] else { return }
      if chance(50) { try? cache.drop(name, session) } else { cache.remove(name) }
    case 920..<950: changeSettings()
    case 950..<970: swapForLink(file)
    case 970..<980: swapForLink(directory)
    case 980..<984: replaceCache()
    default: try? cache.drop("\(directory)/\(pick(["n", "m"]))/deep.json", session)
    }
  }

  private mutating func changeSettings() {
    let text = pick(Self.settings)
    switch pick([0, 1, 2]) {
    case 0: try? cache.drop("cachesync.json", text)
    case 1: try? cache.write("cachesync.json", text)
    default: cache.remove("cachesync.json")
    }
  }

  // MARK: Directories

  /// Renames a directory within its feed, to another feed, to its parent's place, out of the cache or back.
  private mutating func moveSomething() {
    let source = anyDirectory()
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<4: rename(cache.at(source), cache.at("\(anyDirectory())/\(pick(["n", "m", "moved"]))"))
    case 4..<6: rename(cache.at(source), cache.at(anyDirectory()))
    case 6: exchange(cache.at(source), cache.at(anyDirectory()))
    case 7: rename(cache.at(source), "\(outside)/\(pick(["1", "2"]))")
    case 8: rename("\(outside)/\(pick(["1", "2"]))", cache.at("\(anyDirectory())/\(pick(["n", "m", "moved"]))"))
    // To a name at the top that belongs to no feed, and back.
    default:
      let aside = cache.at("aside")
      if chance(50) { rename(cache.at(source), aside) } else { rename(aside, cache.at(source)) }
    }
  }

  private func exchange(_ a: String, _ b: String) {
    let aside = a + ".tmp-aside"
    guard rename(a, aside) == 0 else { return }
    rename(b, a)
    if rename(aside, b) != 0 { removeTree(aside) }
  }

  private mutating func anyDirectory() -> String {
    let directory = pick(Self.directories[pick(Sessions.feeds)] ?? [])
    return chance(40) ? directory : "\(directory)/\(pick(["n", "m", "moved"]))"
  }

  private mutating func anyFile(in directory: String) -> String {
    "\(directory)/\(Int.random(in: 0..<12, using: &generator)).json"
  }

  /// Puts a link in place of a file or directory, and sometimes restores the old one.
  private mutating func swapForLink(_ path: String) {
    let depth = path.split(separator: "/").count - 1
    let up = String(repeating: "../", count: depth)
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    // Links to the outside, the inside, itself, and nothing. No absolute path, because it must have the same meaning in
    // a copy of the cache.
    let inside = path.hasSuffix(".json") ? anyFile(in: anyDirectory()) : anyDirectory()
    let target = pick(["\(outside)/x.json", outside, up + inside, name, "nothing"])
    let old = cache.at(path) + ".tmp-old"
    let isKept = rename(cache.at(path), old) == 0
    symlink(target, cache.at(path))
    if chance(50) { usleep(UInt32(pick([0, 1, 10, 300]) * 1000)) }
    if chance(40), isKept {
      unlink(cache.at(path))
      rename(old, cache.at(path))
    } else {
      removeTree(old)
    }
  }

  /// Removes the cache and creates it again, or renames it away and back.
  private mutating func replaceCache() {
    let away = cache.path + ".away"
    switch pick([0, 1, 2, 3]) {
    case 0:
      removeWholly(cache.path)
      pause()
    case 1:
      rename(cache.path, away)
      pause()
      rename(away, cache.path)
    case 2:
      rename(cache.path, away)
      mkdir(cache.path, 0o755)
      try? cache.drop("tasks/\(count).json", Sessions.session(of: "tasks", count, at: start))
      pause()
      removeWholly(cache.path)
      rename(away, cache.path)
    default:
      rename(cache.path, away)
      mkdir(cache.path, 0o755)
    }
    removeWholly(away)
    mkdir(cache.path, 0o755)
  }

  /// Removes a cache, and retries until it is removed: a publication in between may put files into it. If such a cache
  /// stayed or returned, the outputs that were removed before would be missing until the agent's next sweep.
  private func removeWholly(_ path: String) {
    while access(path, F_OK) == 0 { removeTree(path) }
  }

  private mutating func pause() { usleep(UInt32(pick([0, 1, 20, 600]) * 1000)) }

  private func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  // MARK: Random choices

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
}

/// The titles that a reader saw, without repetitions.
final class SeenTitles: Sendable {
  private let state = Mutex<[String]>([])

  func add(_ title: String) {
    state.withLock { if $0.last != title { $0.append(title) } }
  }

  var titles: [String] { state.withLock { $0 } }
}
