import CacheSync
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing

/// The real agent while the clock or the system's zone is changed.
@Suite(.serialized) struct TimeFaultTests {
  /// A cache with boundaries of several feeds, in a zone or in that of the agent.
  static func cache(in zone: String? = nil) throws -> CommandCache {
    let cache = try CommandCache([
      "meal-plan/a.json": Sessions.plan(), "tasks/a.json": Sessions.tasks, "health/a.json": Sessions.health,
    ])
    if let zone { try cache.write("cachesync.json", #"{"timeZone":"\#(zone)"}"#) }
    return cache
  }

  static func publications(_ cache: CommandCache) throws -> Int {
    try #require(try cache.status()["counters"]?["publications"]?.int)
  }

  static func snapshot(_ kind: String, of cache: CommandCache) throws -> Snapshot {
    try Snapshot(bytes: Array(try cache.text("snapshots/\(kind).json").utf8))
  }

  /// A zone of whole minutes in which the moment is so many seconds after midnight.
  static func zone(showing secondOfDay: Int64, at second: Int64) -> String {
    var offset = ((secondOfDay - second % 86_400) / 60) % 1440
    if offset > 720 { offset -= 1440 }
    if offset < -720 { offset += 1440 }
    return String(format: "GMT%@%02d:%02d", offset < 0 ? "-" : "+", abs(offset) / 60, abs(offset) % 60)
  }

  /// An agent in front of a midnight, and what a test has read before it.
  struct Eve<Before> {
    var agent: Child
    var midnight: Instant
    var before: Before
  }

  /// Starts an agent in a zone whose midnight is soon, and prepares the test before that midnight. On a busy machine
  /// this may take too long, and then it is done again before a later midnight.
  ///
  /// - Parameters:
  ///   - start: starts an agent with the environment that gives it the zone. `TZ` can name a zone of any seconds.
  ///   - prepare: reads what the test needs. It also runs when it is too late, so it checks nothing that depends on the
  ///     day.
  static func beforeMidnight<Before>(
    _ start: (_ environment: [String: String]) throws -> Child, preparing prepare: (Child) throws -> Before
  ) throws -> Eve<Before> {
    var attempts: [String] = []
    for lead in [5, 20, 60, 240] as [Int64] {
      let midnight = Instant(seconds: Instant.now.seconds + lead + 1)
      let agent = try start(["TZ": posixZone(withMidnightAt: midnight.seconds)])
      let before = try prepare(agent)
      let now = Instant.now
      if now < midnight { return Eve(agent: agent, midnight: midnight, before: before) }
      attempts.append("\(now - midnight) too late after a start \(lead) s before midnight")
      agent.send(SIGTERM)
      agent.send(SIGCONT)
      _ = try agent.outcome()
    }
    throw TookTooLong(attempts: attempts)
  }

  struct TookTooLong: Error { var attempts: [String] }

  /// A zone as a POSIX string, in which a day begins at the moment.
  private static func posixZone(withMidnightAt second: Int64) -> String {
    let secondOfDay = second % 86_400
    // POSIX counts west as positive.
    let west = secondOfDay > 43_200 ? secondOfDay - 86_400 : secondOfDay
    let size = abs(west)
    return String(format: "TST%@%d:%02d:%02d", west < 0 ? "-" : "+", size / 3600, size / 60 % 60, size % 60)
  }

  /// Waits until a moment on the system's clock.
  static func sleep(until moment: Instant) async throws {
    while Instant.now < moment { try await Task.sleep(for: moment - .now) }
  }

  /// Whether an agent published within a second, not counting its waits for a processor. Published times have whole
  /// seconds, so a short wait does not justify another second.
  static func isPrompt(_ late: Duration, after wait: Duration) -> Bool {
    late == .zero || late > .zero && late - wait < .milliseconds(500)
  }

  // MARK: The clock

  /// Whether this process may set the clock. In a container even root may not.
  private static let canSetClock = (try? setClockToItself()) != nil

  /// Sets the clock to the time that it shows. The kernel reports a step, but the time stays the same for every
  /// process.
  private static func setClockToItself() throws {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0, clock_settime(CLOCK_REALTIME, &time) == 0 else {
      throw Errno(rawValue: errno)
    }
  }

  @Test(
    "A step of the clock is noticed within a second, and one that changes nothing publishes nothing",
    .enabled(if: canSetClock, "needs to be allowed to set the clock"))
  func setToItself() throws {
    // No boundary comes due while the test runs.
    let cache = try Self.cache(in: Self.zone(showing: 43_200 + 25 * 60, at: Instant.now.seconds))
    let agent = try cache.agent()
    let generation = try cache.caughtUp()
    let publications = try Self.publications(cache)
    try Self.setClockToItself()
    #expect(holds(by: agent, within: 1) { agent.errors.contains("the system clock was set") })
    #expect(try cache.caughtUp() == generation)
    #expect(try Self.publications(cache) == publications)
    #expect(agent.errors.components(separatedBy: "the system clock was set").count <= 5, "no loop: \(agent.errors)")
  }

  static let faketime = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
  ].first { FileManager.default.fileExists(atPath: $0) }

  static func faketime(_ settings: [String: String]) throws -> [String: String] {
    let library = try #require(faketime)
    let always = ["LD_PRELOAD": library, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"]
    return always.merging(settings) { $1 }
  }

  @Test(
    "After the clock steps two hours or days forward or back, the right day shows within a second, without a loop",
    .enabled(if: canSetClock && faketime != nil, "needs libfaketime and to be allowed to set the clock"))
  func stepped() throws {
    // libfaketime shows the agent another time. The kernel's report of a step is real.
    let folder = try TemporaryFolder()
    let file = folder.path + "/time"
    let step = { (text: String) in try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic) }
    try step("+0")
    let cache = try Self.cache(in: Self.zone(showing: 23 * 3600, at: Instant.now.seconds))
    let agent = try cache.agent(
      environment: try Self.faketime(["FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1"]))
    try cache.caughtUp()
    let start = try #require(try cache.today().flatMap { LocalDay($0) })
    let publications = try Self.publications(cache)
    let steps = [("+2h", 1), ("+0", 0), ("-2d", -2), ("+0", 0), ("+2d", 2), ("-2h", 0), ("+2h", 1)]
    for (index, (text, distance)) in steps.enumerated() {
      try step(text)
      try Self.setClockToItself()
      let day = start.advanced(by: distance).description
      #expect(try holds(by: agent, within: 1) { try cache.today() == day }, "\(text)")
      try cache.caughtUp()
      #expect(try cache.today() == day)
      #expect(try cache.published("meal-plan")["entries"]?[0]?["content"]?["date"] == .string(day))
      // Another process may have set the clock meanwhile. Each step is still one publication.
      #expect(try Self.publications(cache) <= publications + 2 * (index + 1))
    }
    #expect(agent.exitStatus() == nil)
  }

  @Test(
    "If libfaketime replaces every clock, waiting for a file to stop changing takes no longer",
    .enabled(if: faketime != nil, "needs libfaketime"))
  func waitingInAnotherTime() throws {
    // An agent that took the deadline for a wall-clock time would wait for months.
    let cache = try Self.cache(in: "America/New_York")
    var environment = try Self.faketime(["FAKETIME": "@2026-03-08 04:00:00"])
    environment["FAKETIME_DONT_FAKE_MONOTONIC"] = nil
    try cache.write("meal-plan/b.json", "{")
    let outcome = try cache.run("sync", environment: environment)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try cache.published("meal-plan")["problems"]?.array?.count == 1)
    let agent = try cache.agent(environment: environment)
    try cache.write("meal-plan/c.json", "{")
    try cache.caughtUp()
    #expect(try cache.published("meal-plan")["problems"]?.array?.count == 2)
    withExtendedLifetime(agent) {}
  }

