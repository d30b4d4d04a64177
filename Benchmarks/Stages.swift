import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

/// Every stage of the way from a dropped file to a snapshot, each on its own.
struct Stages {
  /// One file, as many as fill every list and day that a reader sees, and many more.
  private static let fileCounts = [1, 100, 1000]

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
    let layout = FeedRegistry.builtIn.layout
    let paths = [
      "meal-plan-cache/latest-session.json", "health/2026-11/2026-11-21.json", "shoes/.tmp-1.json", "other/x.json",
    ]
    .map { CachePath($0) }
    return Stage(name: "route", count: paths.count) {
      for path in paths { Yardstick.sink ^= layout.role(of: path) == .ignored ? 1 : 0 }
    }
  }

  /// Reading one 12 kB session.
  func decode() -> Stage {
    let bytes = Material.mealPlan(0)
    let path = CachePath("meal-plan/a.json")
    guard let feed = FeedRegistry.builtIn.feed(named: MealPlanFeed.name) else {
      preconditionFailure("the feed is built in")
    }
    return Stage(name: "decode/agent") {
      let problems = bytes.withUnsafeBytes { feed.problems(of: $0, at: path) }
      precondition(problems.isEmpty, "the session is valid")
    }
  }

  /// The timelines of all kinds of a feed, with few and with many files behind them.
  func project() -> [Stage] {
    Material.feeds.flatMap { name, _ in
      Self.fileCounts.map { fileCount in
        let feeds = feeds(of: name, fileCount: fileCount)
        let kinds = FeedRegistry.builtIn.feed(named: FeedName(name))?.kinds ?? []
        return Stage(name: "project/\(name)/\(fileCount)") {
          let projector = TimelineProjector(feeds: feeds, moment: moment)
          for kind in kinds { Yardstick.sink ^= UInt64(projector.timeline(of: kind).entries.count) }
        }
      }
    }
  }

  /// What one changed file costs between its bytes and the answer whether anything that readers see is different: decoding,
  /// taking it in, computing all kinds that depend on the feed and the day index, encoding and comparing them.
  func change() -> [Stage] {
    Material.feeds.map(\.name).flatMap { name in
      Self.fileCounts.map { fileCount in change(of: name, fileCount: fileCount) }
    } + Self.fileCounts.map { intentCount in changeOfIntents(intentCount) }
  }

  private func change(of name: String, fileCount: Int) -> Stage {
    guard let file = Material.feeds.first(where: { $0.name == name })?.file else {
      preconditionFailure("\(name) is among the material")
    }
    return change(
      "change/\(name)/\(fileCount)", of: FeedName(name), in: feeds(of: name, fileCount: fileCount),
      versions: [file(fileCount), file(fileCount + 1)])
  }

  private func changeOfIntents(_ count: Int) -> Stage {
    let feeds = feeds(of: "tasks", fileCount: 1)
    for number in 0..<count { put(Material.intent(number), "intents/\(number).json", into: feeds, IntentsFeed.name) }
    return change(
      "change/intents/\(count)", of: IntentsFeed.name, in: feeds,
      versions: [Material.intent(count), Material.intent(count + 1)])
  }

  private func change(_ stage: String, of name: FeedName, in feeds: FeedSet, versions: [[UInt8]]) -> Stage {
    let kinds = FeedRegistry.builtIn.kinds.filter { $0.feeds.contains(name) }
    var turn = 0
    return Stage(name: stage) {
      turn += 1
      put(versions[turn % 2], "\(name)/0.json", into: feeds, name)
      let projector = TimelineProjector(feeds: feeds, moment: moment)
      for kind in kinds {
        let document = SnapshotDocument(
          kind: kind, timeline: projector.timeline(of: kind), problems: [], timeZone: "Europe/Helsinki")
        Yardstick.sink ^= UInt64(truncatingIfNeeded: document.encoded().digest)
      }
      Yardstick.sink ^= UInt64(truncatingIfNeeded: DayIndexProjector(feeds: feeds, moment: moment).document().digest)
    }
  }

  /// The whole way of one drop, but for the watch: a session put in place, read, computed, and published under /tmp.
  func whole(in cache: borrowing ScratchCache) throws -> [Stage] {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    let state = try StateDirectory(root: root)
    let store = SnapshotStore(root: root)
    let environment = CacheEnvironment(zones: TimeZones(environment: "UTC"))
    let contents = CacheContents(root: root, environment: environment)
    let writer = SessionWriter(cache: cache.path)
    let versions = [Material.mealPlan(0), Material.mealPlan(1)]
    return [Durability.rename, .flush].flatMap { durability in
      var turn = 0
      let hot = Stage(name: "whole/\(durability.rawValue)") {
        turn += 1
        try writer.write(versions[turn % 2], feed: "meal-plan", name: "a")
        contents.load(CachePath("meal-plan/a.json"), feed: MealPlanFeed.name)
        let now = contents.moment(at: moment.instant)
        let projector = contents.projector
        var documents = projector.kinds.map { kind in
          (name: kind.name.fileName, document: projector.snapshot(of: kind, at: now).encoded())
        }
        documents.append((CacheLayout.dayIndex, projector.dayIndex(at: now)))
        _ = try store.publish(documents, at: now.instant, durability: durability, state: state)
      }
      return [hot, Stage(name: hot.name + "/cold", isCold: true, body: hot.body)]
    }
  }

  /// The first reading of a cache that holds many sessions, a file at a time; every core takes part.
  func start(in cache: borrowing ScratchCache) throws -> Stage {
    let count = 1000
    let writer = SessionWriter(cache: cache.path)
    for number in 0..<count { try writer.write(Material.mealPlan(number), feed: "meal-plan", name: "\(number)") }
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    let environment = CacheEnvironment(zones: TimeZones(environment: "UTC"))
    return Stage(name: "start/1000", count: count) {
      let contents = CacheContents(root: root, environment: environment)
      contents.readEverything(isPatient: false)
      precondition(contents.files.count == count, "every session is there")
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
    guard let file = Material.feeds.first(where: { $0.name == name })?.file else {
      preconditionFailure("\(name) is among the material")
    }
    for number in 0..<fileCount { put(file(number), "\(name)/\(number).json", into: feeds, FeedName(name)) }
    return feeds
  }

  private func put(_ bytes: [UInt8], _ path: String, into feeds: FeedSet, _ name: FeedName) {
    let session = SessionFile(path: CachePath(path), modified: moment.instant)
    let defects = bytes.withUnsafeBytes { feeds.read($0, of: name, from: session, in: calendar) }
    precondition(defects.isEmpty, "\(path) is valid")
  }

  private func mealPlan(_ number: Int) -> SnapshotDocument {
    let feeds = FeedSet()
    let session = SessionFile(path: CachePath("meal-plan/a.json"), modified: moment.instant)
    let defects = Material.mealPlan(number).withUnsafeBytes {
      feeds.read($0, of: MealPlanFeed.name, from: session, in: calendar)
    }
    precondition(defects.isEmpty, "the session is valid")
    let projector = TimelineProjector(feeds: feeds, moment: moment)
    return SnapshotDocument(
      kind: MealPlanFeed.kinds[0], timeline: projector.timeline(of: MealPlanFeed.kinds[0]), problems: [],
      timeZone: "Europe/Helsinki")
  }
}
