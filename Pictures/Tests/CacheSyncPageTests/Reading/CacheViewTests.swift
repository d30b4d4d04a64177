import CacheSync
import Testing

@testable import CacheSyncPage

@Suite("The page's view of a cache")
struct CacheViewTests {
  /// Snapshots as `cachesyncd show --json` prints them.
  static func snapshots(_ entries: [String: [String]], problem: String = "") throws -> [Snapshot] {
    let texts = entries.map { kind, dates in
      let entries = dates.map { #"{"content": {"text": "\#($0)"}, "date": "\#($0)", "state": "current"}"# }
      return #"""
        "\#(kind)": {"deepLink": "cafe://dashboard", "entries": [\#(entries.joined(separator: ","))],
        "families": ["accessoryInline"], "kind": "\#(kind)", "policy": {"date": "2026-11-25T05:00:00Z", "reload": "after"},
        "problems": [\#(problem)], "schema": 1, "sourceCount": 0, "sources": [], "timeZone": "America/New_York",
        "widgetKind": "W"}
        """#
    }
    return try Snapshot.computed(Array("{\(texts.joined(separator: ","))}".utf8))
  }

  private func view(_ entries: [String: [String]], at moment: String) throws -> CacheView {
    CacheView(
      generation: 1, snapshots: try Self.snapshots(entries), dayIndex: .null, moment: try #require(Instant(moment)))
  }

  @Test("The view has the coming boundaries of all kinds, each once")
  func boundaries() throws {
    let view = try view(
      [
        "calories": ["2026-11-22T05:00:00Z", "2026-11-23T05:00:00Z"],
        "task-count": ["2026-11-22T05:00:00Z", "2026-11-22T19:00:00Z", "2026-11-23T05:00:00Z"],
      ], at: "2026-11-22T12:00:00Z")
    #expect(view.boundaries.map(\.description) == ["2026-11-22T19:00:00Z", "2026-11-23T05:00:00Z"])
    #expect(view.lastBoundary == Instant("2026-11-22T05:00:00Z"))
    #expect(view.nextChange == Instant("2026-11-22T19:00:00Z"))
  }

  @Test("The view changes at the zone's midnight, even without a boundary")
  func midnight() throws {
    let view = try view(["quick-add": ["2001-01-01T00:00:00Z"]], at: "2026-11-22T12:00:00Z")
    #expect(view.boundaries.isEmpty)
    #expect(view.nextChange == Instant("2026-11-23T05:00:00Z"))
  }

  @Test("Kinds are in the order of the documentation, and unknown ones last")
  func order() throws {
    let date = ["2026-11-22T05:00:00Z"]
    let view = try view(
      ["zebra": date, "current-shoe": date, "meal-plan": date, "ant": date, "calories": date],
      at: "2026-11-22T12:00:00Z")
    #expect(view.snapshots.map(\.kind) == ["meal-plan", "calories", "current-shoe", "ant", "zebra"])
  }

  @Test("A widget follows the kind that it shows")
  func widgets() throws {
    let date = ["2026-11-22T05:00:00Z"]
    var snapshots = try Self.snapshots([
      "anna": date, "calories": date, "meal-plan": date, "zoe": date, "quick-log": date,
    ])
    for index in snapshots.indices where ["anna", "zoe"].contains(snapshots[index].kind) {
      let shown = snapshots[index].kind == "anna" ? "quick-log" : "calories"
      snapshots[index].widget = Snapshot.Widget(kind: shown, options: [:], title: nil)
    }
    let view = CacheView(generation: 1, snapshots: snapshots, dayIndex: .null, moment: snapshots[0].publishedAt)
    #expect(view.snapshots.map(\.kind) == ["meal-plan", "quick-log", "anna", "calories", "zoe"])
  }

  @Test("A problem of several kinds is shown once")
  func problems() throws {
    let problem = #"{"column": 2, "line": 1, "message": "syntax error", "path": "tasks/a.json", "pointer": ""}"#
    let date = ["2026-11-22T05:00:00Z"]
    let snapshots = try Self.snapshots(["task-count": date, "todays-tasks": date], problem: problem)
    let view = CacheView(generation: 1, snapshots: snapshots, dayIndex: .null, moment: snapshots[0].publishedAt)
    #expect(view.problems.map(\.path) == ["tasks/a.json"])
  }

  @Test(
    "Moments are named relative to the day in the zone",
    arguments: [
      ("2026-11-22T19:00:00Z", "today 14:00"), ("2026-11-23T05:00:00Z", "Mon 23 Nov 00:00"),
      ("2027-01-01T05:00:00Z", "Fri 1 Jan 2027 00:00"),
    ])
  func words(moment: String, words: String) throws {
    let view = try view(["calories": ["2026-11-22T05:00:00Z"]], at: "2026-11-22T12:00:00Z")
    let today = try #require(LocalDay("2026-11-22"))
    #expect(view.words(for: try #require(Instant(moment)), today: today) == words)
  }

  @Test("By time alone, a page of the same publication changes only its cards and the names of days and boundaries")
  func newerByTime() throws {
    let entries = [
      "calories": ["2026-11-22T05:00:00Z", "2026-11-23T05:00:00Z"], "quick-add": ["2001-01-01T00:00:00Z"],
    ]
    let before = try view(entries, at: "2026-11-22T12:00:00Z")
    let after = try view(entries, at: "2026-11-23T12:00:00Z")
    for part in ["card-calories", PageHead.id, StatusPanel.id] {
      #expect(!before.isNewer(part, than: 1) && after.isNewer(part, than: 1), "\(part)")
    }
    for part in ["card-quick-add", ProblemList.id, "form-add-task"] {
      #expect(!after.isNewer(part, than: 1) && after.isNewer(part, than: nil), "\(part)")
    }
  }

  @Test("Without a publication the view is empty")
  func empty() throws {
    let view = CacheView.empty(moment: try #require(Instant("2026-11-22T12:00:00Z")))
    #expect(view.boundaries.isEmpty && view.problems.isEmpty && view.reach == nil)
  }
}
