import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

struct ScreensCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screens",
    abstract: "List the screens of a cache: arrangements of cards, for pages, pictures and panels.",
    usage: "cachesyncd screens [--json] [--cache <dir>] [--time-zone <time-zone>] [--feeds <dir>]",
    discussion: """
      A file CACHE/screens/<name>.json makes a screen. Of a file that is invalid now, its last good version counts.

      \(HelpText.examples(
        "cachesyncd screens", "cachesyncd drop screens kitchen.json", "cachesyncd screens --json | jq -r '.screens[].name'"))

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var settings: SettingsOptions

  func run() throws {
    try reporting {
      let (contents, moment) = try cache.contents(settings)
      let screens = ScreenListing.all(of: contents, at: moment)
      if json {
        printJSON(screens)
      } else if screens.isEmpty {
        printExample(contents)
      } else {
        for screen in screens { printText(screen) }
      }
      return .success
    }
  }

  private func printJSON(_ screens: [ScreenListing]) {
    var writer = JSONWriter()
    writer.object { json in
      json.array("screens") { json in for screen in screens { json.object { write(screen, to: &$0) } } }
    }
    Terminal.line(writer.bytes)
  }

  private func write(_ listing: ScreenListing, to json: inout JSONWriter) {
    let screen = listing.screen ?? ScreenConfiguration(listing.name)
    json.member("appearance", screen.appearance.rawValue)
    json.member("bits", screen.bits)
    json.member("clock", screen.hasClock)
    json.key("columns")
    json.value(screen.columns.map(JSONValue.integer) ?? .null)
    json.key("displayNames")
    json.value(.object(listing.displayNames))
    json.member("name", listing.name)
    json.array("problems") { json in for problem in listing.problems { json.problem(problem) } }
    json.member("redacted", screen.isRedacted)
    json.member("rotate", screen.rotate)
    json.member("rotateEvery", screen.rotateEvery)
    json.member("size", listing.screen.map { $0.size?.description ?? "fill" })
    json.member("title", screen.title)
    json.member("widgets", screen.widgets.map(\.description))
  }

  private func printText(_ listing: ScreenListing) {
    let name = EscapedText.forPeople(listing.name)
    let widgets = listing.screen?.widgets.map(\.description).joined(separator: " ") ?? ""
    let shown = listing.screen.map { "\($0.size?.description ?? "fill")  \(EscapedText.forPeople(widgets))" }
    Terminal.line("\(name)  \(shown ?? "was never valid")")
    for problem in listing.problems { Terminal.line("  \(problem.line())") }
  }

  private func printExample(_ contents: CacheContents) {
    let feeds = contents.registry.feeds.filter { contents.present.contains($0.name) && !$0.kinds.isEmpty }
    let kinds = (feeds.isEmpty ? FeedRegistry.builtIn.feeds : feeds).compactMap { $0.kinds.first?.name }
    let widgets = kinds.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    Terminal.line("There is no screen yet. Write a file kitchen.json such as")
    Terminal.line("")
    Terminal.line("  { \"widgets\": [\(widgets)], \"clock\": true }")
    Terminal.line("")
    let path = contents.root.path.appending(CacheLayout.screens).appending("kitchen.json")
    Terminal.line("and put it in place with: cachesyncd drop screens kitchen.json")
    Terminal.line("It is then \(EscapedText.forPeople(path.bytes)).")
  }
}
