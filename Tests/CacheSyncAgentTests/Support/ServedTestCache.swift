import CacheSync
@testable import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import SystemPackage
import Testing
import TestSupport

/// A cache that is served as in an agent. It makes a pass only when a test asks for one, with a clock that the test
/// sets. The events are the kernel's.
final class ServedTestCache {
  let cache: TemporaryCache
  let clock = ManualClock()
  let journal = Journal()
  let served: ServedCache

  /// - Parameter files: the files that exist when the cache is first read.
  init(
    _ files: [String: String] = [:], in existing: TemporaryCache? = nil, freed: FreedMemory = FreedMemory(),
    zones: TimeZones = TimeZones(environment: "UTC")
  ) throws {
    cache = try existing ?? TemporaryCache()
    for (name, text) in files { try cache.write(name, text) }
    // The wall clock stands still, so every file that a test writes counts as just written.
    let environment = CacheEnvironment(
      clock: FixedClock(instant: SystemWallClock().now()), uptime: clock, zones: zones)
    let host = CacheHost(
      hasNews: {}, answer: { _, _ in }, budget: DescriptorBudget(limit: 1024, openCount: 0), freed: freed)
    served = ServedCache(
      ServedCache.Configuration(
        path: try CacheRoot.resolve(cache.path), environment: environment, logger: journal.logger, host: host),
      pool: WorkerPool())
    try served.attach(isStart: true)
    served.process()
  }

  deinit { served.shutDown() }

  /// Puts a file in place by a rename, as producers do. The kernel reports the rename before it returns. The close of a
  /// file that is written in place may be reported late: while another test starts a process, that process has the file
  /// open too until it runs its program.
  func drop(_ name: String, _ text: String) throws {
    let file = cache.file(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let temporary = file.deletingLastPathComponent().appendingPathComponent(".new")
    try Data(text.utf8).write(to: temporary)
    guard rename(temporary.path, file.path) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Makes a pass: the cache processes all events that the kernel has queued, and everything that is due.
  func pass() {
    _ = InotifyWatcher.drainAndCountOverflows()
    served.process()
  }

  func pass(after duration: Duration) {
    clock.advance(by: duration)
    pass()
  }

  var report: CacheReport { served.report }

  /// How long until a pass is due, if no event arrives.
  var untilDeadline: Duration? { report.nextDeadline.map { until($0) } }

  func until(_ uptime: Uptime) -> Duration {
    .nanoseconds(uptime.nanoseconds - clock.now().nanoseconds)
  }

  /// Makes the pass that saves last good versions, a second after a publication. That changes the next deadline.
  func saveLastGood() { pass(after: .seconds(1)) }

  /// The tasks that readers see.
  func titles() throws -> [String] {
    let snapshot = try SnapshotReader(cache: cache.path).snapshot("todays-tasks")
    return (snapshot.entries[0].content["tasks"]?.array ?? []).compactMap { $0["title"]?.string }
  }

  func problems(of kind: String = "todays-tasks") throws -> Int {
    try SnapshotReader(cache: cache.path).snapshot(kind).problems.count
  }

  static func task(_ title: String) -> String {
    #"{"tasks":[{"id":1,"title":"\#(title)","completed":false,"createdAt":"2026-11-01T00:00:00Z"}],"#
      + #""lastUpdate":"2026-11-21T10:00:00Z"}"#
  }
}
