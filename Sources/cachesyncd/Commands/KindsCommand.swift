import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem

struct KindsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kinds",
    abstract: "List what widgets can show: every kind with its options, then the widgets of the cache.",
    usage:
      "cachesyncd kinds [<kinds> ...] [--json] [--example] [--cache <dir>] [--time-zone <time-zone>] [--feeds <dir>]",
    discussion: """
      A file CACHE/widgets/<name>.json makes a widget: a kind with options, under its own name.

      \(HelpText.examples(
        "cachesyncd kinds", "cachesyncd kinds \(HelpText.kind) --example > mine.json", "cachesyncd drop widgets mine.json",
        "cachesyncd kinds --json | jq -r '.kinds[].displayName'"))

      \(ExitStatus.help(
        (.invalidData, "the definition of a kind that is named is invalid"),
        (.noInput, "the directory of definitions is missing"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  @Argument(
    help: "The kinds to list; a feed means its kinds. Default: all, and the widgets of the cache.", completion: .kinds)
  var kinds: [String] = []

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @Flag(name: .long, help: "Print a widget file with every option of one kind.")
  var example = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var settings: SettingsOptions

  func validate() throws {
    if example, json { throw ValidationError("--example and --json exclude each other") }
  }

  func run() throws {
    try reporting {
      let named = try cache.kinds(kinds, settings.shared)
      let listing = try KindListing.all(in: cache.path, settings.environment())
      let language = CacheSettings.inForce(in: try cache.path).cacheLocale.language
      let wanted = kinds.isEmpty ? listing : listing.filter { named.contains($0.kind.name) }
      if example, wanted.count != 1 { throw ValidationError("--example needs one kind") }
      if example {
        for row in wanted { Terminal.line(row.kind.exampleOfWidget(in: language)) }
      } else if json {
        printJSON(wanted, language)
      } else {
        for row in wanted { printText(row, language) }
      }
      return .success
    }
  }

  private func printJSON(_ rows: [KindListing], _ language: Language) {
    var writer = JSONWriter()
    writer.object { json in
      json.array("kinds") { json in for row in rows { json.object { write(row, language, to: &$0) } } }
    }
    Terminal.line(writer.bytes)
  }

  private func write(_ row: KindListing, _ language: Language, to json: inout JSONWriter) {
    let kind = row.kind
    json.member("deepLink", kind.deepLink)
    json.member("description", kind.summary.text(in: language))
    json.member("displayName", kind.displayName.text(in: language))
    json.member("families", kind.families)
    json.member("feeds", row.feeds.map(\.description))
    json.member("kind", kind.name.description)
    json.array("options") { json in for option in kind.options { json.option(option) } }
    json.member("present", row.isPresent)
    if let widget = kind.widget {
      json.key("widget")
      json.widget(widget)
    }
    json.member("widgetKind", kind.widgetKind)
  }

  private func printText(_ row: KindListing, _ language: Language) {
    let kind = row.kind
    let presence = row.isPresent ? "" : "  (not in this cache)"
    Terminal.line("\(kind.name)  \(EscapedText.forPeople(kind.displayName.text(in: language)))\(presence)")
    if let widget = kind.widget {
      let from = widget.from.map { " from \(EscapedText.forPeople($0.bytes))" } ?? ""
      Terminal.line("  widget   \(widget.kind)\(from)")
    }
    Terminal.line("  shows    \(EscapedText.forPeople(kind.summary.text(in: language)))")
    Terminal.line("  feeds    \(row.feeds.map(\.description).joined(separator: ", "))")
    Terminal.line("  sizes    \(kind.families.joined(separator: ", "))")
    for option in kind.options { Terminal.line("  option   \(EscapedText.forPeople(text(option, kind.widget)))") }
  }

  /// The option with its values, and the value of a widget or the standard one.
  private func text(_ option: KindOption, _ widget: WidgetConfiguration?) -> String {
    let value = widget.map { OptionValues($0.options)[option] } ?? option.standard
    let shown = value == .null ? "none" : String(decoding: value.bytes, as: UTF8.self)
    return widget == nil
      ? "\(option.name): \(option.expectation) (default \(shown))" : "\(option.name) is \(shown)"
  }
}
