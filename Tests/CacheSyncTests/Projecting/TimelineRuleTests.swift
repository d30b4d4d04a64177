import CacheSync
import Foundation
import Testing
import TestSupport

/// Random caches in zones with unusual days. Tests/Reference/timelines.py makes them without using this library. It
/// says which moments are fixed boundaries and which others may be changes. It also says what readers must see of the
/// kinds that it computes itself. For the other kinds, the kind's rule is asked directly at the boundary's date.
@Suite("The current entry has the content of the latest boundary and the current state")
struct TimelineRuleTests {
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  private static let hasZones = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")
  private static let rounds = 1
  private static let placeCount = 15

  /// The cases of all rounds. If the program cannot run, every test fails.
  private static let cases = Result { try reference() }

  @Test(
    "This is true in random caches, at and around boundaries",
    .enabled(if: python != nil, "python3 is not installed"),
    .enabled(if: hasZones, "the system has no zone files"),
    arguments: 0..<rounds * placeCount)
  func randomCaches(index: Int) throws {
    let reference = try Self.cases.get()[index]
    let harness = try reference.harness()
    for kind in FeedRegistry.builtIn.kinds where kind.reach != .noBoundaries {
      let rule = try reference.rule(kind, harness)
      for moment in reference.moments {
        let now = Instant(microseconds: moment.microseconds)
        let place = "case \(index), \(reference.zone), \(kind.name) at \(now.rfc3339())"
        let timeline = reference.timeline(kind, harness, at: now)
        let expected = rule.timeline(at: now)
        #expect(timeline.entries.map { "\($0.date) \($0.state)" } == expected.entries.map(\.summary), "\(place)")
        #expect(timeline.entries.map(\.content) == expected.entries.map(\.view.content), "\(place)")
        #expect(timeline.reloadAfter == expected.reloadAfter, "\(place)")
        #expect(timeline.changes.map(\.date) == expected.changes, "\(place)")
        #expect(timeline.nextChange == expected.changes.first ?? expected.reloadAfter, "\(place)")

        for expected in moment.expected where expected.kind == kind.name.description {
          let entry = timeline.entries[0]
          #expect(entry.date.seconds == expected.date && entry.state.rawValue == expected.state, "\(place)")
          guard let content = try Self.content(of: kind.name, harness.value(entry.content)) else { continue }
          #expect(content == expected.content, "\(place)")
        }
        try expectSameLater(timeline, kind, reference, harness, at: now, place)
      }
    }
  }

