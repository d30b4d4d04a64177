import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Glibc

/// Reports the files of a cache that are refused, and those that are right again (contract.md section 6).
///
/// It compares what is refused now with what was refused before, whatever the reason.
struct RefusedReport {
  private let contents: CacheContents
  private let reports: RecurringReport
  /// What every path begins with: nothing, or the cache if the agent serves several.
  private let prefix: String
  private var standing: [CachePath: CacheContents.Refusal] = [:]

  init(_ contents: CacheContents, namesCache: Bool, to reports: RecurringReport) {
    self.contents = contents
    self.reports = reports
    prefix = namesCache ? EscapedText.forPeople(contents.root.path.bytes) + "/" : ""
  }

  mutating func report() {
    let now = contents.refusals.filter { !$0.key.isAbsolute || isReporter }
    if now == standing { return }
    for path in standing.keys.sorted() where now[path] == nil {
      reports.end(subject(path), "\(place(path)) \(end(of: path))")
    }
    for (path, refusal) in now.sorted(by: { $0.key < $1.key }) where standing[path] != refusal {
      let problem = refusal.problem
      reports.begin(
        subject(path), isAnother: standing[path] != nil,
        "\(place(path)):\(problem.line):\(problem.column): \(EscapedText.forPeople(problem.message)); "
          + (refusal.isHeld ? "readers keep the last good one" : "it has no effect"))
    }
    standing = now
  }

  private var isReporter: Bool { contents.environment.shared?.areReported(by: contents.root.path) ?? false }

  /// Names that print alike are different subjects.
  private func subject(_ path: CachePath) -> String { EscapedText.forPrograms(path.bytes) }

  /// The definitions for all caches have absolute paths.
  private func place(_ path: CachePath) -> String { (path.isAbsolute ? "" : prefix) + path.forPeople }

  private func end(of path: CachePath) -> String {
    let place = path.isAbsolute ? path : CachePath(bytes: contents.root.path.bytes).appending(path.bytes)
    var about = stat()
    guard place.withCString({ lstat($0, &about) }) == 0 else { return "is gone" }
    if contents.layout.role(of: path) == .unclaimed { return "is not read any more" }
    let moment = contents.moment(at: contents.environment.clock.now())
    return contents.feeds.noEffect(ofIntentAt: path, at: moment) == nil ? "is right again" : "no longer counts"
  }
}

extension CachePath {
  fileprivate var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }
}
