import Foundation
import Glibc
import Synchronization

/// Seeded operations of producers and people on a cache's files: no file is ever unusable for long.
struct RandomOperations {
  private let cache: TestCache
  private var generator: SeededGenerator
  private(set) var count = 0

  private static let directories = ["tasks", "tasks/a", "tasks/a/b", "tasks/c", "events", "events/x", "events/x/y"]

  init(_ cache: TestCache, seed: UInt64) {
    self.cache = cache
    generator = SeededGenerator(state: seed)
  }

  mutating func step() {
    count += 1
    let directory = pick(Self.directories)
    let file = "\(directory)/\(Int.random(in: 0..<12, using: &generator)).json"
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<35: try? cache.drop(file, session(file))
    case 35..<55: try? cache.write(file, session(file))
    case 55..<70: cache.remove(file)
    case 70..<80: rename(cache.at(file), cache.at("\(directory)/\(Int.random(in: 0..<12, using: &generator)).json"))
    case 80..<86: try? cache.makeDirectory("\(directory)/\(pick(["n", "m"]))")
    case 86..<92: moveDirectory(directory)
    case 92..<95: try? FileManager.default.removeItem(atPath: cache.at("\(directory)/\(pick(["n", "m", "moved"]))"))
    case 95..<97: try? FileManager.default.removeItem(atPath: cache.at(directory))
    default: try? cache.drop("\(directory)/\(pick(["n", "m"]))/deep.json", session(file))
    }
  }

  private mutating func moveDirectory(_ directory: String) {
    let source = "\(directory)/\(pick(["n", "m", "moved"]))"
    // Between feeds too: the files are then another feed's, and a tasks session is no events session.
    let feed = String(directory.prefix { $0 != "/" })
    let target = "\(pick(Self.directories.filter { $0.hasPrefix(feed) }))/moved"
    rename(cache.at(source), cache.at(target))
  }

  private mutating func pick(_ values: [String]) -> String { values.randomElement(using: &generator) ?? "" }

  /// Bytes alone decide what is published: every session carries its own date, and no two the same.
  private mutating func session(_ path: String) -> String {
    let second = count % 86_400
    let time = String(
      format: "2026-11-20T%02d:%02d:%02d.%03dZ", second / 3600, second / 60 % 60, second % 60, count / 86_400)
    if path.hasPrefix("events") {
      let day = Int.random(in: 1...28, using: &generator)
      return """
        {"events":[{"id":\(Int.random(in: 0..<40, using: &generator)),"title":"e\(count)",\
        "startTime":"2027-01-\(String(format: "%02d", day))T10:00:00Z",\
        "endTime":"2027-01-\(String(format: "%02d", day))T11:00:00Z","location":null}],"lastUpdate":"\(time)"}
        """
    }
    return """
      {"tasks":[{"id":\(Int.random(in: 0..<40, using: &generator)),"title":"t\(count)",\
      "completed":\(Bool.random(using: &generator)),"createdAt":"2026-11-01T00:00:00Z"}],"lastUpdate":"\(time)"}
      """
  }
}

/// What a reader saw, without repetitions.
final class SeenTitles: Sendable {
  private let state = Mutex<[String]>([])

  func add(_ title: String) {
    state.withLock { if $0.last != title { $0.append(title) } }
  }

  var titles: [String] { state.withLock { $0 } }
}
