package import CacheSync
package import CacheSyncPublishing
import CacheSyncSystem
import Glibc
import Synchronization
import SystemPackage

/// The answer to `status` for one cache (metrics.md).
package struct CacheStatus: Sendable {
  /// A copy of a problem, as it was when the command asked.
  struct Note: Sendable {
    var problem: Problem
    var since: Instant
    var count: Int

    init(_ note: ProblemNote) { (problem, since, count) = (note.problem, note.since, note.count) }

    init(
      _ message: String, _ severity: Problem.Severity = .error, path: CachePath? = nil, since: Instant, count: Int = 1
    ) {
      (problem, self.since, self.count) = (Problem(severity, path: path, message: message), since, count)
    }
  }

  /// The directory that is served; every link on the way to it is resolved.
  var directory: FilePath
  var counters = CacheCounters()
  var generation = 0
  var isHeard = true
  var polled: [CachePath: String] = [:]
  var watchCount = 0
  var nextBoundary: Instant?
  /// The time zone that defines the local days; nil when unknown.
  var timeZone: String?
  var problems: [Note] = []
  /// Why publishing fails; nil when it works.
  var failure: Note?
  var removable: [CachePath] = []
  /// The feeds of which something is shown that is stale by its age.
  var stale: [FeedName] = []
  var leftFiles = LeftFiles()
  var inspection: Inspection?

  /// The inputs of the answer's slow parts, which access the disk in parallel with the agent's work.
  struct Inspection: Sendable {
    var root: CacheRoot
    var state: StateDirectory?
    var layout: CacheLayout
    var writability: Writability
    var clock: any WallClock
  }

  // The slow parts take as long as the disk does, so neither the agent's thread nor the cache's thread calls them.

  /// Returns a copy that includes the result of a test write.
  func withWritability() -> CacheStatus {
    guard let inspection, failure == nil else { return self }
    var status = self
    status.failure = inspection.writability.obstacle(in: inspection.root, inspection.state, at: inspection.clock.now())
    return status
  }

  /// Returns a copy that includes the unclaimed and ignored files, which requires a walk through the whole cache.
  func withLeftFiles() -> CacheStatus {
    guard let inspection else { return self }
    var status = self
    status.leftFiles = LeftFiles(in: inspection.root, inspection.layout)
    return status
  }

  private func notes(_ totals: ProcessTotals) -> [Note] {
    let warning = totals.zoneWarning.map { Note($0, .warning, since: totals.startedAt) }
    return [failure, warning].compactMap(\.self) + problems
  }

  /// The answer as one line of JSON.
  func encoded(_ totals: ProcessTotals) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("alive", true)
      json.object("counters") { json in
        json.member("batches", counters.batches)
        json.member("events", totals.events)
        json.member("overflows", totals.overflows)
        json.member("publications", counters.publications)
        json.member("rejected", counters.rejected)
        json.member("rescans", counters.rescans)
        json.member("retries", counters.retries)
      }
      json.member("directory", EscapedText.forPrograms(directory.bytes))
      json.member("generation", generation)
      json.member("hearing", isHeard || failure != nil)
      json.objects("ignored", leftFiles.ignored) { json, file in
        json.member("path", file.path.description)
        json.member("reason", file.reason)
      }
      json.member("lastPublication", counters.lastPublication)
      json.member("mode", polled.isEmpty ? "inotify" : watchCount == 0 ? "polling" : "mixed")
      json.member("nextBoundary", nextBoundary)
      json.member("pid", Int(getpid()))
      json.objects("polled", polled.sorted(by: { $0.key < $1.key })) { json, row in
        let (path, reason) = row
        json.member("path", path.isRoot ? "." : path.description)
        json.member("reason", reason)
      }
      json.array("problems") { json in for note in notes(totals) { json.problem(note) } }
      json.durations(counters.durations)
      json.member("removable", removable.map(\.description))
      json.member("stale", stale.map(\.description))
      json.member("startedAt", totals.startedAt)
      json.member("timeZone", timeZone)
      json.member("unclaimed", leftFiles.unclaimed.map(\.description))
      json.member("version", CacheSyncVersion.current)
      json.member("watches", watchCount)
      json.member("writable", failure == nil)
    }
    return json.bytes
  }
}

extension CacheStatus {
  /// Creates the answer for a cache whose disk does not respond, from what the agent knows without the disk.
  init(of directory: FilePath, silentSince instant: Instant, report: CacheReport) {
    self.init(directory: directory)
    counters = report.counters
    generation = report.generation
    nextBoundary = report.nextBoundary
    failure = Note(
      "disk not responding: existing snapshots are intact, and nothing is published until it responds",
      since: instant)
  }

  /// The members of an answer that no agent gave.
  package static var unknown: TextMap<JSONValue> {
    let answer = CacheStatus(directory: FilePath()).encoded(ProcessTotals(startedAt: .referenceDate))
    var members = JSONValue(answer)?.object ?? [:]
    for name in ["directory", "startedAt", "version"] { members[name] = .null }
    members["writable"] = .bool(false)
    return members
  }
}

/// Tests whether a publication would fail now, by writing a file that no reader sees.
final class Writability: Sendable {
  /// Why a publication would fail, since when, and how many consecutive tests failed.
  private let known = Mutex<CacheStatus.Note?>(nil)

  func obstacle(in root: CacheRoot, _ state: StateDirectory?, at instant: Instant) -> CacheStatus.Note? {
    let message = state.flatMap { state in
      PublishError.caught { () throws(PublishError) in try OutputDirectory.tryWriting(in: root, or: state.raw) }
    }?.message(in: root.path)
    return known.withLock { known in
      guard let message else {
        known = nil
        return nil
      }
      var note = known ?? CacheStatus.Note(message, since: instant, count: 0)
      note.problem = Problem(path: nil, message: message)
      note.count += 1
      known = note
      return note
    }
  }
}

extension JSONWriter {
  /// The member `publicationSeconds`.
  package mutating func durations(_ durations: PublicationDurations) {
    object("publicationSeconds") { json in
      json.objects("buckets", durations.cumulative) { json, row in
        let (bound, count) = row
        json.member("count", count)
        json.member("le", bound)
      }
      json.member("count", durations.count)
      json.member("sum", durations.seconds)
    }
  }

  /// Writes a problem as `status` prints it.
  fileprivate mutating func problem(_ note: CacheStatus.Note) {
    object { json in
      json.member("column", note.problem.column)
      json.member("count", note.count)
      json.member("line", note.problem.line)
      json.member("message", note.problem.message)
      json.member("path", note.problem.path?.description)
      json.member("pointer", note.problem.pointer)
      json.member("severity", note.problem.severity.rawValue)
      json.member("since", note.since)
    }
  }
}
