import ArgumentParser
import CacheSync
import CacheSyncPictures
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw snapshots as SVG, PNG or a line of text, computed from the session files.",
    usage: """
      cachesyncd render <kind> [--family <family>] [--format svg|png|bmp|txt] [-o <file>] [options]
      cachesyncd render --all <dir> [--format svg|png|bmp|txt] [--watch] [options]
      cachesyncd render [<kind> | --all <dir>] --sample [--option <name>=<value>] [options]
      cachesyncd render --screen <width>x<height> <kind>:<family> ... [-o <file>] [options]
      cachesyncd render --screen <name> [-o <file>] [options]
      """,
    discussion: """
      For an e-ink display choose --bits 1, 2 or 4, for 2, 4 or 16 shades of grey, or 8, for 16 shades in a file of 8 bits.

      Examples:
        cachesyncd render \(Self.exampleKind) -o view.svg
        cachesyncd render \(Self.exampleKind) --format png --bits 1 --appearance eink >view.png
        cachesyncd render --all ~/pictures --watch
        cachesyncd render \(Self.exampleKind) --sample -o sample.svg

      \(ExitStatus.help(
        (.invalidData, "the file of the screen, or the definition of the kind, is invalid"),
        (.noInput, "the cache is missing"),
        (.unavailable, "a program or a font is not installed"),
        (.cannotCreate, "the file cannot be created"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  private static let exampleKind = KnownKind.all[0].name

  @Argument(
    help: ArgumentHelp("The kind to draw. With --screen, several kinds with their families.", valueName: "kind"))
  var kinds: [String] = []

  @Option(
    help:
      "systemSmall, systemMedium, systemLarge, accessoryCircular, accessoryRectangular, accessoryInline, or their last words. Default: the kind's first."
  )
  var family: FamilyArgument?

  @Option(
    help:
      "svg, png, bmp, or txt, which is one line of an inline family, for status bars. Default: the ending of the file's name; svg without one."
  )
  var format: PictureFormat?

  @Option(help: "PNG: pixels a point, 0.5 to 4 (default: 2).")
  var scale: Double?

  @OptionGroup var style: PictureStyle

  @Option(help: "PNG: greyscale of 1, 2, 4 or 8 bits a pixel.")
  var bits: Int?

  @Option(
    help: ArgumentHelp(
      "Draw another moment, in the zone of the cache: \(WrittenMoment.forms).", valueName: "time"))
  var at: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write. It appears whole or not at all. Default: standard output.", valueName: "file"))
  var output: CommandLineWord?

  @Option(
    help: ArgumentHelp(
      "Draw every kind of the cache in every family, as KIND-FAMILY.svg in this directory.", valueName: "dir"))
  var all: CommandLineWord?

  @Flag(help: "With --all: draw again at each publication and at each boundary.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Draw several kinds on one display of this size in pixels, as large as they fit; or the screen of the cache that has this name.",
      valueName: "widthxheight|name"))
  var screen: ScreenArgument?

  @Option(
    help: ArgumentHelp(
      "With --screen: turn the file clockwise by 90, 180 or 270 degrees, for a display that hangs turned.",
      valueName: "degrees"))
  var rotate: Turn?

  @Flag(help: "Draw sample data that the program carries, without a cache.")
  var sample = false

  @Option(
    help: ArgumentHelp(
      "With --sample: an option of the kind, such as those that cachesyncd kinds lists. Repeatable.",
      valueName: "name=value"))
  var option: [String] = []

  @OptionGroup var common: CommonOptions

  /// When the command runs: of an unknown option, the parser takes the value for a kind before it says so.
  func validateWords() throws {
    if let at, WrittenMoment(at) == nil { throw ValidationError(WrittenMoment.refusal(of: at)) }
    if output?.isEmpty == true || all?.isEmpty == true {
      throw ValidationError("empty file name: name a file, or leave the option out")
    }
    if format == nil, let ending, !ending.isEmpty, PictureFormat(rawValue: ending) == nil {
      let formats = PictureFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "unknown format '\(ending.clean)' of \(output?.forPeople ?? ""): end the name in one of \(formats), or use --format"
      )
    }
    try validateTarget()
    try Drawing.check(
      format: chosenFormat, form: form, tint: style.tint?.colour, scale: scale, isNamed: screen?.name != nil)
  }

  /// Checks that the options name one picture, all of them, or a screen.
  private func validateTarget() throws {
    if sample, at != nil || common.cache != nil {
      throw ValidationError("--sample draws the program's own data at its own moment: leave --cache and --at out")
    }
    if sample, watch { throw ValidationError("--watch follows a cache: leave --sample out") }
    if !option.isEmpty, !sample || kinds.count != 1 {
      throw ValidationError("--option goes with --sample and one kind")
    }
    if let wrong = option.first(where: { !$0.contains("=") }) {
      throw ValidationError("expected --option name=value, found '\(wrong.clean)'")
    }
    if watch, all == nil { throw ValidationError("--watch goes with --all") }
    if watch, at != nil { throw ValidationError("--watch follows the clock: leave --at out") }
    if all != nil {
      guard kinds.isEmpty, family == nil, output == nil, screen == nil else {
        throw ValidationError(
          "--all draws every kind and family into its directory: leave kinds, --family, --screen and -o out")
      }
    } else if case .named(let name) = screen {
      if let kind = kinds.first {
        throw ValidationError("the file of the screen \(name) names its widgets: leave '\(kind.clean)' out")
      }
      guard family == nil, scale == nil, !sample else {
        throw ValidationError("a screen's file says what is drawn: leave --family, --scale and --sample out")
      }
      if chosenFormat == .txt { throw notDrawn("SVG, PNG or BMP") }
    } else if case .size(let size) = screen {
      guard family == nil else { throw ValidationError("--screen takes the families as KIND:FAMILY") }
      guard !kinds.isEmpty else { throw ValidationError("--screen needs a KIND:FAMILY or more") }
      guard chosenFormat == .png || chosenFormat == .bmp || format == nil && output == nil else {
        throw notDrawn("PNG or BMP")
      }
      guard scale == nil else { throw ValidationError("--screen chooses the scale itself: leave --scale out") }
      let widgets = try widgets()
      // The families of other kinds are known only when their snapshots are read.
      if !widgets.contains(where: { $0.family == nil }) { try Drawing.checkScreen(size, widgets, bits: bits) }
    } else {
      guard kinds.count == 1 else {
        if kinds.isEmpty { throw ValidationError("name a kind, or use --all") }
        let family = FamilyArgument(argument: kinds[1]).map { _ in "did you mean --family \(kinds[1])?" }
        throw ValidationError("name one kind: \(family ?? "or use --screen or --all")")
      }
      let widget = try Widget(kind: kinds[0], family: family?.family)
      guard chosenFormat != .txt || widget.family == .accessoryInline else {
        throw ValidationError("txt is one line of an inline family: use --family inline with a kind that has it")
      }
    }
  }

  /// - Parameter formats: those that a screen may have.
  private func notDrawn(_ formats: String) -> ValidationError {
    let advice = format == nil ? "end the name of the file in it" : "choose it with --format"
    return ValidationError("a screen cannot be \(chosenFormat.rawValue): it is \(formats); \(advice)")
  }

  /// The format of the option; by default that of the file's ending.
  private var chosenFormat: PictureFormat {
    format ?? ending.flatMap(PictureFormat.init) ?? (screen == nil ? .svg : .png)
  }

  private var ending: String? { output?.path.extension?.lowercased() }

  private var form: ScreenForm {
    ScreenForm(
      size: screen?.size, bits: bits, turn: rotate, appearance: style.appearance, background: style.background,
      isRedacted: style.redacted)
  }

  /// - Parameter plan: of the screen that is named; nil: none is.
  func drawing(of plan: ScreenPlan? = nil) throws -> Drawing {
    try Drawing(format: chosenFormat, form: plan?.form ?? form, tint: style.tint?.colour, scale: scale)
  }

  /// The plan of a screen's file with the options.
  func plan(_ file: ScreenPlan) -> ScreenPlan {
    file.with(form, isVector: chosenFormat == .svg, isBitmap: chosenFormat == .bmp)
  }

  func run() async throws {
    try await reporting {
      try validateWords()
      let source = try source()
      let plan = try await namedPlan()
      let drawing = try drawing(of: plan)
      if all != nil || output != nil { try EndSignals.waitForFiles() }
      if let all {
        let directory = PictureDirectory(path: all.path, drawing: drawing, source: source)
        if watch { try await directory.follow(common.path) }
        return try await directory.draw().status
      }
      // A kind that the cache does not know is a card of a named screen, and an error of show.
      let kinds = plan == nil ? Array(Set(try widgets().map(\.kind))).sorted() : []
      let snapshots = try await source.snapshots(of: kinds)
      try refuseFeed(among: kinds, snapshots)
      let bytes = try bytes(of: snapshots, at: source.moment, with: drawing, plan: plan, isComplete: true)
      if let output { try OutputFile.write(bytes, to: output.path) } else { Terminal.write(bytes) }
      return .success
    }
  }

  private func source() throws -> SnapshotSource {
    if !sample {
      let moment = at.flatMap { WrittenMoment($0) }
      return .cache(common.program, time: try moment?.instant(inCache: common.path, timeZone: common.timeZone))
    }
    // Of an option that is given twice, the last counts.
    let pairs = option.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
    return .samples(Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 }))
  }

  /// - Throws: ``Failure`` when there is no such screen, or its file was never good.
  private func namedPlan() async throws -> ScreenPlan? {
    guard let name = screen?.name else { return nil }
    let screens = try await common.program.screens()
    guard let file = screens[name] else {
      let advice =
        screens.isEmpty ? "see cachesyncd screens" : NearestName.advice(for: name, among: screens.keys.sorted())
      throw ValidationError("there is no screen '\(name.clean)': \(advice)")
    }
    guard !file.cards.isEmpty else {
      throw Failure("the screen \(name) cannot be drawn: \(file.problems.first ?? "")", .invalidData)
    }
    return plan(file)
  }

  /// Refuses the name of a feed, which `show` takes for all kinds of the feed.
  private func refuseFeed(among kinds: [String], _ snapshots: [Snapshot]) throws {
    let found = snapshots.map(\.kind)
    let others = found.filter { !kinds.contains($0) }
    guard let feed = kinds.first(where: { !found.contains($0) }), !others.isEmpty else { return }
    throw ValidationError("'\(feed.clean)' is a feed: name one of its kinds, \(others.joined(separator: ", "))")
  }

  private func widgets() throws -> [Widget] {
    try screen == nil ? [Widget(kind: kinds[0], family: family?.family)] : kinds.map(Widget.init)
  }

  /// The single picture or the screen, from given snapshots.
  ///
  /// - Parameters:
  ///   - plan: of the screen that is named.
  ///   - isComplete: whether everything on it must fit.
  func bytes(
    of snapshots: [Snapshot], at moment: Instant, with drawing: Drawing, plan: ScreenPlan? = nil,
    isComplete: Bool = false
  ) throws -> [UInt8] {
    if let plan {
      try drawing.requireFonts(for: snapshots)
      return try drawing.screen(plan, of: snapshots, at: moment, isComplete: isComplete)
    }
    if let name = screen?.name { throw ValidationError("'\(name.clean)' is not a size, such as 800x480") }
    let widgets = try widgets()
    let kinds = widgets.map(\.kind)
    try drawing.requireFonts(for: snapshots.filter { kinds.contains($0.kind) })
    guard let size = screen?.size else { return try drawing.picture(widgets[0], of: snapshots, at: moment) }
    return try drawing.screen(size, widgets, of: snapshots, at: moment)
  }
}

/// A size in pixels, or the name of a screen.
enum ScreenArgument: ExpressibleByArgument {
  case size(PixelSize)
  case named(String)

  init?(argument: String) {
    if let size = PixelSize(argument) {
      self = .size(size)
    } else if argument.first?.isLowercase == true {
      self = .named(argument)
    } else {
      return nil
    }
  }

  var size: PixelSize? { if case .size(let size) = self { size } else { nil } }
  var name: String? { if case .named(let name) = self { name } else { nil } }
}
