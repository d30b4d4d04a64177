import CacheSync

/// Measures the space that nodes need. The result depends only on the node and the fonts.
struct Measures {
  let type: Typesetter
  let language: Language
  /// How much wider bars are than in the family's usual card.
  var growth = 1.0
  /// Whether names may take any number of lines, as in the cards of screens. Then no word is broken that has room elsewhere.
  var isRoomy = false

  /// The widths of a node in six stages. Each stage gives up more than the one before:
  ///
  /// - `full`: everything is shown.
  /// - `wrapped`: names that may take any number of lines do so, without a break in a word.
  /// - `cut`: names are cut.
  /// - `short`: numbers are abbreviated too.
  /// - `least`: the type is smaller as well.
  /// - `bare`: there are no texts.
  struct Widths {
    var full = 0.0
    var wrapped = 0.0
    var cut = 0.0
    var short = 0.0
    var least = 0.0
    var bare = 0.0

    init(_ width: Double) { self.init(full: width, cut: width, short: width, least: width, bare: width) }

    init(full: Double, wrapped: Double = 0, cut: Double, short: Double, least: Double, bare: Double = 0) {
      self.full = full
      self.cut = min(cut, full)
      self.wrapped = min(max(wrapped, self.cut), full)
      self.short = min(short, self.cut)
      self.least = min(least, self.short)
      self.bare = bare
    }

    /// The widths of nodes side by side.
    static func + (a: Widths, b: Widths) -> Widths { a.joined(b, +) }

    /// The widths of nodes one below another.
    func union(_ other: Widths) -> Widths { joined(other, max) }

    private func joined(_ other: Widths, _ join: (Double, Double) -> Double) -> Widths {
      Widths(
        full: join(full, other.full), wrapped: join(wrapped, other.wrapped), cut: join(cut, other.cut),
        short: join(short, other.short), least: join(least, other.least), bare: join(bare, other.bare))
    }
  }

  // MARK: Widths

  func widths(_ node: ViewNode) -> Widths {
    let inside: Widths
    switch node.form {
    case .text(let text): inside = widths(text)
    case .icon(let symbol): inside = Widths(symbol.side)
    case .ring(let ring, _): inside = Widths(ring.diameter)
    case .bar(let bar) where bar.isUpright:
      inside = Widths(full: uprightWidth, cut: 1, short: 1, least: 1, bare: 1)
    case .bar: inside = Widths(Self.shortestBar)
    case .row(let icon, let fields): inside = sideBySide(Self.nodes(icon, fields), gap: node.room.gap)
    case .stack(.horizontal, let nodes): inside = sideBySide(nodes, gap: node.room.gap)
    case .stack(_, let nodes):
      if node.room.ground == .divider { return Widths(Self.dividerWidth) }
      inside = nodes.map(widths).reduce(Widths(0)) { $0.union($1) }
    }
    return inside + Widths(2 * node.room.ground.padding.across)
  }

  private func sideBySide(_ nodes: [ViewNode], gap: Double) -> Widths {
    let widths = nodes.map(widths)
    var sum = widths.reduce(Widths(gap * Double(max(0, nodes.count - 1)))) { $0 + $1 }
    guard isRoomy else { return sum }
    // The growing ones are equally wide if the widest can be.
    let growing = zip(nodes, widths).filter(\.0.growsAcross).map(\.1.wrapped)
    sum.wrapped += (growing.max() ?? 0) * Double(growing.count) - growing.reduce(0, +)
    sum.full = max(sum.full, sum.wrapped)
    return sum
  }

  private func widths(_ text: ViewNode.Text) -> Widths {
    let words = text.shown
    if text.isWithheld { return Widths(withheldWidth(text)) }
    let full = type.width(of: words, in: text.size.face)
    guard text.role == .text || text.lineLimit > 1 else {
      let least = candidates(words, text).last.map { type.width(of: $0.words, in: $0.face) } ?? full
      let short = type.width(of: shortened(words), in: text.size.face)
      return Widths(full: full, cut: full, short: short, least: least)
    }
    let cut = min(full, Double(text.size.rawValue) * Self.shortestCut)
    let word = isRoomy ? type.longestWord(of: words, in: text.size.face) : 0
    return Widths(full: full, wrapped: word, cut: cut, short: cut, least: cut)
  }

  /// The part of a width that a node takes. For texts side by side this may be less than they need and less than there
  /// is.
  func takenWidth(of node: ViewNode, in width: Double) -> Double {
    let full = widths(node).full
    let node = flowing(node, in: width)
    guard full > width, case .stack(.horizontal, let nodes) = node.form, node.room.ground == .none else {
      return min(full, width)
    }
    return shares(of: nodes, gap: node.room.gap, in: width)
      .reduce(node.room.gap * Double(max(0, nodes.count - 1)), +)
  }

