import CacheSync
import SystemPackage

/// Every stage of the way from a dropped file to a snapshot, each on its own.
struct Stages {
  private let calendar: CivilCalendar
  private let moment: Moment

  init() throws {
    calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "Europe/Helsinki"))
    guard let now = Instant("2026-11-21T12:00:00Z") else {
      preconditionFailure("the moment is written as RFC 3339 has it")
    }
    moment = Moment(now, calendar: calendar, firstWeekday: .monday)
  }

  /// Which feed claims a path.
  func route() -> Stage {
    let layout = FeedRegistry.layout
    let paths = [
      "meal-plan-cache/latest-session.json", "health/2026-11/2026-11-21.json", "shoes/.tmp-1.json", "other/x.json",
    ]
    .map { CachePath($0) }
    return Stage(name: "route", count: paths.count) {
      for path in paths { Yardstick.sink ^= layout.role(of: path) == .ignored ? 1 : 0 }
    }
  }

  /// Reading one 12 kB session: only what the agent needs, and everything, as `check` does.
  func decode() -> [Stage] {
    let bytes = Material.mealPlan(0)
    return [
      Stage(name: "decode/agent") {
        let defects = bytes.withUnsafeBytes { MealPlanFeed.rejections(of: $0, as: CachePath("meal-plan/a.json")) }
        precondition(defects.isEmpty, "the session is valid")
      },
      Stage(name: "decode/check") {
        let defects = bytes.withUnsafeBytes { MealPlanFeed.check($0) }
        precondition(defects.isEmpty, "the session is valid")
      },
    ]
  }

  /// The timelines of all kinds of a feed, with few and with many files behind them.
  func project() -> [Stage] {
    Material.feeds.flatMap { name, _ in
      [1, 1000].map { fileCount in
        let feeds = feeds(of: name, fileCount: fileCount)
        let kinds = FeedRegistry.feed(named: FeedName(name))?.kinds ?? []
        return Stage(name: "project/\(name)/\(fileCount)") {
          let projector = TimelineProjector(feeds: feeds, moment: moment, staleAfter: nil)
          for kind in kinds { Yardstick.sink ^= UInt64(projector.timeline(of: kind).entries.count) }
        }
      }
    }
  }

  /// A snapshot from a timeline that is there.
  func encode() -> Stage {
    let document = mealPlan(0)
    return Stage(name: "encode") {
      Yardstick.sink ^= UInt64(document.encoded().bytes(generation: 17, publishedAt: moment.instant).count)
    }
  }

  /// One snapshot that changed, and the manifest, on the disk under /tmp.
  func publish(in cache: borrowing ScratchCache) throws -> [Stage] {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    let state = try StateDirectory(root: root)
    let store = SnapshotStore(root: root)
    let documents = [mealPlan(0).encoded(), mealPlan(1).encoded()]
    return [Durability.rename, .flush].map { durability in
      var turn = 0
      return Stage(name: "publish/\(durability.rawValue)") {
        turn += 1
        _ = try store.publish(
          [(name: "meal-plan.json", document: documents[turn % 2])], at: moment.instant, durability: durability,
          state: state)
      }
    }
  }

  private func feeds(of name: String, fileCount: Int) -> FeedSet {
    let feeds = FeedSet()
    guard let feed = feeds.feed(named: FeedName(name)),
      let file = Material.feeds.first(where: { $0.name == name })?.file
    else { preconditionFailure("\(name) is a feed of the registry") }
    for number in 0..<fileCount {
      let session = SessionFile(path: CachePath("\(name)/\(number).json"), modified: moment.instant)
      let reading = file(number).withUnsafeBytes { feed.read($0, from: session, in: calendar, pruning: false) }
      precondition(reading.defects.isEmpty, "\(name) \(number): \(reading.defects)")
    }
    return feeds
  }

  private func mealPlan(_ number: Int) -> SnapshotDocument {
    let feeds = FeedSet()
    let session = SessionFile(path: CachePath("meal-plan/a.json"), modified: moment.instant)
    let reading = Material.mealPlan(number).withUnsafeBytes {
      feeds.feed(named: MealPlanFeed.name)?.read($0, from: session, in: calendar, pruning: false)
    }
    precondition(reading?.defects.isEmpty == true, "the session is valid")
    let projector = TimelineProjector(feeds: feeds, moment: moment, staleAfter: nil)
    return SnapshotDocument(
      kind: MealPlanFeed.kinds[0], timeline: projector.timeline(of: MealPlanFeed.kinds[0]), problems: [],
      timeZone: "Europe/Helsinki")
  }
}
