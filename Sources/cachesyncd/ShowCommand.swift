import ArgumentParser
import CacheSync

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show today's view, computed from the session files; nothing is written.",
    discussion: "Colours only on a terminal, and not with NO_COLOR set.")

  @Argument(help: "The kinds to show; none: all that the cache has.")
  var kinds: [String] = []

  @Flag(name: .long, help: "For programs: each snapshot by its kind.")
  var json = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions

  func validate() throws { try KindArguments.validate(kinds) }

  func run() async throws {
    try await reporting {
      let environment = settings.environment
      let contents = try OneShot.contents(of: cache.path, environment: environment)
      let moment = contents.moment(at: time.at?.instant ?? environment.clock.now())
      let wanted = kinds.isEmpty ? contents.presentKinds : FeedRegistry.kinds.filter { kinds.contains($0.name.description) }
      let snapshots = wanted.map { ($0, contents.snapshot(of: $0, at: moment).encoded()) }
      if json {
        var writer = JSONWriter()
        writer.object { json in
          for (kind, document) in snapshots {
            json.key(named: kind.name.description)
            json.encoded(document.withoutPublication())
          }
        }
        Terminal.line(writer.bytes)
      } else {
        try print(snapshots, moment)
      }
      return .success
    }
  }

  private func print(_ snapshots: [(Kind, OutputDocument)], _ moment: Moment) throws {
    let page = ShowPage(style: Terminal.hasColour ? .colour : .plain, calendar: moment.calendar)
    Terminal.line(page.heading(moment))
    if snapshots.isEmpty { Terminal.line("Nothing here yet: drop a session file, such as meal-plan/this-week.json.") }
    for (_, document) in snapshots {
      let snapshot = try Snapshot(bytes: document.bytes(generation: 0, publishedAt: moment.instant))
      Terminal.line(page.section(snapshot, at: moment.instant))
    }
  }
}