  /// The width of the bar in place of a withheld text.
  func withheldWidth(_ text: ViewNode.Text) -> Double { type.width(of: "000", in: text.size.face) }

  /// The short form that the language has of a phrase; of other words the same with short numbers.
  private func shortened(_ words: String) -> String {
    language.shortForm(of: words) ?? words.abbreviated(language.formats.separator)
  }

  /// The forms of a text that must not be cut, the best first: in full, shortened, and smaller. Where there is not even room
  /// for the last of these, see ``String/withoutDecimals(_:)``.
  func candidates(_ words: String, _ text: ViewNode.Text) -> [(words: String, face: TypeFace)] {
    let shortened = shortened(words)
    var forms = [(words, text.size.face), (shortened, text.size.face)]
    var size = text.size
    while let smaller = size.smaller {
      forms.append((shortened, smaller.face))
      size = smaller
    }
    let shortest = shortened.abbreviated(language.formats.separator, keepsNames: false)
    return shortest == shortened ? forms : forms + [(shortest, size.face)]
  }

  /// Divides a width among the nodes of a row. Nodes that do not grow get the width that they need, and growing nodes
  /// get the rest in equal parts. When the width is too small, names are cut first, then numbers are abbreviated, then
  /// the type becomes smaller.
  func shares(of nodes: [ViewNode], gap: Double, in width: Double) -> [Double] {
    shares(of: nodes.map(widths), growing: nodes.map(\.growsAcross), gap: gap, in: width)
  }

  private func shares(of widths: [Widths], growing: [Bool], gap: Double, in width: Double) -> [Double] {
    let room = width - gap * Double(max(0, widths.count - 1))
    var given = zip(widths, growing).map { $1 ? $0.wrapped : $0.full }
    for floor in [\Widths.wrapped, \.cut, \.short, \.least, \.bare] {
      let excess = given.reduce(0, +) - room
      guard excess > 0 else { break }
      let spare = zip(given, widths).map { max(0, $0 - $1[keyPath: floor]) }
      let total = spare.reduce(0, +)
      guard total > 0 else { continue }
      let part = min(1, excess / total)
      given = zip(given, spare).map { $0 - $1 * part }
    }
    // There are more rings and icons than fit.
    let total = given.reduce(0, +)
    if total > room { return given.map { $0 * max(0, room) / total } }
    // Abbreviated numbers give back the width that they do not need, so that their units stay beside them.
    given = zip(given, widths).map { $0 < $1.cut ? min($0, $1.short) : $0 }
    guard let level = Self.level(of: zip(given, growing).filter(\.1).map(\.0), filling: room - given.reduce(0, +))
    else {
      return given
    }
    return zip(given, growing).map { $1 ? max($0, level) : $0 }
  }

  /// The size to which the smaller parts grow, so that all parts together take `rest` more. Greater parts stay as they
  /// are. nil: no part grows.
  static func level(of parts: [Double], filling rest: Double) -> Double? {
    guard !parts.isEmpty, rest > 0 else { return nil }
    var level = 0.0
    var sum = 0.0
    for (index, part) in parts.sorted().enumerated() {
      if index > 0, part * Double(index) - sum >= rest { break }
      sum += part
      level = (sum + rest) / Double(index + 1)
    }
    return level
  }

  // MARK: Columns

  /// The widths of the fields of each row, and nil for other nodes. Rows of one stack with the same number of fields
  /// share their columns.
  func columns(of nodes: [ViewNode], in width: Double) -> [[Double]?] {
    let rows = nodes.map { node in
      if case .row(let icon, let fields) = node.form { Self.nodes(icon, fields) } else { [ViewNode]() }
    }
    return zip(nodes, rows).map { node, row in
      guard !row.isEmpty else { return nil }
      let alike = rows.filter { $0.count == row.count }
      let columns = row.indices.map { column in alike.map { $0[column] } }
      return shares(
        of: columns.map { $0.map(widths).reduce(Widths(0)) { $0.union($1) } },
        growing: columns.map { $0.contains(where: \.growsAcross) }, gap: node.room.gap,
        in: width - 2 * node.room.ground.padding.across)
    }
  }

  // MARK: Heights

  /// The heights of nodes one below another.
  func heights(of nodes: [ViewNode], _ columns: [[Double]?], width: Double) -> [Double] {
    zip(nodes, columns).map { height($0, width: width, columns: $1) }
  }

