import CacheSync

/// Collects the marks of one picture while its nodes are placed.
struct Marks {
  let measures: Measures
  let frame: Frame
  private(set) var marks: [Mark] = []
  var targets: [Picture.Target] = []
  /// What is shown of each text.
  private(set) var texts: [String: Shown] = [:]

  struct Shown {
    var lines: [String]
    var size: Double
    /// Whether it is not shown in full: it is cut, in a short form, or in smaller type.
    var isCut: Bool

    /// Whether these are the same lines in the same or larger type.
    func isNotLess(than other: Shown?) -> Bool { lines == other?.lines && size >= other?.size ?? 0 }
  }

  init(measures: Measures, frame: Frame) {
    self.measures = measures
    self.frame = frame
  }

  mutating func append(_ mark: Mark) { marks.append(mark) }

  /// Places a view in a round card. A ring fills the circle inside the margin; other content stays inside the card's
  /// circle.
  mutating func placeInRoundCard(_ view: ViewNode) {
    if case .ring = view.form { return place(view, in: frame.content) }
    place(center: view, in: frame.card.inset(by: 2))
  }

  /// The box in the middle of a circle for a node, as high as the node.
  private func chord(_ node: ViewNode, in circle: Rect) -> Rect {
    let height = measures.height(node, width: circle.width)
    return circle.centred(width: Frame.chord(of: height, diameter: circle.width), height: min(height, circle.height))
  }

  // MARK: Nodes

  /// - Parameter columns: the widths of a row's fields; nil: the row is on its own.
  mutating func place(_ node: ViewNode, in box: Rect, isCentred: Bool = false, columns: [Double]? = nil) {
    let node = measures.flowing(node, in: box.width)
    let before = (marks: marks.count, targets: targets.count)
    place(ground: node.room.ground, in: box)
    let padding = node.room.ground.padding
    let inside = Rect(
      x: box.x + padding.across, y: box.y + padding.down, width: box.width - 2 * padding.across,
      height: box.height - 2 * padding.down)
    switch node.form {
    case .text(let text): place(text, in: inside, isCentred: isCentred)
    case .icon(let symbol):
      let side = min(symbol.side, inside.width, inside.height)
      // Of an icon with an action, the label is that of its target.
      let says = node.action == nil ? node.label?.clean : nil
      append(Mark(inside.centred(width: side, height: side), .icon(symbol.name, Token(symbol.tint)), says: says))
    case .ring(let ring, let center): place(ring, center, in: inside)
    case .bar(let bar): place(bar, in: inside)
    case .row(let icon, let fields):
      placeRow(Measures.nodes(icon, fields), columns, gap: node.room.gap, in: inside)
    case .stack(.horizontal, let nodes): placeRow(nodes, nil, gap: node.room.gap, in: inside)
    case .stack(let axis, let nodes):
      placeColumn(nodes, gap: node.room.gap, in: inside, isCentred: axis == .centred)
    }
    if case .disc = node.room.ground {
      for index in marks.indices[before.marks...] { marks[index].invertText() }
    }
    guard let action = node.action else { return }
    let words = node.label?.clean ?? marks[before.marks...].compactMap(\.says).joined(separator: ", ")
    targets.insert(Picture.Target(box: box, action: action, label: words), at: before.targets)
  }

  private mutating func place(ground: ViewNode.Ground, in box: Rect) {
    switch ground {
    case .none: break
    case .tile: append(Mark(box, .box(radius: Self.tileRadius, fill: .token(.tile), border: nil)))
    case .chosen(let tint):
      append(Mark(box, .box(radius: Self.tileRadius, fill: .token(.tile), border: Token(tint))))
    case .tinted(let tint): append(Mark(box, .box(radius: Self.tileRadius, fill: .tint(Token(tint)), border: nil)))
    case .disc(let tint):
      let side = max(box.width, box.height)
      let circle = Rect(x: box.midX - side / 2, y: box.midY - side / 2, width: side, height: side)
      append(Mark(circle, .box(radius: side / 2, fill: .token(Token(tint)), border: nil)))
    case .divider: append(Mark(box, .box(radius: 0, fill: .token(.track), border: nil)))
    }
  }