  @Test(
    "An agent with libfaketime leaves nothing behind when it is killed",
    .enabled(if: faketime != nil, "needs libfaketime"))
  func nothingIsLeft() throws {
    let cache = try Self.cache(in: "UTC")
    var agent: Child? = try cache.agent(environment: try Self.faketime(["FAKETIME": "+1d"]))
    let files = try ["faketime_shm_", "sem.faketime_sem_"].map { try "/dev/shm/\($0)\(#require(agent).pid)" }
    #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    agent = nil
    #expect(files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
  }

  // MARK: The system's zone

  /// The beginning of a command with its own /etc.
  private static func wrapper(etc: String) -> [String] {
    [
      "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c",
      "mount --bind \"$0\" /etc && unset TZ && exec \"$@\"", etc,
    ]
  }

  private static let canMountAlone: Bool = {
    guard access("/usr/bin/unshare", X_OK) == 0, let folder = try? TemporaryFolder(),
      let outcome = try? Child(["--version"], through: wrapper(etc: folder.path)).outcome()
    else { return false }
    return outcome.status == 0
  }()

  @Test(
    "When /etc/localtime is replaced, the agent uses the new zone within a second, even if it changes twice",
    .enabled(if: canMountAlone, "needs a mount namespace of its own"))
  func localtime() throws {
    // The agent runs in its own mount namespace, with an /etc that no other process sees.
    let folder = try TemporaryFolder()
    let set = { (zone: String) in
      try #require(symlink("/usr/share/zoneinfo/\(zone)", folder.path + "/new") == 0)
      try #require(rename(folder.path + "/new", folder.path + "/localtime") == 0)
    }
    try set("Asia/Tokyo")
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let own = try CommandCache(["meal-plan/a.json": Sessions.plan(), "cachesync.json": #"{"timeZone":"UTC"}"#])
    // The variable is unset, because it would override the system's zone.
    let agent = try Child(
      ["run", "--cache", cache.path, "--cache", own.path], through: Self.wrapper(etc: folder.path))
    try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil })
    try #require(agent.exitStatus() == nil, "\(agent.errors)")
    #expect(try cache.zone() == "Asia/Tokyo")
    let before = try own.text("snapshots/manifest.json")
    for (zone, suffix) in [
      ("Asia/Kolkata", "T18:30:00Z"), ("America/Phoenix", "T07:00:00Z"), ("Asia/Tokyo", "T15:00:00Z"),
    ] {
      let generation = try cache.caughtUp()
      try set(zone)
      #expect(try holds(by: agent, within: 1) { try cache.zone() == zone }, "\(zone)")
      #expect(try cache.caughtUp() == generation + 1, "one publication, no loop")
      #expect(try cache.published("day-index")["today"]?["start"]?.string?.hasSuffix(suffix) == true)
      #expect(try cache.published("meal-plan")["timeZone"]?.string == zone)
    }
    #expect(try own.text("snapshots/manifest.json") == before, "a zone of its own wins over the system's")
  }
}