  func height(_ node: ViewNode, width: Double, columns: [Double]? = nil) -> Double {
    let node = flowing(node, in: width)
    let padding = node.room.ground.padding
    let width = width - 2 * padding.across
    let inside: Double
    switch node.form {
    case .text(let text): inside = text.size.face.lineHeight * Double(lineCount(text, width: width))
    case .icon(let symbol): inside = symbol.side
    case .ring(let ring, _): inside = ring.diameter
    case .bar(let bar): inside = bar.isUpright ? Self.shortestBar : barHeight
    case .row(let icon, let fields):
      let nodes = Self.nodes(icon, fields)
      inside = tallest(nodes, columns ?? shares(of: nodes, gap: node.room.gap, in: width))
    case .stack(.horizontal, let nodes): inside = tallest(nodes, shares(of: nodes, gap: node.room.gap, in: width))
    case .stack(_, let nodes):
      if node.room.ground == .divider { return Self.dividerWidth }
      inside = heights(of: nodes, self.columns(of: nodes, in: width), width: width)
        .reduce(node.room.gap * Double(max(0, nodes.count - 1)), +)
    }
    return inside + 2 * padding.down
  }

  private func tallest(_ nodes: [ViewNode], _ widths: [Double]) -> Double {
    zip(nodes, widths).map { height($0, width: $1) }.max() ?? 0
  }

  /// The most lines of a text; one where a line has no room for more than a letter or two.
  func lineLimit(of text: ViewNode.Text, width: Double) -> Int {
    width + 0.01 < Double(text.size.rawValue) * Self.shortestCut ? 1 : text.lineLimit
  }

  private func lineCount(_ text: ViewNode.Text, width: Double) -> Int {
    let limit = lineLimit(of: text, width: width)
    guard limit > 1, !text.isWithheld else { return 1 }
    let (words, face) = (wholeWords(of: text, limit, width: width), text.size.face)
    guard type.width(of: words, in: face) > width else { return 1 }
    return limit == 2 ? 2 : max(2, min(limit, type.lines(of: words, in: face, width: width).count))
  }

  /// The words of a text on so many lines: the short form that the language has if a word would be broken.
  func wholeWords(of text: ViewNode.Text, _ limit: Int, width: Double) -> String {
    guard isRoomy, limit > 1, let short = language.shortForm(of: text.shown) else { return text.shown }
    return type.longestWord(of: text.shown, in: text.size.face) > width ? short : text.shown
  }

  /// In the cards of screens, texts that have no room side by side stand one below another, if one of them may take several
  /// lines.
  func flowing(_ node: ViewNode, in width: Double) -> ViewNode {
    guard isRoomy, case .stack(.horizontal, let nodes) = node.form, nodes.count > 1 else { return node }
    let lines = nodes.compactMap(\.textAtLeft)
    guard lines.count == nodes.count, lines.contains(where: { $0.lineLimit > 1 }), widths(node).full > width + 0.01
    else { return node }
    var column = node
    column.room.gap = 0
    column.form = .stack(
      .vertical,
      zip(nodes, lines).map { node, text in
        var (line, text) = (node, text)
        // The others take lines, too.
        text.lineLimit = max(1, text.lineLimit - (nodes.count - 1))
        line.form = .text(text)
        line.room.grows = false
        return line
      })
    return column
  }

  // MARK: Sizes that nodes do not give

  static func nodes(_ icon: ViewNode?, _ fields: [ViewNode]) -> [ViewNode] { (icon.map { [$0] } ?? []) + fields }

  var barHeight: Double { 6 * growth }
  var uprightWidth: Double { 14 * growth }
  static let shortestBar = 24.0
  static let dividerWidth = 1.0
  /// The least width of a cut name, in sizes: an ellipsis and a letter or two.
  private static let shortestCut = 2.5
}

extension ViewNode.Ground {
  /// In points: left and right, and above and below.
  var padding: (across: Double, down: Double) {
    switch self {
    case .none, .divider: (0, 0)
    case .tile, .chosen: (8, 8)
    case .tinted: (8, 2)
    case .disc: (4, 0)
    }
  }
}

extension ViewNode {
  /// A text that begins at the left of its place.
  fileprivate var textAtLeft: Text? {
    if case .text(let text) = form, text.role != .value, room.ground == .none { text } else { nil }
  }

  /// Whether the node takes the rest of a line. Horizontal bars always do.
  var growsAcross: Bool {
    if room.grows { return true }
    if case .bar(let bar) = form { return !bar.isUpright }
    return false
  }

  /// Whether the node fills a height greater than its own.
  var fillsHeight: Bool {
    switch form {
    case .stack(let axis, let nodes):
      room.ground != .none || axis != .horizontal && nodes.contains { $0.room.grows }
        || nodes.contains(where: \.fillsHeight)
    case .bar(let bar): bar.isUpright
    case .row, .text, .ring, .icon: false
    }
  }
}

extension ViewNode.Text {
  /// The words in a form that is safe in a picture; a dash for an empty text.
  var shown: String {
    let words = words.clean
    return words.allSatisfy { $0 == " " } ? "—" : words
  }
}
