import CacheSync
import CacheSyncSystem
import Foundation
import Testing
import TestSupport

/// Changes documents randomly, in the same way for the same seed.
struct Mutator {
  private var generator: SeededGenerator
  private static let pieces: [[UInt8]] =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "true", "1e999", "-1", "2.5", "1e400",
      "0", "{}", "[]", "\"2026-02-30T00:00:00Z\"", "\"id\":1,", "\u{FEFF}", " ", "99999999999999999999",
    ].map { Array($0.utf8) } + [[0], [0xff], [0xc3]]

  init(seed: UInt64) { generator = SeededGenerator(state: seed) }

  mutating func mutated(_ document: [UInt8]) -> [UInt8] {
    var bytes = document
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let length = min(bytes.count - place, Int.random(in: 0...12, using: &generator))
      let piece = Self.pieces.randomElement(using: &generator) ?? []
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.replaceSubrange(place..<place + length, with: piece)
      case 1: bytes.removeSubrange(place..<place + length)
      case 2: bytes.insert(contentsOf: piece, at: place)
      case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
      case 4: if place < bytes.count { bytes[place] = .random(in: 0...255, using: &generator) }
      default: bytes.removeSubrange(place...)
      }
      if bytes.isEmpty { return bytes }
    }
    return bytes
  }
}

/// The package's sample cache, by feed.
enum SampleSessions {
  private static let mealPlan = """
    {"id":"s","plan":[{"day_index":0,"meal_track":"adult","meal_type":"dinner","meal_id":"m","meal_name":"Phở"}],
    "meals_snapshot":[{"id":"m","name":"Phở","meal_type":"dinner","effort":3,"has_red_meat":false,"url":null,
    "last_planned":null,"created_at":"2026-11-01T00:00:00Z","updated_at":"2026-11-01T00:00:00+0530"}],
    "history":[{"role":"user","content":"more soup","operations":[{"day_index":0,"meal_type":"dinner","new_meal_id":"m"}]}],
    "is_finalized":true,"created_at":785000000,"updated_at":785000000.5,"week_start":"2026-11-16"}
    """

  static func all(filePath: String = #filePath) throws -> [(feed: FeedName, bytes: [UInt8])] {
    var package = URL(fileURLWithPath: filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let root = package.appendingPathComponent("sample-cache").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    return [(FeedName("meal-plan"), Array(mealPlan.utf8))]
      + names.compactMap { name in
        guard case .session(let feed) = FeedRegistry.builtIn.layout.role(of: CachePath(name)),
          let bytes = TestCache.read("\(root)/\(name)")
        else { return nil }
        return (feed, bytes)
      }
  }
}
