import CacheSync
import CacheSyncSystem
import Foundation
import Testing

/// Numbers computed by another program. `health_vectors.py`, in this directory, says how to run it again.
@Suite("Health: numbers of another program")
struct HealthVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var name: String
    var value: JSONValue
    var testDescription: String { name }
  }

  static let vectors: [Vector] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("health_vectors.json")
    guard let data = try? Data(contentsOf: file), let all = data.withUnsafeBytes({ JSONValue.parse($0) })?.array else {
      return []
    }
    return all.map { Vector(name: $0["name"]?.string ?? "", value: $0) }
  }()

  @Test("There are at least 80 vectors") func vectorsAreThere() { #expect(Self.vectors.count >= 80) }

  @Test("The numbers are the same, whatever the order of the files", arguments: vectors)
  func vector(_ vector: Vector) throws {
    let files = try #require(vector.value["files"]?.object)
    for paths in [files.keys.sorted(), files.keys.sorted().reversed()] {
      let harness = try Self.harness(vector.value, files, paths)
      let now = try #require(vector.value["now"]?.string)
      for (kind, expected) in try #require(vector.value["content"]?.object) {
        var expected = expected
        if vector.value["state"]?[kind]?.string == "empty", case .object(var members) = expected {
          // The program computes only numbers.
          members["message"] = .string("No health data")
          expected = .object(members)
        }
        let content = try harness.content(KindName(kind), at: now)
        #expect(differences(content, expected) == [], "\(vector.name): \(kind)")
        #expect(try harness.state(KindName(kind), at: now) == vector.value["state"]?[kind]?.string)
        let sources = try harness.timeline(KindName(kind), at: now).sources.named.map(\.description)
        #expect(sources == vector.value["sources"]?[kind]?.array?.compactMap(\.string), "\(vector.name): \(kind)")
        try harness.expectConsistent(KindName(kind), at: now)
      }
      let today = try harness.moment(now).day.description
      let samples = try harness.day("health", today, now: now)?["samples"]?.int ?? 0
      #expect(samples == vector.value["samples"]?.int, "\(vector.name)")
      #expect(try harness.healthProblems(at: now) == Self.warnings(of: vector.value), "\(vector.name)")
    }
  }

  private static func harness(_ vector: JSONValue, _ files: TextMap<JSONValue>, _ paths: [String]) throws
    -> FeedHarness
  {
    var harness = try FeedHarness(zone: try #require(vector["zone"]?.string))
    let word = try #require(vector["firstWeekday"]?.string)
    harness.firstWeekday = try #require(Weekday(word: word))
    for path in paths {
      let file = try #require(files[path])
      let text = text(of: file)
      #expect(try harness.put(path, text) == [])
    }
    return harness
  }

  /// The warnings that the script's short form stands for, by their type's place among all types.
  private static func warnings(of vector: JSONValue) -> [String] {
    HealthSession.SampleType.allCases.compactMap { type in
      guard let warning = vector["warnings"]?[type.rawValue] else { return nil }
      let sources = (warning["sources"]?.array ?? []).compactMap(\.string)
      return HealthSourcesTests.warning(type.rawValue, warning["path"]?.string ?? "", sources)
    }
  }

  /// A session, from the script's short form.
  private static func text(of file: JSONValue) -> String {
    var members: TextMap<JSONValue> = [:]
    members["goals"] = file["goals"]
    members["samples"] = .array(
      (file["samples"]?.array ?? []).map { sample in
        var members: TextMap<JSONValue> = [:]
        for (place, key) in ["type", "date", "value", "id", "end", "source"].enumerated() {
          members[key] = sample[place]
        }
        return .object(members)
      })
    var json = JSONWriter()
    json.value(.object(members))
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Where two trees differ. Numbers may differ by one part in 10^9.
  private func differences(_ a: JSONValue, _ b: JSONValue, at place: String = "") -> [String] {
    switch (a, b) {
    case (.object(let a), .object(let b)):
      guard a.keys.sorted() == b.keys.sorted() else { return ["\(place): \(a.keys.sorted()), not \(b.keys.sorted())"] }
      return a.keys.sorted().flatMap { differences(a[$0] ?? .null, b[$0] ?? .null, at: "\(place)/\($0)") }
    case (.array(let a), .array(let b)):
      guard a.count == b.count else { return ["\(place): \(a), not \(b)"] }
      return a.indices.flatMap { differences(a[$0], b[$0], at: "\(place)/\($0)") }
    default:
      if let a = a.double, let b = b.double {
        return abs(a - b) <= 1e-9 * max(1, abs(b)) ? [] : ["\(place): \(a), not \(b)"]
      }
      return a == b ? [] : ["\(place): \(a), not \(b)"]
    }
  }
}
