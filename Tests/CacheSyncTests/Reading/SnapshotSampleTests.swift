import CacheSync
import CacheSyncSystem
import Testing

@Suite("Samples of kinds")
struct SnapshotSampleTests {
  @Test("The sample files of all feeds are valid", arguments: FeedRegistry.builtIn.feeds.map(\.name))
  func valid(feed: FeedName) throws {
    let feed = try #require(FeedRegistry.builtIn.feed(named: feed))
    for (path, text) in feed.samples {
      #expect(FeedRegistry.builtIn.layout.role(of: CachePath(path)) == .session(feed.name))
      let problems = Array(text.utf8).withUnsafeBytes {
        feed.problems(of: $0, at: CachePath(path))
      }
      #expect(problems.map { $0.line() } == [])
    }
  }

  @Test("Every kind has a sample that shows something", arguments: KnownKind.all.map(\.name))
  func current(kind: String) throws {
    let sample = try Snapshot.sample(of: kind)
    #expect(sample.kind == kind && sample.timeZone == "UTC" && sample.widget == nil)
    #expect(sample.entry(at: Snapshot.sampleMoment).state == .current)
    #expect(try Snapshot.sample(of: kind).bytes == sample.bytes)
  }

  @Test("Options apply as they do in a widget")
  func options() throws {
    let sample = try Snapshot.sample(of: "meal-plan", options: ["track": "adult"])
    let meals = sample.entry(at: Snapshot.sampleMoment).content["meals"]?.array ?? []
    #expect(meals.map { $0["mealTrack"]?.string } == ["adult", "adult", "adult"])
    #expect(meals.map { $0["mealName"]?.string } == [nil, nil, "Green curry"])
    #expect(sample.widget?.options == ["track": .string("adult")])
  }

  @Test("Errors say what is wrong")
  func errors() {
    func message(_ kind: String, _ options: [String: String] = [:]) -> String {
      do { return try Snapshot.sample(of: kind, options: options).kind } catch { return "\(error)" }
    }
    #expect(message("macro") == "unknown kind \"macro\": did you mean macros?")
    #expect(message("meal-plan", ["trak": "all"]) == "unknown option \"trak\": did you mean track?")
    #expect(
      message("meal-plan", ["track": "x"]) == "expected one of family, adult, all for track, found \"x\"")
    #expect(message("next-event", ["a": "b"]) == "unknown option \"a\": next-event has none")
  }
}
