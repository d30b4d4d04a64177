import ArgumentParser
import CacheSync
import CacheSyncAgent
import SystemPackage

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Tell whether the agent is alive, hears changes and can write, and what is wrong.",
    discussion: """
      Exit status 66: no such cache. 69: no agent holds the cache. 70: it runs but does not hear. 77: not permitted.
      """)

  @OptionGroup var caches: CachesOptions
  @OptionGroup(visibility: .hidden) var settings: SettingsOptions
  @OptionGroup(visibility: .hidden) var publishing: PublishingOptions
  @OptionGroup(visibility: .hidden) var logging: LoggingOptions

  @Flag(name: .long, help: "JSON, for programs; with several caches an array.")
  var json = false

  func run() throws {
    try reporting {
      var status = ExitStatus.success
      var reports: [StatusReport] = []
      for path in try caches.all() {
        do {
          let report = try StatusReport.ask(path)
          status = max(status, report.status)
          reports.append(report)
        } catch {
          let failure = Failure(error)
          Terminal.error(failure.description)
          status = max(status, failure.status)
          // An answer about several caches has an object for each, also for one that does not exist.
          if json, !caches.isSingle { reports.append(StatusReport(path: path, isMissing: true)) }
        }
      }
      if json { printJSON(reports) } else { for report in reports { printText(report) } }
      for report in reports {
        if report.status == .unavailable, !report.isMissing {
          Terminal.error(AgentConnection.noAgent(report.path).description)
        }
        if report.status == .deaf {
          Terminal.error("the agent runs but does not hear changes: restart it, and see its messages for why")
        }
      }
      return status
    }
  }

  private func printJSON(_ reports: [StatusReport]) {
    if caches.isSingle {
      if let report = reports.first { Terminal.line(report.encoded(withCache: false)) }
      return
    }
    var writer = JSONWriter()
    writer.array { json in for report in reports { json.encoded(report.encoded(withCache: true)) } }
    Terminal.line(writer.bytes)
  }

  private func printText(_ report: StatusReport) {
    Terminal.line("cache        \(EscapedText.forPeople(report.path.bytes))")
    guard report.isAlive else { return Terminal.line("agent        none") }
    Terminal.line("agent        pid \(report.pid), \(report.isHearing ? "hears changes" : "DOES NOT HEAR CHANGES")")
    guard let value = report.value else { return }
    Terminal.line("writable     \(value["writable"]?.bool == true ? "yes" : "NO")")
    Terminal.line("generation   \(value["generation"]?.int ?? 0)")
    Terminal.line("watching     \(value["mode"]?.string ?? ""), \(value["watches"]?.int ?? 0) directories")
    Terminal.line("next change  \(nextChange(report))")
    let counters = value["counters"]?.object ?? [:]
    let texts = counters.sorted { $0.key < $1.key }.map { "\($0.value.int ?? 0) \($0.key)" }
    Terminal.line("so far       \(texts.joined(separator: ", "))")
    for polled in value["polled"]?.array ?? [] {
      Terminal.line("polled       \(text(polled["path"])): \(text(polled["reason"]))")
    }
    for problem in value["problems"]?.array ?? [] {
      let pointer = text(problem["pointer"])
      Terminal.line(
        "problem      \(place(problem))\(text(problem["message"]))\(pointer.isEmpty ? "" : " [\(pointer)]"), "
          + "since \(text(problem["since"]))")
    }
    for path in value["unclaimed"]?.array ?? [] { Terminal.line("unclaimed    \(text(path)): no feed reads it here") }
    for path in value["removable"]?.array ?? [] {
      Terminal.line("removable    \(text(path)): it has no effect any more")
    }
  }

  /// `path:line:column: `; nothing for what concerns no file, such as a full disk.
  private func place(_ problem: JSONValue) -> String {
    guard let path = problem["path"]?.string else { return "" }
    return "\(EscapedText.forPeople(path)):\(problem["line"]?.int ?? 1):\(problem["column"]?.int ?? 1): "
  }

  /// In UTC and, as `next` has it, in local time; the zone is the one that readers see.
  private func nextChange(_ report: StatusReport) -> String {
    guard let date = report.value?["nextBoundary"]?.instant else { return "none by time" }
    guard let zone = try? SnapshotReader(cache: report.path).dayIndex()["timeZone"]?.string,
      let rules = try? TimeZones(environment: nil).rules(named: zone)
    else { return "\(date)" }
    return "\(date)  \(Terminal.localTime(date, CivilCalendar(rules)))"
  }

  private func text(_ value: JSONValue?) -> String { EscapedText.forPeople(value?.string ?? "-") }
}

/// What an agent answered, or what is known of one that did not answer.
struct StatusReport {
  var path: FilePath
  /// Whether there is no such directory; the command has reported that already.
  var isMissing = false
  var isAlive = false
  var isHearing = false
  var pid = 0
  var value: JSONValue?

  /// How long the round trip through the watched directory may take (CONTRACT section 7).
  private static let replyTimeout = Duration.seconds(5)

  var status: ExitStatus { !isAlive ? .unavailable : isHearing ? .success : .deaf }

  static func ask(_ path: FilePath) throws -> StatusReport {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    var report = StatusReport(path: path)
    guard let client = ControlClient(root: root) else { return report }
    report.isAlive = true
    report.pid = client.pid
    // An agent that hangs accepts the connection and sends no answer: it is alive and does not hear.
    guard case .line(let bytes) = client.ask("status", timeout: replyTimeout) else { return report }
    report.value = bytes.withUnsafeBytes { JSONValue.parse($0) }
    report.isHearing = report.value?["hearing"]?.bool ?? false
    return report
  }

  /// All members of CONTRACT section 7, also those that a silent agent does not tell.
  func encoded(withCache: Bool) -> [UInt8] {
    var members = value?.object ?? Self.unknown
    members["alive"] = .bool(isAlive)
    members["hearing"] = .bool(isHearing)
    members["pid"] = isAlive ? .integer(pid) : .null
    if withCache { members["cache"] = .string(EscapedText.forPrograms(path.bytes)) }
    var writer = JSONWriter()
    writer.value(.object(members))
    return writer.bytes
  }

  private static let unknown: [String: JSONValue] = [
    "counters": .object(
      Dictionary(
        uniqueKeysWithValues: ["batches", "events", "overflows", "publications", "rejected", "rescans", "retries"].map {
          ($0, .integer(0))
        })),
    "generation": .integer(0), "mode": .string("inotify"), "nextBoundary": .null, "polled": .array([]),
    "problems": .array([]), "removable": .array([]), "unclaimed": .array([]), "watches": .integer(0),
    "writable": .bool(false),
  ]
}