  private mutating func placeColumn(_ nodes: [ViewNode], gap: Double, in box: Rect, isCentred: Bool) {
    let columns = measures.columns(of: nodes, in: box.width)
    let heights = measures.heights(of: nodes, columns, width: box.width)
    let rest = max(0, box.height - heights.reduce(gap * Double(max(0, nodes.count - 1)), +))
    let level = Measures.level(of: zip(nodes, heights).filter(\.0.room.grows).map(\.1), filling: rest)
    // A centred column that does not fill its box is in the middle of it.
    var y = box.y + (isCentred && level == nil ? rest / 2 : 0)
    for ((node, height), columns) in zip(zip(nodes, heights), columns) {
      let height = node.room.grows ? max(height, level ?? 0) : height
      var place = Rect(x: box.x, y: y, width: box.width, height: height)
      if isCentred, !node.room.grows || !node.fillsHeight {
        place = place.centred(width: measures.takenWidth(of: node, in: box.width), height: height)
      }
      self.place(node, in: place, isCentred: isCentred, columns: columns)
      y += height + gap
    }
  }

  /// Aligns texts on one baseline. Nodes that are filled or grow take the whole height, and others are centred.
  private mutating func placeRow(_ nodes: [ViewNode], _ columns: [Double]?, gap: Double, in box: Rect) {
    let widths = columns ?? measures.shares(of: nodes, gap: gap, in: box.width)
    let lines = zip(nodes, widths).map { node, width in
      (height: measures.height(node, width: width), node.baseline(measures.type))
    }
    let baselines = lines.compactMap { line in line.1.map { (above: $0, below: line.height - $0) } }
    let above = baselines.map(\.above).max() ?? 0
    let textHeight = above + (baselines.map(\.below).max() ?? 0)
    var x = box.x
    for ((node, width), (height, baseline)) in zip(zip(nodes, widths), lines) {
      var place = Rect(x: x, y: box.y, width: width, height: box.height)
      if let baseline {
        place.y = box.midY - textHeight / 2 + above - baseline
        place.height = height
      } else if !node.fillsHeight {
        place = place.centred(width: width, height: height)
      }
      self.place(node, in: place)
      x += width + gap
    }
  }

  // MARK: Texts

  private mutating func place(_ text: ViewNode.Text, in box: Rect, isCentred: Bool) {
    if text.isWithheld {
      let height = Double(text.size.rawValue) * Self.withheldHeight
      var bar = box.centred(width: min(box.width, measures.withheldWidth(text)), height: height)
      if !isCentred { bar.x = text.role == .value ? box.maxX - bar.width : box.x }
      append(Mark(bar, .box(radius: Self.withheldRadius, fill: .token(.track), border: nil)))
      return
    }
    let lines = fittingLines(of: text, width: box.width)
    let face = lines.first?.face ?? text.size.face
    let shown = Shown(
      lines: lines.map(\.words), size: face.size,
      isCut: !lines.map(\.words).joined().isSpelled(as: text.shown) || face != text.size.face)
    if shown.isCut || texts[text.shown]?.isCut != true { texts[text.shown] = shown }
    let isRightToLeft = text.shown.isRightToLeft
    var y = box.y + max(0, (box.height - lines.reduce(0) { $0 + $1.face.lineHeight }) / 2)
    for (index, line) in lines.enumerated() {
      let width = measures.type.width(of: line.words, in: line.face)
      let isAtRight = text.role == .value || isRightToLeft
      let x = isCentred ? box.midX - width / 2 : isAtRight ? box.maxX - width : box.x
      let baseline = y + measures.type.baseline(of: line.face)
      let mark = Mark.Line(text: line.words, type: line.face, tint: Token(text.tint), baseline: baseline)
      append(
        Mark(
          Rect(x: x, y: y, width: width, height: line.face.lineHeight), .text(mark),
          says: index == 0 ? text.shown : nil))
      y += line.face.lineHeight
    }
  }