  /// While no agent runs, a reader that takes the last entry not in the future sees what a pass would then publish.
  private func expectSameLater(
    _ timeline: Timeline, _ kind: Kind, _ reference: Reference, _ harness: FeedHarness, at now: Instant, _ place: String
  ) throws {
    let reach = try #require(timeline.reloadAfter)
    var random = SeededGenerator(state: UInt64(now.seconds))
    let later = Instant(microseconds: .random(in: now.microseconds..<reach.microseconds, using: &random))
    let seen = try #require(timeline.entries.last { $0.date <= later })
    let shown = reference.timeline(kind, harness, at: later).entries[0]
    #expect(seen.content == shown.content && seen.date == shown.date, "\(place), later at \(later.rfc3339())")
    // The meal plan becomes stale without an entry.
    if kind.staleHasEntry { #expect(seen.state == shown.state, "\(place), later at \(later.rfc3339())") }
  }

  /// The program's result for a kind's content, or nil if it has none.
  private static func content(of kind: KindName, _ content: JSONValue) -> String? {
    func text(_ value: JSONValue) -> String { value.string ?? value.int.map(String.init) ?? "None" }
    func text(_ key: String) -> String { content[key].map(text) ?? "" }
    func ids(_ key: String) -> String {
      (content[key]?.array ?? []).map { $0["id"].map(text) ?? "" }.joined(separator: ",")
    }
    switch kind {
    case "meal-plan": return "\(text("date")) \(text("dayIndex")) \(text("session"))"
    case "quick-log": return content["foods"]?.array?.isEmpty == true ? "none" : "foods"
    case "daily-progress": return text("calories")
    case "todays-tasks":
      return "\(text("count")) \(ids("tasks")) \(text("overdueCount")) \(ids("overdue")) \(text("completedToday"))"
    case "task-count": return "\(text("count")) \(text("overdueCount"))"
    case "completed-today": return text("count")
    case "task-progress": return "\(text("completed")) \(text("total"))"
    case "calendar": return "\(text("date")) \(ids("events")) \(text("more")) \(ids("now"))"
    case "next-event": return ["event", "now"].map { content[$0]?["id"].map(text) ?? "none" }.joined(separator: " ")
    default: return nil
    }
  }

  private static func reference() throws -> [Reference] {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Reference/timelines.py")
    let process = Process()
    process.executableURL = URL(filePath: try #require(python))
    process.arguments = ["-I", script.standardizedFileURL.path, "20261121", "\(rounds)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    let cases = try JSONDecoder().decode([Reference].self, from: bytes)
    try #require(cases.count == rounds * placeCount)
    return cases
  }
}

/// A cache, and the other program's results for it. Moments are in seconds since 1970, except for the microseconds.
private struct Reference: Decodable, Sendable {
  struct File: Decodable {
    var path: String
    var text: String
    var isUnusable: Bool
  }

  struct Asked: Decodable {
    var microseconds: Int64
    var expected: [Expected]
  }

  struct Expected: Decodable {
    var kind: String
    var date: Int64
    var state: String
    var content: String?
  }

  var zone: String
  var staleAfter: Int?
  var files: [File]
  var midnights: [Int64]
  /// By kind: the boundaries that always have an entry.
  var fixed: [String: [Int64]]
  /// By feed: the other boundaries.
  var candidates: [String: [Int64]]
  var moments: [Asked]

  func harness() throws -> FeedHarness {
    let harness = try FeedHarness(zone: zone, staleAfter: staleAfter.map { .seconds($0) })
    for file in files {
      let defects = try harness.put(
        file.path, file.text, modified: "2000-01-01T00:00:00Z", unusable: file.isUnusable)
      #expect(defects.isEmpty, "\(file.path): \(defects)")
    }
    return harness
  }

  func timeline(_ kind: Kind, _ harness: FeedHarness, at instant: Instant) -> Timeline {
    TimelineProjector(feeds: harness.feeds, moment: moment(instant, harness), staleAfter: StaleAges(harness.staleAfter))
      .timeline(of: kind)
  }

  func rule(_ kind: Kind, _ harness: FeedHarness) throws -> Rule {
    let fixed = try #require(self.fixed[kind.name.description] ?? (midnights as [Int64]?))
    let others = kind.feeds.first.flatMap { candidates[$0.description] } ?? []
    var views: [Int64: Rule.View] = [:]
    for point in Set(fixed + others) { views[point] = view(kind, harness, at: Instant(seconds: point)) }
    return Rule(kind: kind, midnights: midnights, fixed: Set(fixed), points: views.keys.sorted(), views: views)
  }

  /// The result of a kind's rule, with its state as defined in contract.md section 3.
  private func view(_ kind: Kind, _ harness: FeedHarness, at instant: Instant) -> Rule.View {
    var projection = Projection()
    projection.begin()
    kind.project(harness.feeds, moment(instant, harness), &projection)
    var isOld = false
    if let staleAfter, let newest = projection.newest { isOld = newest + .seconds(staleAfter) <= instant }
    let state: SnapshotState =
      switch projection.state {
      case .empty: .empty
      case .placeholder: .placeholder
      case .current: projection.showsUnusable || isOld ? .stale : .current
      }
    return Rule.View(state: state, content: projection.json.bytes)
  }

  private func moment(_ instant: Instant, _ harness: FeedHarness) -> Moment {
    Moment(instant, calendar: harness.calendar, firstWeekday: harness.firstWeekday)
  }
}

/// A kind's timelines by their definition: an entry at every fixed boundary, and wherever content or state differ from
/// the moment before. Moments are in seconds since 1970.
private struct Rule {
  struct View: Equatable {
    var state: SnapshotState
    var content: [UInt8]
  }

  var kind: Kind
  var midnights: [Int64]
  var fixed: Set<Int64>
  var points: [Int64]
  var views: [Int64: View]

  struct Entry {
    var date: Instant
    var view: View

    var summary: String { "\(date) \(view.state)" }
  }

  func timeline(at now: Instant) -> (entries: [Entry], changes: [Instant], reloadAfter: Instant) {
    guard case .days(let days) = kind.reach else { preconditionFailure("only kinds with boundaries are asked for") }
    let ahead = midnights.filter { $0 > now.seconds }
    let begin = points.last { $0 <= now.seconds && fixed.contains($0) } ?? 0
    var entries: [Entry] = []
    var changes: [Instant] = []
    var last: View?
    for point in points where begin <= point && point < ahead[days - 1] {
      guard let view = views[point], fixed.contains(point) || view != last else { continue }
      last = view
      let isPast = point <= now.seconds
      if !isPast { changes.append(Instant(seconds: point)) }
      // Within a day, the meal plan only becomes stale, which gives it no entry.
      if kind.staleHasEntry || fixed.contains(point) {
        if isPast { entries = [] }
        entries.append(Entry(date: Instant(seconds: point), view: view))
      } else if isPast {
        entries[0].view.state = view.state
      }
    }
    let leftOut = kind.maximumEntries.flatMap { entries.dropFirst($0).first?.date }
    let reloadAfter = leftOut ?? Instant(seconds: ahead[days - 1])
    return (
      Array(entries.prefix(kind.maximumEntries ?? .max)), changes.filter { $0 <= reloadAfter }, reloadAfter
    )
  }
}
