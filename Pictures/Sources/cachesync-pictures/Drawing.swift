import ArgumentParser
import CacheSync
import CacheSyncPictures
import CacheSyncPrograms
import CacheSyncSystem

/// Draws pictures in one format, with options that have been checked.
struct Drawing {
  let format: PictureFormat
  private let palette: Palette
  private let scale: Double
  let form: ScreenForm
  let tint: Colour?
  /// How times and texts are written where no snapshot says so.
  var locale = CacheLocale.english
  var timeZone = "UTC"
  private let depth: PNGDepth
  /// Shared by all pictures, because they cache fonts and measured texts.
  private let layout = Layout(Typesetter())
  private let painter: PNGPainter

  static let scales = 0.5...4

  /// Sets up the fonts, which takes a while. Use one drawing for many pictures.
  ///
  /// - Throws: `ValidationError` for options that exclude each other.
  init(format: PictureFormat, form: ScreenForm, tint: Colour? = nil, scale: Double? = nil) throws {
    try Self.check(format: format, form: form, tint: tint, scale: scale)
    self.format = format
    self.form = form
    self.tint = tint
    self.scale = scale ?? 2
    // Paper has no colours, so a file for it has none either.
    let bits = form.bits ?? (form.appearance == .eink ? 8 : nil)
    depth = bits.map { .grey(bits: $0) } ?? .colour
    palette = Palette(
      bits == nil ? form.appearance ?? .light : .eink, bits: bits ?? 4, tint: tint,
      background: form.background ?? .light)
    painter = PNGPainter(scale: self.scale, palette: palette, depth: depth)
  }

  /// Checks the options without loading fonts.
  ///
  /// - Throws: `ValidationError` for options that exclude each other.
  ///
  /// - Parameter isNamed: whether they add to a screen's file.
  static func check(
    format: PictureFormat, form: ScreenForm, tint: Colour?, scale: Double?, isNamed: Bool = false
  ) throws {
    if tint != nil, form.appearance != .accented { throw ValidationError("--tint goes with --appearance accented") }
    if let background = form.background, background != .none, form.appearance != .accented {
      throw ValidationError("--background \(background.rawValue) goes with --appearance accented")
    }
    if form.isRedacted, format == .txt { throw ValidationError("--redacted leaves no text: use another format") }
    if form.turn != nil, form.size == nil, !isNamed { throw ValidationError("--rotate goes with --screen") }
    if form.turn != nil, format == .svg { throw ValidationError("--rotate is for PNG and BMP: use --format png") }
    let bits = form.bits
    if isNamed, format == .png, bits == ScreenForm.colourBits { return }
    if format == .bmp, bits != 1, !isNamed || bits != nil {
      throw ValidationError("bmp has 1 bit a pixel: use --bits 1, or --format png")
    }
    if let bits {
      guard format == .png || format == .bmp else { throw ValidationError("--bits is for PNG: use --format png") }
      guard [1, 2, 4, 8].contains(bits) else { throw ValidationError("--bits takes 1, 2, 4 or 8") }
      guard form.appearance ?? .eink == .eink else {
        throw ValidationError("--bits draws for paper: leave --appearance out, or use eink")
      }
    }
    if let scale {
      guard Self.scales.contains(scale) else { throw ValidationError("--scale takes 0.5 to 4") }
      guard bits != 1 || scale >= CardRows.leastScale(bits: bits) else { throw Self.tooSmall }
    }
  }

  private static let tooSmall = ValidationError(
    "the smallest text would be too small for 1 bit: a point must be 1.25 pixels or more")

