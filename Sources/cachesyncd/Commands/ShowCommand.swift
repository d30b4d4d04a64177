import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show today's view, computed from the session files. Writes nothing.",
    usage: """
      cachesyncd show [<kinds> ...] [--json] [--format <format>] [--color <auto|always|never>] [--cache <dir>] [--at <time>] \
      [--time-zone <time-zone>] [--feeds <dir>]
      """,
    discussion: """
      --format prints one line for each kind: the whole snapshot (json), the entry in force as JSON (entry), its first line of \
      text (line), or JSON for Waybar's custom modules (waybar). On a terminal, lines are cut to its width.

      \(HelpText.examples(
        "cachesyncd show", "cachesyncd show \(HelpText.kind) --at 2026-11-21T09:30:00Z", "cachesyncd show --json | jq keys",
        "cachesyncd show \(HelpText.kind) --format line", "cachesyncd show --color always | less -R"))

      \(ExitStatus.help(
        (.invalidData, "the definition of a kind that is named is invalid"),
        (.noInput, "the cache is missing"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  @Argument(help: "The kinds to show; a feed means its kinds. Default: all that the cache has.", completion: .kinds)
  var kinds: [String] = []

  @Flag(name: .long, help: "Print one JSON object with a member for each kind.")
  var json = false

  @Option(name: .long, help: "Print one line for each kind, in this format.")
  var format: SnapshotFormat?

  @OptionGroup var colours: ColourOptions
  @OptionGroup var cache: CacheOptions
  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions

  func validate() throws {
    if json, format != nil { throw ValidationError("--json and --format exclude each other") }
  }

  func run() throws {
    try reporting {
      let named = try cache.kinds(kinds, settings.shared)
      let (contents, moment) = try cache.contents(settings, at: time)
      let registry = contents.registry
      let projector = contents.projector
      let wanted =
        kinds.isEmpty ? projector.kinds : registry.kinds.filter { named.contains($0.name) }
      let documents = Dictionary(
        uniqueKeysWithValues: wanted.map { ($0.name, projector.snapshot(of: $0, at: moment).encoded()) })
      if json {
        var writer = JSONWriter()
        writer.object { json in
          for (name, document) in documents.sorted(by: { $0.key < $1.key }) {
            json.key(named: name.description)
            json.encoded(document.withoutPublication())
          }
        }
        Terminal.line(writer.bytes)
      } else if let format {
        for kind in registry.feeds.flatMap({ $0.kinds }) {
          if let document = documents[kind.name] { Terminal.line(try line(format, document, moment)) }
        }
      } else {
        try print(documents, registry, moment)
      }
      return .success
    }
  }

  private func line(_ format: SnapshotFormat, _ document: OutputDocument, _ moment: Moment) throws -> [UInt8] {
    if format == .json { return document.withoutPublication() }
    return format.line(of: try snapshot(document, moment), at: moment.instant, in: moment.calendar)
  }

  /// Returns the snapshot as a publication at this moment would contain it.
  private func snapshot(_ document: OutputDocument, _ moment: Moment) throws -> Snapshot {
    try Snapshot(bytes: document.bytes(generation: 0, publishedAt: moment.instant))
  }

  private func print(_ documents: [KindName: OutputDocument], _ registry: FeedRegistry, _ moment: Moment) throws {
    let page = ShowPage(style: colours.style, moment: moment, width: Terminal.width)
    Terminal.line(page.heading)
    if documents.isEmpty {
      Terminal.line(
        "Nothing here yet: drop a session file of a feed (\(registry.feedNames)), or make a feed of your own JSON: "
          + "cachesyncd feed new NAME FILE")
    }
    for feed in registry.feeds {
      let snapshots = try feed.kinds.compactMap { kind in try documents[kind.name].map { try snapshot($0, moment) } }
      if !snapshots.isEmpty { Terminal.line(page.section(feed, snapshots)) }
    }
  }
}

extension SnapshotFormat: ExpressibleByArgument {}
