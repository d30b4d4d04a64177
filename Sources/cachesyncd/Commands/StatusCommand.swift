import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print whether the agent is alive, receives file events and can write, and what is wrong.",
    discussion: """
      \(HelpText.examples(
        "cachesyncd status", "cachesyncd status --check", "cachesyncd status --json | jq .problems",
        "cachesyncd status --prometheus >cachesync.prom.new; mv cachesync.prom.new cachesync.prom"))

      \(ExitStatus.help(
        (.needsMending, "with --check: there is something to mend"),
        (.noInput, "the cache is missing"),
        (.unavailable, "no agent holds the cache, or a bridge does"),
        (.withoutEvents, "the agent is running but receives no file events"),
        (.noPermission, "permission denied")))
      """)

  @OptionGroup var caches: CachesOptions

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Print a line for each thing to mend, and nothing if there is none. With --json or --prometheus it only sets the"
        + " exit status."))
  var check = false

  @Flag(name: .long, help: "Print JSON; an array for several caches.")
  var json = false

  @Flag(
    name: .long,
    help: "Print metrics in the text format of Prometheus, for the textfile collector of node_exporter.")
  var prometheus = false

  func validate() throws {
    if json, prometheus { throw ValidationError("--json and --prometheus are two formats: choose one") }
  }

  func run() throws {
    try reporting {
      var status = ExitStatus.success
      var reports: [StatusReport] = []
      for path in try caches.all() {
        do {
          let report = try StatusReport.ask(path)
          status = max(status, report.status, check && report.needsMending ? .needsMending : .success)
          reports.append(report)
        } catch {
          let failure = Failure(error)
          Terminal.error(failure.description)
          status = max(status, failure.status)
          // An answer about several caches has an object for each, including one that does not exist. In metrics, only
          // a missing cache is reported as having no agent: about one that this user may not access, nothing is known.
          if prometheus ? failure.status == .noInput : json && !caches.isSingle {
            reports.append(StatusReport(path: path, isMissing: true))
          }
        }
      }
      print(reports)
      for report in reports {
        if report.status == .unavailable, !report.isMissing {
          Terminal.error(AgentConnection.noAgent(report.path, besides: report.holder).description)
        }
        if report.status == .withoutEvents {
          for line in deafness(of: report.path) { Terminal.error(line) }
        }
      }
      return status
    }
  }

  /// Returns a separate line for each command, so that it can be pasted.
  private func deafness(of path: FilePath) -> [String] {
    let what = "the agent is running but receives no file events:"
    guard let service = ServiceUnits(serving: path) else {
      return ["\(what) see its messages for the reason, and restart it"]
    }
    return ["\(what) restart it with \(service.restart)", "its messages have the reason: \(service.messages)"]
  }

  private func print(_ reports: [StatusReport]) {
    if json { return printJSON(reports) }
    if prometheus { return Terminal.write(Array(StatusMetrics.text(of: reports.map(\.metrics)).utf8)) }
    for report in reports { if check { printWhatToMend(report) } else { printText(report) } }
  }

  /// Prints a line for each problem, in the form of `check`. If there are several caches, each line begins with its own.
  private func printWhatToMend(_ report: StatusReport) {
    let cache = caches.isSingle ? nil : EscapedText.forPeople(report.path.bytes)
    for problem in report.problems {
      let place = place(problem)
      let isInCache = !place.isEmpty && !place.hasPrefix("/")
      Terminal.line(
        "\(cache.map { isInCache ? "\($0)/" : "\($0): " } ?? "")\(place)\(text(problem["severity"])): \(message(problem))"
      )
    }
    for feed in report.staleFeeds {
      Terminal.line(
        "\(cache.map { "\($0): " } ?? "")error: the feed \(feed) is stale, older than its staleAfter:"
          + " look whether the app that writes it still runs")
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
    Terminal.line(
      "agent        pid \(report.pid), \(report.isHearing ? "receives file events" : "RECEIVES NO FILE EVENTS")")
    if let user = ServiceUnits.userOfSession(ofProcess: report.pid) {
      let name = EscapedText.forPeople(user)
      let command = "loginctl enable-linger \(ShellWord.quoted(user.utf8))"
      Terminal.line("session      the agent ends with the last session of \(name); to keep it: \(command)")
    }
    guard let value = report.value else { return }
    // The path may lead through links, or be relative.
    if let directory = value["directory"]?.string, directory != EscapedText.forPrograms(report.path.bytes) {
      Terminal.line("directory    \(EscapedText.forPeople(directory))")
    }
    if let version = value["version"]?.string {
      Terminal.line("version      \(EscapedText.forPeople(version))")
    }
    if let start = value["startedAt"]?.instant {
      Terminal.line("since        \(withLocalTime(start, report))")
    }
    Terminal.line("writable     \(value["writable"]?.bool == true ? "yes" : "NO")")
    Terminal.line("generation   \(value["generation"]?.int ?? 0)")
    Terminal.line("time zone    \(text(value["timeZone"]))")
    Terminal.line(
      "watching     \(value["mode"]?.string ?? ""), \(counted(value["watches"]?.int ?? 0, "directory", "directories"))")
    Terminal.line("next change  \(nextChange(report))")
    let counters = value["counters"]?.object ?? [:]
    let texts = counters.sorted { $0.key < $1.key }.map { name, count in
      counted(count.int ?? 0, Self.singular(of: name), name)
    }
    Terminal.line("so far       \(texts.joined(separator: ", "))")
    for polled in value["polled"]?.array ?? [] {
      Terminal.line("polled       \(text(polled["path"])): \(text(polled["reason"]))")
    }
    for problem in report.problems {
      Terminal.line(
        "\(StatusReport.isWarning(problem) ? "warning" : "problem")      \(place(problem))\(message(problem))")
      // On a line of its own, because a message may end with a command to paste.
      Terminal.line("             since \(text(problem["since"]))")
    }
    for path in value["unclaimed"]?.array ?? [] { Terminal.line("unclaimed    \(text(path)): no feed reads it here") }
    for file in value["ignored"]?.array ?? [] {
      Terminal.line("ignored      \(text(file["path"])): \(text(file["reason"])): rename it to have it read")
    }
    for path in value["removable"]?.array ?? [] {
      Terminal.line("removable    \(text(path)): it has no effect any more")
    }
  }

  /// Returns a counter's name for a count of one. "1 rejected" needs no other form.
  private static func singular(of name: String) -> String {
    switch name {
    case "batches": "batch"
    case "retries": "retry"
    default: name.hasSuffix("s") ? String(name.dropLast()) : name
    }
  }

  private func message(_ problem: JSONValue) -> String {
    let pointer = text(problem["pointer"])
    return text(problem["message"]) + (pointer.isEmpty ? "" : " [\(pointer)]")
  }

  /// `path:line:column: `; empty for a problem without a file, such as a full disk.
  private func place(_ problem: JSONValue) -> String {
    guard let path = problem["path"]?.string else { return "" }
    return "\(EscapedText.forPeople(path)):\(problem["line"]?.int ?? 1):\(problem["column"]?.int ?? 1): "
  }

  private func nextChange(_ report: StatusReport) -> String {
    report.value?["nextBoundary"]?.instant.map { withLocalTime($0, report) } ?? "none by time"
  }

  /// Formats a moment in UTC and, as `next` does, in local time. The zone is the one that readers see.
  private func withLocalTime(_ date: Instant, _ report: StatusReport) -> String {
    guard let zone = try? SnapshotReader(cache: report.path).dayIndex()["timeZone"]?.string,
      let rules = TimeZones(environment: nil).rules(published: zone)
    else { return "\(date)" }
    return "\(date)  \(Terminal.localTime(date, CivilCalendar(rules)))"
  }

  private func text(_ value: JSONValue?) -> String { EscapedText.forPeople(value?.string ?? "-") }
}