  private func fittingLines(of text: ViewNode.Text, width: Double) -> [(words: String, face: TypeFace)] {
    let type = measures.type
    let face = text.size.face
    let limit = measures.lineLimit(of: text, width: width)
    let words = measures.wholeWords(of: text, limit, width: width)
    if type.width(of: words, in: face) <= width + Self.rounding { return [(words, face)] }
    if limit > 1 {
      let lines = type.lines(of: words, in: face, width: width)
      let others = lines.prefix(limit - 1)
      let rest = lines.dropFirst(others.count).joined().trimmed
      let end = cut(rest, face, width)
      if end != rest, let short = measures.language.shortForm(of: words) {
        var shorter = text
        shorter.words = short
        return fittingLines(of: shorter, width: width)
      }
      return (others.map(\.trimmed) + (rest.isEmpty && others.count > 1 ? [] : [end])).map { ($0, face) }
    }
    if text.role == .text { return [(cut(words, face, width), face)] }
    let candidates = measures.candidates(words, text)
    let fitting = candidates.first { type.width(of: $0.words, in: $0.face) <= width + Self.rounding }
    if let fitting { return [fitting] }
    let last = candidates[candidates.count - 1]
    let whole = last.words.withoutDecimals(measures.language.formats.separator)
    return [(cut(whole, last.face, width), last.face)]
  }

  /// Cuts the text to the width, with an ellipsis at the end. Returns an empty text when even the ellipsis does not
  /// fit.
  private func cut(_ words: String, _ face: TypeFace, _ width: Double) -> String {
    let type = measures.type
    guard type.width(of: words, in: face) > width + Self.rounding else { return words }
    let characters = Array(words)
    func cut(_ count: Int) -> String { String(characters[..<count]).trimmedEnd + "…" }
    // A binary search finds the longest cut that fits.
    var (fits, tooLong) = (0, characters.count)
    while tooLong - fits > 1 {
      let middle = (fits + tooLong) / 2
      if type.width(of: cut(middle), in: face) <= width + Self.rounding { fits = middle } else { tooLong = middle }
    }
    let longest = cut(fits)
    return type.width(of: longest, in: face) <= width + Self.rounding ? longest : ""
  }

  // MARK: Shares

  private mutating func place(_ ring: ViewNode.Ring, _ center: ViewNode, in box: Rect) {
    let diameter = min(ring.diameter, box.width, box.height)
    let circle = box.centred(width: diameter, height: diameter)
    let width = max(Self.thinnestRing, diameter / 10)
    let share = Share(ring.progress, length: .pi * (diameter - width), cap: width)
    let tint = share.isOver ? Token.red : Token(ring.tint)
    append(
      Mark(
        circle, .ring(Mark.Ring(width: width, progress: share.drawn, tint: tint, dot: ring.dot)),
        says: share.words(in: measures.language)))
    place(center: center, in: circle.inset(by: width))
  }

  /// Places the center of a ring in the middle of a circle. Each line is as wide as the circle is at its letters.
  private mutating func place(center: ViewNode, in circle: Rect) {
    let lines: [ViewNode]
    switch center.form {
    case .stack(.centred, let nodes): lines = nodes
    case .text: lines = [center]
    default: return place(center, in: chord(center, in: circle), isCentred: true)
    }
    let heights = lines.map { measures.height($0, width: circle.width) }
    var y = circle.midY - heights.reduce(center.room.gap * Double(max(0, lines.count - 1)), +) / 2
    for (line, height) in zip(lines, heights) {
      let letters = line.isText ? height * Self.lettersHeight : height
      let reach = abs(y + height / 2 - circle.midY) + letters / 2
      let width = Frame.chord(of: 2 * reach, diameter: circle.width)
      place(line, in: Rect(x: circle.midX - width / 2, y: y, width: width, height: height), isCentred: true)
      y += height + center.room.gap
    }
  }

