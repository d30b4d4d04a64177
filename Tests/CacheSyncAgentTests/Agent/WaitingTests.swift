import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Glibc
import Synchronization
import Testing
import TestSupport

/// How long a cache waits, by a clock that the test sets: each thing happens when it is due and not a nanosecond
/// earlier.
@Suite("Waiting times of a served cache")
struct WaitingTests {
  private static let instant = Duration.nanoseconds(1)

  private func link(_ served: ServedTestCache, _ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: served.cache.file(name).path, withDestinationPath: target)
  }

  /// A name that is too long for the system is an error for every user, even root: ENAMETOOLONG.
  private static let unreadable = String(repeating: "n", count: 300)

  /// Changes an output in place, for which the agent does not listen.
  private func damage(_ served: ServedTestCache) throws { try served.cache.write(Self.output, "damaged") }

  private func isDamaged(_ served: ServedTestCache) throws -> Bool { try served.cache.text(Self.output) == "damaged" }

  private static let output = "snapshots/todays-tasks.json"

  // MARK: Sweeping

  @Test("A sweep every 15 minutes finds a write through mapped memory, which causes no event")
  func sweepOfSessions() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("before")])
    let file = open(served.cache.file("tasks/a.json").path, O_RDWR | O_CLOEXEC)
    try #require(file >= 0)
    let text = Array(ServedTestCache.task("beforE").utf8)
    let memory = try #require(mmap(nil, text.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
    defer { munmap(memory, text.count) }
    // This write is the only event.
    close(file)
    served.pass()
    served.saveLastGood()
    memory.copyMemory(from: text, byteCount: text.count)
    #expect(msync(memory, text.count, MS_SYNC) == 0)
    #expect(served.untilDeadline == .seconds(899), "900 s after the start, of which one is over")
    served.pass(after: .seconds(899) - Self.instant)
    #expect(try served.titles() == ["before"])
    served.pass(after: Self.instant)
    #expect(try served.titles() == ["beforE"])
    served.saveLastGood()
    #expect(served.untilDeadline == .seconds(899), "the next one")
  }

  @Test(
    "A sweep comes as often as the settings say, from the moment that they are saved",
    arguments: [("PT1M", 60), ("PT90S", 90), ("PT1H", 3600), ("PT59S", 900), ("PT61M", 900)])
  func sweepBySettings(text: String, seconds: Int) throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    served.saveLastGood()
    // 10 s after the start, of which saveLastGood took one.
    served.pass(after: .seconds(9))
    try served.drop("cachesync.json", #"{"sweep":"\#(text)"}"#)
    served.pass()
    served.saveLastGood()
    #expect(served.untilDeadline == .seconds(seconds - 11), "counted from the last sweep, here the start")
    try damage(served)
    served.pass(after: .seconds(seconds - 11) - Self.instant)
    #expect(try isDamaged(served))
    served.pass(after: Self.instant)
    #expect(try served.titles() == ["a"])
  }

  @Test("A sweep that the settings make overdue comes at once")
  func overdueSweep() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    served.saveLastGood()
    served.pass(after: .seconds(600))
    try damage(served)
    try served.drop("cachesync.json", #"{"sweep":"PT1M"}"#)
    served.pass()
    #expect(try served.titles() == ["a"])
  }

  @Test("A sweep every 15 minutes restores an output that was changed in place")
  func sweepOfOutputs() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    served.saveLastGood()
    try damage(served)
    served.pass(after: .seconds(899) - Self.instant)
    #expect(try isDamaged(served))
    served.pass(after: Self.instant)
    #expect(try served.titles() == ["a"])
  }

  // MARK: Retrying

  @Test("An unreadable file is retried after 5 s, doubling to 5 minutes, and logged at first and once an hour")
  func unreadableFile() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    served.saveLastGood()
    try link(served, "tasks/b.json", to: Self.unreadable)
    served.pass()
    #expect(served.journal.count(of: "tasks/b.json") == 0, "it may be in the middle of being written")
    served.pass(after: CacheContents.stillness)
    #expect(served.journal.count(of: "tasks/b.json") == 1)
    // One second after the publication that has the problem, the last good versions are saved.
    served.saveLastGood()
    #expect(served.untilDeadline == .seconds(4), "5 s after it was found unreadable")
    var rest = Duration.seconds(4)
    for seconds in [10, 20, 40, 80, 160, 300] as [Int64] {
      served.pass(after: rest - Self.instant)
      #expect(served.untilDeadline == Self.instant, "nothing happened before it was due")
      served.pass(after: Self.instant)
      rest = .seconds(seconds)
      #expect(served.untilDeadline == rest)
    }
    #expect(served.journal.count(of: "tasks/b.json") == 1, "once, not with every try")
    // 5 + 10 + 20 + 40 + 80 + 160 s of the hour have passed.
    served.pass(after: .seconds(3600 - 315) - Self.instant)
    #expect(served.journal.count(of: "tasks/b.json") == 1)
    served.pass(after: Self.instant)
    #expect(served.journal.count(of: "tasks/b.json") == 2)
    try served.cache.remove("tasks/b.json")
    served.pass()
    served.pass(after: CacheContents.stillness)
    #expect(served.journal.count(of: "tasks/b.json") == 3)
    #expect(served.journal.lines.last?.contains("is no longer unreadable") == true)
    #expect(try served.problems() == 0)
  }

  @Test(
    "A failed publication is retried after 1 s, doubling to 10 s, and logged at first, once an hour, and at the end")
  func failedPublication() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("old")])
    served.saveLastGood()
    let (outputs, aside) = (served.cache.file("snapshots"), served.cache.file("aside"))
    try FileManager.default.moveItem(at: outputs, to: aside)
    try link(served, "snapshots", to: "aside")
    try served.drop("tasks/a.json", ServedTestCache.task("new"))
    served.pass()
    let publisher = try #require(served.served.open).publisher
    for seconds in [1, 2, 4, 8, 10, 10, 10] as [Int64] {
      #expect(served.report.nextBoundary == nil, "no boundary is of use before")
      #expect(publisher.retryDue.map(served.until) == .seconds(seconds))
      served.pass(after: .seconds(seconds) - Self.instant)
      #expect(served.untilDeadline == Self.instant)
      served.pass(after: Self.instant)
    }
    #expect(served.journal.count(of: "retries until it works") == 1, "once, not with every try")
    // 45 s have passed so far.
    served.pass(after: .seconds(3600 - 45) - Self.instant)
    #expect(served.journal.count(of: "retries until it works") == 1)
    served.pass(after: .seconds(10))
    #expect(served.journal.count(of: "retries until it works") == 2)
    try FileManager.default.removeItem(at: outputs)
    try FileManager.default.moveItem(at: aside, to: outputs)
    served.pass(after: .seconds(10) - Self.instant)
    #expect(try served.titles() == ["old"])
    served.pass(after: Self.instant)
    #expect(try served.titles() == ["new"])
    #expect(served.journal.lines.last?.contains("works again") == true)
    #expect(served.report.nextBoundary != nil)
  }

  @Test("A directory that cannot be watched is polled every 2 s")
  func polling() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("old")])
    served.saveLastGood()
    let serving = try #require(served.served.open)
    serving.watcher.poll(CachePath("tasks"), because: "a test says so")
    served.pass()
    #expect(served.untilDeadline == .seconds(2))
    #expect(served.journal.count(of: "every 2 s: a test says so") == 1)
    try served.drop("tasks/a.json", ServedTestCache.task("new"))
    served.pass(after: .seconds(2) - Self.instant)
    #expect(try served.titles() == ["old"])
    served.pass(after: Self.instant)
    #expect(try served.titles() == ["new"])
    #expect(serving.watcher.polled.isEmpty, "it is watched again")
  }

  // MARK: Bad and missing files

  @Test("A file that does not parse becomes a problem 250 ms after its last event")
  func badFile() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("good")])
    served.saveLastGood()
    try served.drop("tasks/a.json", "{")
    served.pass()
    #expect(served.untilDeadline == .milliseconds(250))
    served.pass(after: .milliseconds(250) - Self.instant)
    #expect(try served.problems() == 0)
    try served.drop("tasks/a.json", "{ ")
    served.pass()
    #expect(served.untilDeadline == .milliseconds(250), "it was written again")
    served.pass(after: .milliseconds(250))
    #expect(try served.problems() == 1)
    #expect(try served.titles() == ["good"])
  }

  @Test("A deleted file counts as missing after 250 ms, a moved one immediately")
  func absence() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    served.saveLastGood()
    try served.cache.remove("tasks/a.json")
    served.pass()
    #expect(served.untilDeadline == .milliseconds(250))
    served.pass(after: .milliseconds(250) - Self.instant)
    #expect(try served.titles() == ["a"])
    served.pass(after: Self.instant)
    #expect(try served.titles() == [])
    try served.drop("tasks/b.json", ServedTestCache.task("b"))
    served.pass()
    try FileManager.default.moveItem(at: served.cache.file("tasks/b.json"), to: served.cache.file("tasks/c.json"))
    served.pass()
    let contents = try #require(served.served.open).contents
    #expect(contents.files.paths.map(\.description) == ["tasks/c.json"] && contents.waits.isEmpty)
  }

  // MARK: Removed directories

  @Test("If .cachesync was removed, the agent pauses for 2 s, because the cache is probably being deleted")
  func pauseAfterDeletion() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    try served.cache.remove(".cachesync")
    served.pass()
    #expect(!served.report.isServing && served.untilDeadline == .seconds(2))
    served.pass(after: .seconds(2) - Self.instant)
    #expect(!served.report.isServing && !served.cache.exists(".cachesync"))
    served.pass(after: Self.instant)
    #expect(served.report.isServing && served.cache.exists(".cachesync"))
  }

  @Test("If another directory replaces one whose .cachesync was removed, the agent serves it without a pause")
  func noPauseForAnotherDirectory() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    let generation = served.report.generation
    try served.cache.remove(".cachesync")
    served.pass()
    #expect(!served.report.isServing)
    let away = served.cache.url.appendingPathExtension("away")
    try FileManager.default.moveItem(at: served.cache.url, to: away)
    defer { try? FileManager.default.removeItem(at: away) }
    try served.drop("tasks/a.json", ServedTestCache.task("another"))
    served.pass()
    #expect(served.report.isServing)
    #expect(try served.titles() == ["another"])
    #expect(served.report.generation > generation)
  }

  @Test("Last good versions are saved after a second, without creating a file that could block a deletion")
  func savingCreatesNothing() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    // rm -r lists the directory, deletes what it listed, and then the directory.
    let listed = try served.cache.names(in: ".cachesync")
    #expect(listed.contains("lock"))
    served.saveLastGood()
    #expect(try served.cache.names(in: ".cachesync") == listed)
    // They are saved: the next deadline is the sweep's.
    #expect(served.untilDeadline == .seconds(899))
  }

  @Test("If the file of the last good versions was deleted, it is written again after half a second")
  func deletedLastGood() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    // The lock and the manifest still exist, as they may in the middle of rm -r.
    try served.cache.remove(".cachesync/sessions")
    served.saveLastGood()
    #expect(served.untilDeadline == .milliseconds(500))
    served.pass(after: .milliseconds(500) - Self.instant)
    #expect(!served.cache.exists(".cachesync/sessions"))
    served.pass(after: Self.instant)
    // The new log replaces the old one once it is on disk. Another thread waits for the disk.
    for _ in 0..<10_000 where !served.cache.exists(".cachesync/sessions") {
      usleep(1000)
      served.pass(after: .milliseconds(100))
    }
    #expect(served.journal.count(of: "was changed by another program") == 1)
    served.pass(after: .seconds(1))
    #expect(try served.cache.text(".cachesync/sessions").contains("tasks/a.json"))
  }

  // MARK: Publishing

  @Test("Publications are 10 ms apart, and last good versions are saved after a second")
  func paceAndSaving() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    served.saveLastGood()
    let before = try served.cache.text(".cachesync/sessions")
    try served.drop("tasks/a.json", ServedTestCache.task("b"))
    served.pass()
    #expect(try served.titles() == ["b"])
    #expect(served.report.restsUntil.map(served.until) == .milliseconds(10))
    #expect(served.untilDeadline == .seconds(1))
    served.pass(after: .seconds(1) - Self.instant)
    #expect(try served.cache.text(".cachesync/sessions") == before)
    served.pass(after: Self.instant)
    #expect(try served.cache.text(".cachesync/sessions") != before)
    #expect(served.untilDeadline == .seconds(898), "nothing is left but the sweep")
  }

  // MARK: Replies

  /// The reply to a `wait` request, once it arrives.
  private func wait(_ served: ServedTestCache) -> Journal {
    let replies = Journal()
    served.served.wait(1, sweeping: false, reportsFailure: false) {
      replies.add("\(String(decoding: $0, as: UTF8.self))")
    }
    return replies
  }

  private func reply(of served: ServedTestCache) -> String { "{\"generation\":\(served.report.generation)}" }

  @Test("A `wait` is answered after the first publication that contains the drop, even if others follow immediately")
  func repliesAmongPublications() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("old")])
    for round in 1...20 {
      try served.drop("tasks/a.json", ServedTestCache.task("\(round)"))
      _ = InotifyWatcher.drainAndCountOverflows()
      let before = served.report.generation
      let replies = wait(served)
      #expect(try served.titles() == ["\(round)"] && served.report.generation == before + 1)
      #expect(replies.lines == [reply(of: served)])
      // The next round begins as soon as the pace allows.
      served.clock.advance(by: .milliseconds(10))
    }
  }

  @Test("A `wait` for a bad file is answered when the file has not changed for 250 ms, even between publications")
  func repliesAboutBadFileAmongPublications() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("old")])
    try served.drop("tasks/b.json", "{")
    _ = InotifyWatcher.drainAndCountOverflows()
    let replies = wait(served)
    for round in 1...25 {
      #expect(try replies.lines.isEmpty && served.problems() == 0)
      try served.drop("tasks/a.json", ServedTestCache.task("\(round)"))
      let before = served.report.generation
      served.pass(after: .milliseconds(10))
      #expect(served.report.generation == before + 1)
    }
    #expect(try served.problems() == 1)
    #expect(replies.lines == [reply(of: served)])
  }

  @Test("A `wait` for a dangling link takes as long as for a bad file, although every pass checks the link again")
  func repliesAboutLinkAmongPublications() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("old")])
    #expect(symlink("nothing", served.cache.file("tasks/b.json").path) == 0)
    _ = InotifyWatcher.drainAndCountOverflows()
    let replies = wait(served)
    for round in 1...24 {
      #expect(try replies.lines.isEmpty && served.problems() == 0)
      try served.drop("tasks/a.json", ServedTestCache.task("\(round)"))
      served.pass(after: .milliseconds(10))
    }
    served.pass(after: .milliseconds(10))
    #expect(try served.problems() == 1)
    #expect(replies.lines == [reply(of: served)])
  }

  @Test("A `wait` for a bad file whose writer still has it open covers what was written without an event")
  func repliesAboutOpenFile() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a")])
    let writer = open(served.cache.file("tasks/b.json").path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(writer >= 0)
    defer { close(writer) }
    served.pass()
    served.clock.advance(by: .milliseconds(100))
    // The kernel would report only the close.
    #expect(write(writer, "{", 1) == 1)
    let replies = wait(served)
    served.pass(after: .milliseconds(150))
    #expect(try replies.lines.isEmpty && served.problems() == 0, "the wait for the empty file would have ended here")
    served.pass(after: .milliseconds(100) - Self.instant)
    #expect(replies.lines.isEmpty)
    served.pass(after: Self.instant)
    #expect(try served.problems() == 1)
    #expect(replies.lines == [reply(of: served)])
  }

  // MARK: Dropped events

  @Test("During a storm of dropped events, rescans are delayed, and a `wait` is answered only after a rescan")
  func droppedEvents() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("old")])
    served.saveLastGood()
    let watcher = try #require(served.served.open).watcher
    func dropEvents() { LoopActor.performAndWait { watcher.overflowed() } }
    dropEvents()
    served.pass()
    #expect(served.journal.count(of: "dropped events") == 1, "the first rescan is at once")
    served.saveLastGood()
    dropEvents()
    served.pass()
    // The kernel dropped this file's event, so only a rescan finds it.
    try served.drop("tasks/a.json", ServedTestCache.task("new"))
    _ = InotifyWatcher.drainAndCountOverflows()
    _ = watcher.claimNews()
    dropEvents()
    let replies = wait(served)
    #expect(replies.lines.isEmpty, "the rescan is not due yet")
    served.pass(after: try #require(served.untilDeadline))
    #expect(try served.titles() == ["new"])
    #expect(replies.lines.count == 1)
  }

  @Test("Deleting a file that the agent is still waiting for withdraws its last good version")
  func withdrawnBeforeJudged() throws {
    let cache = try TemporaryCache()
    try cache.write("meal-plan/a.json", MealPlanFixture.session(id: "good"))
    try cache.sync()
    try cache.write("meal-plan/a.json", "{ broken")
    let test = try ServedTestCache(in: cache)
    try cache.remove("meal-plan/a.json")
    test.pass()
    test.pass(after: CacheContents.stillness)
    test.served.shutDown()
    try cache.write("meal-plan/a.json", "{ broken")
    let contents = try OneShot.contents(of: cache.path, environment: cache.laterEnvironment)
    let kind = try #require(FeedRegistry.builtIn.kind(named: "meal-plan"))
    let instant = try #require(Instant("2026-11-21T12:00:00Z"))
    let document = contents.projector.snapshot(of: kind, at: contents.moment(at: instant)).encoded()
    let snapshot = try Snapshot(bytes: document.bytes(generation: 1, publishedAt: instant))
    #expect(snapshot.entries[0].content["session"]?.string == nil)
  }
}
