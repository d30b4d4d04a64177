package import CacheSync
import CacheSyncSystem

package struct ScreenPicture: Sendable {
  package var pixels: PixelSize
  /// Pixels per point.
  package var scale: Double
  /// A picture for each card that is shown, with its place.
  package var cards: [PNGPainter.Placed]
  /// The heading, and the line about cards that are left out.
  package var lines: [PNGPainter.Placed] = []
  /// A text at the right edge, which a live page turns itself; nil: the plan has no clock.
  package var clock: PNGPainter.Placed?
  /// How many cards at the end are left out.
  package var leftOut: Int
  /// What lies below all; nil: nothing.
  package var ground: Picture?

  /// In the order of painting.
  package var all: [PNGPainter.Placed] {
    (ground.map { [PNGPainter.Placed($0, x: 0, y: 0)] } ?? []) + cards + lines + (clock.map { [$0] } ?? [])
  }
}

extension Layout {
  /// The pictures of a screen as a person sees it, before it is turned.
  ///
  /// - Parameters:
  ///   - pixels: the display's size.
  ///   - snapshots: those of the cache. A kind that is not among them is a card with its name.
  ///   - clock: the words for the time.
  ///   - first: the card to begin with; the others before it are not shown.
  package func screen(
    _ plan: ScreenPlan, on pixels: PixelSize, of snapshots: [Snapshot], at moment: Instant, locale: CacheLocale,
    clock: String, from first: Int = 0
  ) -> ScreenPicture {
    let language = locale.language
    let cards = Array(plan.cards[first...])
    let found = cards.map { card in snapshots.first { $0.kind == card.kind } }
    let choices = zip(cards, found).map { card, snapshot in
      ViewFamily.choices(
        naming: card.family, of: snapshot?.pictureFamilies ?? KnownKind.all.first { $0.name == card.kind }?.families)
    }
    let (families, screen, head) = Screen.choosing(
      choices, width: pixels.width, height: pixels.height, columns: plan.columns, leastScale: plan.form.leastScale,
      hasWords: !plan.form.isRedacted && (plan.title != nil || plan.hasClock),
      countsRest: !plan.form.isRedacted && plan.pause == nil
    ) { card, family, width in
      guard let snapshot = found[card] else { return family.size.height }
      return self.height(
        of: snapshot.entry(at: moment), in: snapshot, family: family, width: width, isRedacted: plan.form.isRedacted)
    }
    // Without any card, the line is all there is.
    let scale = families.isEmpty ? max(plan.form.leastScale, Double(pixels.height) / 240) : screen.scale
    let width = Double(pixels.width) / scale
    var picture = ScreenPicture(
      pixels: pixels, scale: scale,
      cards: families.indices.map { index in
        let place = screen.places[index]
        let size = (width: place.width, height: place.height)
        let card = found[index].flatMap {
          self.picture(
            of: $0.entry(at: moment), in: $0, family: families[index], size: size,
            isRedacted: plan.form.isRedacted)
        }
        return PNGPainter.Placed(
          card ?? missing(cards[index].kind, plan, families[index], size, language), x: place.x,
          y: place.y + (head?.room ?? 0))
      }, leftOut: cards.count - families.count)
    if plan.form.background != Background.none {
      picture.ground = screen.ground(width: pixels.width, height: pixels.height)
    }
    guard let head else { return picture }
    // Above the edges of the cards.
    let edge = picture.cards.map(\.x).min() ?? CardRows.narrowGap
    var (x, left) = (edge, width - 2 * edge)
    func add(_ words: String, _ tint: ViewNode.Tint, atEnd: Bool, before rest: String? = nil) -> PNGPainter.Placed {
      // A title gives way to the line about the cards that are left out.
      let others = rest.map { type.width(of: $0.clean, in: head.size.face) + 2 * CardRows.narrowGap } ?? 0
      let needed = min(max(0, left - others), type.width(of: words.clean, in: head.size.face))
      let drawn = line(
        words, tint, head, width: atEnd ? width - 2 * edge : needed, isAtEnd: atEnd, language)
      left = max(0, left - needed - 2 * CardRows.narrowGap)
      defer { x += atEnd ? 0 : needed + 2 * CardRows.narrowGap }
      return PNGPainter.Placed(drawn, x: atEnd ? edge : x, y: head.y)
    }
    if plan.hasClock { picture.clock = add(clock, .soft, atEnd: true) }
    let isCounted = picture.leftOut > 0 && plan.pause == nil
    let rest = isCounted ? language(.moreDoNotFit, [.count: "\(picture.leftOut)"]) : nil
    if let title = plan.title { picture.lines.append(add(title, .ink, atEnd: false, before: rest)) }
    if let rest { picture.lines.append(add(rest, .soft, atEnd: false)) }
    return picture
  }

  /// A card for a kind without a snapshot: its name, and what is wrong.
  private func missing(
    _ kind: String, _ plan: ScreenPlan, _ family: ViewFamily, _ size: (width: Double, height: Double),
    _ language: Language
  ) -> Picture {
    let known = plan.displayNames[kind]
    var heading = ViewNode.Text(known ?? kind, .text)
    heading.size = .headline
    heading.lineLimit = 2
    let text = ViewNode.Text(
      known == nil ? language(.noSuchWidget) : language(.nothingToShow), .text, tint: .soft)
    var view = ViewNode(.stack(.centred, [ViewNode(.text(heading)), ViewNode(.text(text))]))
    view.room.grows = true
    let frame =
      Frame(family).map { $0.sized(size.width, size.height) } ?? .display(width: size.width, height: size.height)
    return picture(
      of: plan.form.isRedacted ? view.redacted : view, in: frame,
      title: plan.form.isRedacted ? Self.withheldTitle : heading.words.clean,
      language: language)
  }

  /// A line without a card.
  private func line(
    _ words: String, _ tint: ViewNode.Tint, _ head: CardRows.Head, width: Double, isAtEnd: Bool, _ language: Language
  ) -> Picture {
    var text = ViewNode.Text(words, .text, tint: tint)
    text.size = head.size
    var nodes = [ViewNode(.text(text))]
    if isAtEnd {
      var spacer = ViewNode(.stack(.vertical, []))
      spacer.room.grows = true
      nodes.insert(spacer, at: 0)
    }
    return picture(
      of: ViewNode(.stack(.horizontal, nodes)), in: .line(width: width, height: head.height), title: words.clean,
      language: language
    ).withoutCard
  }
}

extension Snapshot {
  /// Those of its families that have a picture.
  package var pictureFamilies: [ViewFamily] {
    families.compactMap(ViewFamily.init(rawValue:)).filter { $0 != .terminal }
  }
}

extension CardRows.Head {
  /// The type of its words, which is as high as it is.
  fileprivate var size: ViewNode.Size { self == .low ? .body : .number }
}

extension ScreenPicture {
  /// A standalone file of the display's size.
  package func svg(_ palette: Palette) -> String {
    let size = #"width="\#(pixels.width)" height="\#(pixels.height)""#
    let box = "0 0 \((Double(pixels.width) / scale).decimal) \((Double(pixels.height) / scale).decimal)"
    let parts = all.map { $0.svg(.palette(palette)) }.joined()
    return #"<svg xmlns="http://www.w3.org/2000/svg" \#(size) viewBox="\#(box)">\#(parts)</svg>"# + "\n"
  }
}

extension PNGPainter.Placed {
  /// The picture's element at its place.
  package func svg(_ colours: SVGColours) -> String {
    #"<g transform="translate(\#(x.decimal) \#(y.decimal))">\#(picture.svg(colours))</g>"#
  }
}
