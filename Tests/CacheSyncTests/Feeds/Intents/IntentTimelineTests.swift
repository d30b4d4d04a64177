import CacheSync
import Testing
import TestSupport

/// Timelines across the ends of many intents, which the agent computes step by step. The expected entries are computed
/// from scratch, by replaying all current intents over the records, as feeds.md describes.
@Suite("Timelines of many intents")
struct IntentTimelineTests {
  private static let now = "2026-11-21T12:00:00Z"
  private static let lifetime: Int64 = 168 * 3600

  /// A person's action: `target` is a task or a shoe. Tasks 0...5 are in the file, and 100 + n is the task that intent
  /// n adds.
  private struct Act {
    var number: Int
    var at: Int64
    var type: String
    var target: Int

    var id: String { Self.id(number) }

    var json: String {
      let at = Instant(seconds: at)
      return switch type {
      case "add-task": #"{"id":"\#(id)","type":"add-task","at":"\#(at)","title":"n","dueDate":null}"#
      case "complete-task" where target >= 100:
        #"{"id":"\#(id)","type":"complete-task","at":"\#(at)","taskId":"intent:\#(Act.id(target - 100))"}"#
      case "complete-task": #"{"id":"\#(id)","type":"complete-task","at":"\#(at)","taskId":\#(target)}"#
      case "end-session": #"{"id":"\#(id)","type":"end-session","at":"\#(at)"}"#
      default: #"{"id":"\#(id)","type":"\#(type)","at":"\#(at)","shoeId":"s\#(target)"}"#
      }
    }

    static func id(_ number: Int) -> String { number < 10 ? "i0\(number)" : "i\(number)" }
  }

  private static func acts(_ types: [String], _ random: inout SeededGenerator) throws -> [Act] {
    let now = try #require(Instant(Self.now)).seconds
    return (0..<60).map { number in
      // Hours of eight days: some have ended, many are simultaneous, some are in the future.
      let hours = Int64.random(in: -175...6, using: &random)
      let type = types[Int.random(in: 0..<types.count, using: &random)]
      let target =
        type == "complete-task" && Bool.random(using: &random)
        ? Int.random(in: 100..<160, using: &random) : Int.random(in: 0...7, using: &random)
      return Act(number: number, at: now + hours * 3600, type: type, target: target)
    }
  }

  private static func inForce(_ acts: [Act], at moment: Int64) -> [Act] {
    acts.filter { moment < $0.at + lifetime }.sorted { $0.at == $1.at ? $0.id < $1.id : $0.at < $1.at }
  }

  @Test("Each entry of tasks equals a replay", arguments: 1...6 as ClosedRange<UInt64>)
  func tasks(seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    let acts = try Self.acts(["add-task", "complete-task"], &random)
    let harness = try FeedHarness(zone: "America/New_York")
    // Six tasks without a due date, older than every intent. Tasks 6 and 7 are in no file.
    let records = (0...5).map {
      #"{"id":\#($0),"title":"t","completed":false,"createdAt":"2026-01-01T00:00:00Z"}"#
    }
    try harness.put("tasks/a.json", "[\(records.joined(separator: ","))]")
    for act in acts { try harness.put("intents/\(act.id).json", act.json) }

    for kind in ["task-count", "completed-today"] as [KindName] {
      let timeline = try harness.timeline(kind, at: Self.now)
      for entry in timeline.entries {
        var completed: [Int: Int64?] = [:]
        for task in 0...5 { completed[task] = .some(nil) }
        for act in Self.inForce(acts, at: entry.date.seconds) {
          if act.type == "add-task" {
            completed[100 + act.number] = .some(nil)
          } else if completed[act.target] != nil {
            completed[act.target] = act.at
          }
        }
        let day = harness.calendar.day(of: entry.date)
        let expected =
          kind == "task-count"
          ? completed.values.count { $0 == nil }
          : completed.values.count { $0.map { harness.calendar.day(of: Instant(seconds: $0)) == day } ?? false }
        #expect(try harness.value(entry.content)["count"]?.int == expected, "\(kind) at \(entry.date)")
      }
      if kind == "task-count" { #expect(timeline.entries.count > 20) }
    }
    for kind in ["todays-tasks", "task-count", "task-progress", "completed-today"] as [KindName] {
      try harness.expectConsistent(kind, at: Self.now)
    }
    // All intents that have an effect at the beginning of the timeline have ended.
    let timeline = try harness.timeline("task-count", at: Self.now)
    var known = Set(0...5)
    let effective = Self.inForce(acts, at: timeline.entries[0].date.seconds).filter { act in
      if act.type == "add-task" { known.insert(100 + act.number) }
      return act.type == "add-task" || known.contains(act.target)
    }
    #expect(timeline.sources.count == 1 + effective.count)
  }

  @Test("Each entry of shoes equals a replay", arguments: 1...6 as ClosedRange<UInt64>)
  func shoes(seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    let acts = try Self.acts(["select-shoe", "start-session", "end-session"], &random)
    let harness = try FeedHarness(zone: "Europe/Helsinki")
    // The file has s0 to s5, but not s6 and s7. s0 has been worn since 10 November.
    let shoes = (0...5).map { #"{"id":"s\#($0)","name":"Shoe \#($0)"}"# }
    try harness.put(
      "shoes/a.json",
      #"{"lastUpdated":"2026-01-01T00:00:00Z","shoes":[\#(shoes.joined(separator: ","))],"#
        + #""sessions":[{"id":"r","shoeId":"s0","start":"2026-11-10T00:00:00Z","steps":0,"distance":0}]}"#)
    for act in acts { try harness.put("intents/\(act.id).json", act.json) }

    for entry in try harness.timeline("daily-stats", at: Self.now).entries {
      // (shoe, start, end)
      var sessions: [(shoe: Int, start: Int64, end: Int64?)] = [
        (0, try harness.instant("2026-11-10T00:00:00Z").seconds, nil)
      ]
      for act in Self.inForce(acts, at: entry.date.seconds) where act.type == "end-session" || act.target <= 5 {
        for index in sessions.indices where sessions[index].end == nil {
          sessions[index].end = max(sessions[index].start, act.at)
        }
        if act.type != "end-session" { sessions.append((act.target, act.at, nil)) }
      }
      let content = try harness.value(entry.content)
      let open = sessions.filter { $0.end == nil }.max { $0.start < $1.start }
      #expect(content["currentShoe"]?["id"]?.string == open.map { "s\($0.shoe)" }, "at \(entry.date)")
      let day = harness.calendar.interval(of: harness.calendar.day(of: entry.date))
      let (from, to) = (day.lowerBound.seconds, day.upperBound.seconds)
      // Sessions overlap only at their ends, because each action ends the session before.
      let active = sessions.reduce(0) { sum, session in
        sum + (session.end.map { max(0, min($0, to) - max(session.start, from)) } ?? 0)
      }
      #expect(content["activeSeconds"]?.int == Int(active), "at \(entry.date)")
    }
    for kind in ["quick-selection", "daily-stats", "smart-suggestions", "current-shoe"] as [KindName] {
      try harness.expectConsistent(kind, at: Self.now)
    }
  }
}