  private mutating func place(_ bar: ViewNode.Bar, in box: Rect) {
    let thickness = bar.isUpright ? measures.uprightWidth : measures.barHeight
    let track =
      bar.isUpright
      ? box.centred(width: min(box.width, thickness), height: box.height)
      : box.centred(width: box.width, height: thickness)
    let radius = measures.barHeight / 2
    // Without a track its box stays, for its words.
    append(Mark(track, .box(radius: radius, fill: bar.hasTrack ? .token(.track) : nil, border: nil)))
    if !bar.parts.isEmpty { return place(bar.parts, in: track) }
    let length = bar.isUpright ? track.height : track.width
    let share = Share(bar.progress, length: length, cap: measures.barHeight)
    guard let drawn = share.drawn, drawn > 0 else {
      marks[marks.count - 1].says = share.words(in: measures.language)
      return
    }
    var fill = track
    if bar.isUpright {
      fill.height = length * drawn
      fill.y = track.maxY - fill.height
    } else {
      fill.width = length * drawn
    }
    append(
      Mark(
        fill, .box(radius: radius, fill: .token(share.isOver ? .red : Token(bar.tint)), border: nil),
        says: share.words(in: measures.language))
    )
  }

  /// Places shares of one whole, from the leading edge, two points apart, so that they can be distinguished without
  /// colours.
  private mutating func place(_ parts: [ViewNode.Bar.Part], in track: Rect) {
    let shown = parts.filter { $0.share > 0 }
    let total = max(1, shown.reduce(0) { $0 + $1.share })
    let gap = 2.0
    let room = track.width - gap * Double(max(0, shown.count - 1))
    // A very small part stays visible; the greatest part makes room for it.
    let least = measures.barHeight
    var widths = shown.map { max(least, room * $0.share / total) }
    let excess = widths.reduce(0, +) - room
    if excess > 0, let greatest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
      widths[greatest] = max(least, widths[greatest] - excess)
    }
    var x = track.x
    for (part, width) in zip(shown, widths) {
      append(
        Mark(
          Rect(x: x, y: track.y, width: width, height: track.height),
          .box(radius: measures.barHeight / 2, fill: .token(Token(part.tint)), border: nil),
          says: Share(part.share, length: track.width, cap: 0).words(in: measures.language)))
      x += width + gap
    }
  }

  // MARK: Sizes that nodes do not give

  private static let tileRadius = 8.0
  private static let thinnestRing = 4.0
  /// The height of a line's capitals and digits, which are 0.73 of 1.2 sizes in Inter, with a little space around.
  private static let lettersHeight = 0.7
  /// The height of a withheld text, in sizes: that of its letters.
  private static let withheldHeight = 0.7
  private static let withheldRadius = 3.0
  /// Widths are sums, so a text may be slightly wider than the place that was made for it.
  private static let rounding = 0.01
}

extension ViewNode {
  fileprivate var isText: Bool {
    if case .text = form { true } else { false }
  }

  /// The baseline of a text's first line, from its top; nil for other nodes.
  fileprivate func baseline(_ type: Typesetter) -> Double? {
    guard case .text(let text) = form else { return nil }
    return type.baseline(of: text.size.face)
  }
}

extension StringProtocol {
  /// Whether both differ only in blanks, which are dropped at the ends of lines.
  fileprivate func isSpelled(as other: String) -> Bool {
    lazy.filter { $0 != " " }.elementsEqual(other.lazy.filter { $0 != " " })
  }

  fileprivate var trimmed: String { String(drop { $0 == " " }).trimmedEnd }

  fileprivate var trimmedEnd: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == " " { end = index(before: end) }
    return String(self[..<end])
  }
}
