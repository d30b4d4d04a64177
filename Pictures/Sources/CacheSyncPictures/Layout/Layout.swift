package import CacheSync

/// Turns the nodes of a view into marks with places. The result depends only on the view and the fonts.
package struct Layout {
  let type: Typesetter

  package init(_ type: Typesetter) { self.type = type }

  /// The picture of an entry in a family; nil for the terminal family, which has no card.
  ///
  /// - Parameters:
  ///   - size: the card's size on a screen; nil: the family's own. In a smaller size a view leaves out its secondary lines
  ///     (`compactMode`) if fewer rows are not enough. In any but the usual one it shows as much of the content as has room.
  ///   - isRedacted: whether blocks replace all words and numbers, for a screen that guests see. The title is then that of
  ///     the kind if it is built in, and there are no targets.
  package func picture(
    of entry: Snapshot.Entry, in snapshot: Snapshot, family: ViewFamily, size: (width: Double, height: Double)? = nil,
    isRedacted: Bool = false
  ) -> Picture? {
    guard let usual = Frame(family) else { return nil }
    let frame = size.map { usual.sized($0.width, $0.height) } ?? usual
    var view = snapshot.view(of: entry, family: family, isRoomy: frame.isResized)
    if size != nil, !fits(view, in: frame, snapshot.locale.language) {
      let compact = snapshot.compact.view(of: entry, family: family, isRoomy: frame.isResized)
      if fits(compact, in: frame, snapshot.locale.language) { view = compact }
    }
    let language = snapshot.locale.language
    if isRedacted {
      let isBuiltIn = KnownKind.all.contains { $0.name == snapshot.widget?.kind ?? snapshot.kind }
      let title = isBuiltIn ? snapshot.kindDisplayName.clean : Self.withheldTitle
      var picture = picture(of: view.redacted, in: frame, title: title, language: language)
      picture.targets = []
      return picture
    }
    let title = snapshot.displayName + (entry.state == .stale ? ", " + language(.stale) : "")
    var picture = picture(of: view, in: frame, title: title.clean, link: snapshot.deepLink, language: language)
    // When people hide the numbers, shares are drawn but not described.
    if entry.content["showsNumbers"]?.bool == false { picture.describeNoShares() }
    return picture
  }

  /// In place of a title that the cache's owner wrote.
  static let withheldTitle = "CacheSync"

  package func picture(
    of view: ViewNode, in frame: Frame, title: String, link: String? = nil,
    language: Language = CacheLocale.english.language
  )
    -> Picture
  {
    type.language = language.tag
    let measures = Measures(type: type, language: language)
    let filled = frame.isResized ? filled(view, in: frame, measures) : nil
    let view = filled?.view ?? fitting(view, in: frame, measures) ?? mostSqueezed(view, language)
    let marks = Marks(filled?.measures ?? measures, frame, title: title, link: link, view)
    return Picture(
      width: frame.width, height: frame.height, marks: marks.marks, targets: marks.targets, title: title,
      language: language.tag)
  }

  /// The view in a card of another size than the usual one: with all lines and rows that there is room for. Then rings and bars
  /// grow as far as nothing else gives way. Nil: it does not fit.
  private func filled(_ view: ViewNode, in frame: Frame, _ measures: Measures) -> (view: ViewNode, measures: Measures)?
  {
    var measures = measures
    measures.isRoomy = true
    func fits(_ view: ViewNode, _ measures: Measures) -> Bool {
      measures.height(view, width: frame.content.width) <= frame.content.height
    }
    func texts(_ view: ViewNode, _ measures: Measures) -> [String: Marks.Shown] { Marks(measures, frame, view).texts }
    let filled = Squeeze.filled(
      view, measures.language, cut: { texts($0, measures).filter(\.value.isCut) }, fits: { fits($0, measures) })
    guard let filled, filled.hasShares, frame.growth > 1 else { return filled.map { ($0, measures) } }
    let before = texts(filled, measures)
    for part in [1, 0.75, 0.5, 0.25] {
      let growth = 1 + (frame.growth - 1) * part
      let grown = filled.grown(by: growth)
      var measures = measures
      measures.growth = min(growth, Self.mostGrowthOfBars)
      if fits(grown, measures), texts(grown, measures).allSatisfy({ !$1.isCut || $1.isNotLess(than: before[$0]) }) {
        return (grown, measures)
      }
    }
    return (filled, measures)
  }

  /// A thicker bar looks like a box.
  private static let mostGrowthOfBars = 2.0

  private func mostSqueezed(_ view: ViewNode, _ language: Language) -> ViewNode {
    Squeeze.steps(for: view).last?.applied(to: view, language) ?? view
  }

  /// The height of a family's card of this width in which an entry is shown in full: its usual one, or a greater one.
  package func height(
    of entry: Snapshot.Entry, in snapshot: Snapshot, family: ViewFamily, width: Double, isRedacted: Bool = false
  ) -> Double {
    guard let usual = Frame(family) else { return 0 }
    let language = snapshot.locale.language
    type.language = language.tag
    let view = snapshot.view(of: entry, family: family, isRoomy: true)
    let full =
      Squeeze.filled(isRedacted ? view.redacted : view, language, cut: { _ in [:] }, fits: { _ in true }) ?? view
    let measures = Measures(type: type, language: language, isRoomy: true)
    let content = measures.height(full, width: usual.sized(width, usual.height).content.width)
    return max(usual.height, content + 2 * usual.margin)
  }

  /// The view after the first step that makes it low enough; nil: none does.
  private func fitting(_ view: ViewNode, in frame: Frame, _ measures: Measures) -> ViewNode? {
    Squeeze.steps(for: view).lazy.map { $0.applied(to: view, measures.language) }.first {
      measures.height($0, width: frame.content.width) <= frame.content.height
    }
  }

  /// Whether a view is low enough for a card once it has given way.
  private func fits(_ view: ViewNode, in frame: Frame, _ language: Language) -> Bool {
    type.language = language.tag
    let measures = Measures(type: type, language: language)
    guard frame.isResized else { return fitting(view, in: frame, measures) != nil }
    return measures.height(mostSqueezed(view, language), width: frame.content.width) <= frame.content.height
  }
}

