import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem

struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "List upcoming changes that happen through time alone, with the reason.",
    usage:
      "cachesyncd next [--count <count>] [--json] [--cache <dir>] [--at <time>] [--time-zone <time-zone>] [--feeds <dir>]",
    discussion: """
      \(HelpText.examples("cachesyncd next", "cachesyncd next --count 1 --json | jq -r '.boundaries[0].date'"))

      If a kind's definition needs too much work to look further ahead, its later changes are not listed, and a message on \
      standard error names it.

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  @Option(name: .long, help: "How many changes to list.")
  var count = 10

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions

  func validate() throws {
    guard (0...100_000).contains(count) else { throw ValidationError("--count takes a number from 0 to 100000") }
  }

  func run() throws {
    try reporting {
      let (contents, moment) = try cache.contents(settings, at: time)
      let boundaries = contents.projector.comingBoundaries(after: moment, count: count)
      if json { printJSON(boundaries.list) } else { printText(boundaries.list, contents.calendar) }
      if let leftOut = boundaries.leftOut {
        let kinds = leftOut.kinds.map(\.description).joined(separator: " ")
        Terminal.error(
          "not all changes from \(leftOut.from) on are listed: it takes too much work to look further at \(kinds); "
            + "the definition needs fewer items, values or conditions")
      }
      return .success
    }
  }

  private func printJSON(_ boundaries: [ComingBoundaries.Boundary]) {
    var writer = JSONWriter()
    writer.object { json in
      json.objects("boundaries", boundaries) { json, boundary in
        json.member("date", boundary.date)
        json.member("kinds", boundary.kinds.map(\.description))
        json.member("reason", boundary.reason)
      }
    }
    Terminal.line(writer.bytes)
  }

  private func printText(_ boundaries: [ComingBoundaries.Boundary], _ calendar: CivilCalendar) {
    for boundary in boundaries {
      let local = Terminal.localTime(boundary.date, calendar)
      let kinds = boundary.kinds.map(\.description).joined(separator: " ")
      Terminal.line("\(boundary.date)  \(local)  \(EscapedText.forPeople(boundary.reason))  [\(kinds)]")
    }
  }
}