  /// - Throws: ``Failure`` when no font has the letters of a snapshot's language.
  func requireFonts(for snapshots: [Snapshot]) throws {
    let languages = Dictionary(snapshots.map { ($0.locale.language.tag, $0.locale.language) }, uniquingKeysWith: { $1 })
    for (_, language) in languages.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      if let missing = layout.missingFont(for: language) { throw Failure(missing.description, .unavailable) }
    }
  }

  /// The families of a snapshot that this format supports.
  func families(of snapshot: Snapshot) -> [ViewFamily] {
    snapshot.families.compactMap(ViewFamily.init(rawValue:)).filter { format != .txt || $0 == .accessoryInline }
  }

  /// - Throws: ``Failure`` when the cache does not have the kind.
  func picture(_ widget: Widget, of snapshots: [Snapshot], at moment: Instant) throws -> [UInt8] {
    let snapshot = try snapshot(of: widget, in: snapshots)
    let picture = try layOut(snapshot, widget.family(in: snapshot), at: moment)
    switch format {
    case .svg: return Array(picture.svg(.palette(palette)).utf8)
    case .txt: return Array((Self.line(picture) + "\n").utf8)
    case .png: return try painter.png(picture)
    case .bmp: return try painter.bmp(picture)
    }
  }

  /// The picture's texts; a dash for content that is withheld.
  private static func line(_ picture: Picture) -> String {
    let words = picture.marks.compactMap(\.says)
    return words.isEmpty ? "—" : words.joined(separator: " ")
  }

  /// A screen without a file: all its pictures must be there, and fit.
  ///
  /// - Throws: `ValidationError` when they would be too small to read.
  func screen(_ size: PixelSize, _ widgets: [Widget], of snapshots: [Snapshot], at moment: Instant) throws -> [UInt8] {
    let found = try widgets.map { try snapshot(of: $0, in: snapshots) }
    let widgets = try zip(widgets, found).map { try Widget(kind: $0.kind, family: $0.family(in: $1)) }
    try Self.checkScreen(size, widgets, bits: form.bits)
    let cards = widgets.map { ScreenPlan.Card(kind: $0.kind, family: $0.family) }
    return try screen(ScreenPlan(cards: cards, form: form), of: found, at: moment)
  }

  /// A screen as its plan says, for which this drawing was made. What does not fit is left out.
  ///
  /// - Parameter isComplete: whether everything must fit.
  /// - Throws: `ValidationError` when it does not.
  func screen(
    _ plan: ScreenPlan, of snapshots: [Snapshot], at moment: Instant, isComplete: Bool = false
  ) throws -> [UInt8] {
    let size = plan.form.size ?? ScreenForm.standardSize
    let locale = snapshots.first?.locale ?? locale
    let time = SnapshotCalendar(timeZone: snapshots.first?.timeZone ?? timeZone).clock(at: moment, in: locale)
    var drawn = layout.screen(
      plan, on: size, of: snapshots, at: moment, locale: locale, clock: locale.language(.asOf, [.time: time]))
    guard !isComplete || drawn.leftOut == 0 else {
      let (count, all) = (drawn.leftOut, plan.cards.count)
      let last = plan.cards.last.map { card in card.kind + (card.family.map { ":\($0.rawValue)" } ?? "") } ?? ""
      let what =
        count == 1
        ? "'\(last.clean)' does" : count == all ? "the \(all) widgets do" : "the last \(count) of \(all) widgets do"
      let place = plan.name.map { "the screen \($0): " } ?? ""
      throw ValidationError(
        "\(place)\(what) not fit in \(size): choose smaller families or a larger size, or remove widgets")
    }
    for index in drawn.cards.indices { drawn.cards[index].picture = styled(drawn.cards[index].picture) }
    if format == .svg { return Array(drawn.svg(palette).utf8) }
    let painter = PNGPainter(scale: drawn.scale, palette: palette, depth: depth, turn: form.turn ?? .none)
    return try format == .bmp
      ? painter.bmp(drawn.all, width: size.width, height: size.height)
      : painter.png(drawn.all, width: size.width, height: size.height)
  }

  /// - Throws: `ValidationError` when pictures of these families would be too small to read.
  static func checkScreen(_ size: PixelSize, _ widgets: [Widget], bits: Int?) throws {
    let families = widgets.compactMap(\.family)
    guard families.count <= mostOnScreen else {
      throw ValidationError("a screen holds at most \(mostOnScreen) pictures: leave some out")
    }
    let frames = families.compactMap { Frame($0) }
    let least = ScreenForm(bits: bits).leastScale
    func scale(_ count: Int) -> Double {
      Screen(Array(frames.prefix(count)), width: size.width, height: size.height).scale
    }
    guard scale(frames.count) < least else { return }
    let reason = bits == 1 ? "their smallest text would be too small for 1 bit" : "they would be too small to read"
    // With fewer pictures the scale is never smaller, so a binary search finds how many fit.
    var (fitting, tooMany) = (0, frames.count)
    while tooMany - fitting > 1 {
      let middle = (fitting + tooMany) / 2
      if scale(middle) >= least { fitting = middle } else { tooMany = middle }
    }
    if fitting > 0 {
      throw ValidationError(
        "\(frames.count) pictures do not fit on \(size): \(reason); the first \(fitting == 1 ? "alone" : "\(fitting)") would fit, or choose a larger screen"
      )
    }
    let (width, height) = families[0].leastSize
    let needed = [width, height].map { "\(Int((($0 + 2 * CardRows.narrowGap) * least).rounded(.up)))" }.joined(
      separator: "x")
    throw ValidationError(
      "\(widgets[0]) does not fit on \(size): it takes \(needed) pixels; choose a smaller family or a larger screen"
    )
  }

  /// More would be too small on every display, and take long to arrange.
  private static let mostOnScreen = 64

  private func snapshot(of widget: Widget, in snapshots: [Snapshot]) throws -> Snapshot {
    guard let snapshot = snapshots.first(where: { $0.kind == widget.kind }) else {
      throw Failure("cachesyncd show gave no \(widget.kind): install both programs anew", .unavailable)
    }
    return snapshot
  }

  private func layOut(_ snapshot: Snapshot, _ family: ViewFamily, at moment: Instant) throws -> Picture {
    guard
      let picture = layout.picture(
        of: snapshot.entry(at: moment), in: snapshot, family: family, isRedacted: form.isRedacted)
    else {
      throw Failure("\(family.rawValue) of \(snapshot.kind) has no picture: choose another family", .usage)
    }
    return styled(picture)
  }

  /// The picture in the one colour, and without its card, if so.
  private func styled(_ picture: Picture) -> Picture {
    let picture = form.appearance == .accented ? picture.accented(for: palette) : picture
    return form.background == Background.none ? picture.withoutCard : picture
  }
}