extension Snapshot {
  /// The same with views that leave out every secondary line.
  fileprivate var compact: Snapshot {
    var compact = self
    var widget = widget ?? Widget(kind: kind, options: [:])
    widget.options["compactMode"] = .bool(true)
    compact.widget = widget
    return compact
  }
}

extension Marks {
  /// The marks of a view on its card.
  init(_ measures: Measures, _ frame: Frame, title: String = "", link: String? = nil, _ view: ViewNode) {
    self.init(measures: measures, frame: frame)
    append(Mark(frame.card, .box(radius: frame.corner, fill: .token(.card), border: nil)))
    if let link { targets.append(Picture.Target(box: frame.card, action: .link(link), label: title)) }
    if frame.family == .accessoryCircular { placeInRoundCard(view) } else { place(view, in: frame.content) }
  }
}

extension ViewNode {
  fileprivate var hasShares: Bool {
    switch form {
    case .ring, .bar: true
    case .stack(_, let nodes): nodes.contains(where: \.hasShares)
    case .row(_, let fields): fields.contains(where: \.hasShares)
    case .text, .icon: false
    }
  }

  /// The view with larger rings, and what is in them.
  fileprivate func grown(by growth: Double) -> ViewNode {
    guard case .ring(let ring, let center) = form else { return mapped { $0.grown(by: growth) } }
    var (node, larger) = (self, ring)
    larger.diameter *= growth
    node.form = .ring(larger, center: center.enlarged(by: growth))
    return node
  }

  /// Larger icons, and texts in the next sizes.
  private func enlarged(by growth: Double) -> ViewNode {
    var node = mapped { $0.enlarged(by: growth) }
    switch form {
    case .text(var text):
      text.size = Size.allCases.last { Double($0.rawValue) <= Double(text.size.rawValue) * growth } ?? text.size
      node.form = .text(text)
    case .icon(var symbol):
      symbol.side *= growth
      node.form = .icon(symbol)
    case .stack, .row, .ring, .bar: break
    }
    return node
  }
}
