// Functions by which the kinds' views build their trees.
extension ViewNode {
  /// The view of a kind that draws some families in ways of their own.
  package static func byFamily(_ views: [ViewFamily: KindView], other: @escaping KindView) -> KindView {
    { entry in (views[entry.family] ?? other)(entry) }
  }

  // MARK: Stacks

  package static func horizontal(_ nodes: [ViewNode], gap: Double = 8) -> ViewNode {
    ViewNode(.stack(.horizontal, nodes)).gap(gap)
  }

  package static func horizontal(_ nodes: ViewNode..., gap: Double = 8) -> ViewNode { horizontal(nodes, gap: gap) }

  package static func vertical(_ nodes: [ViewNode], gap: Double = 8) -> ViewNode {
    ViewNode(.stack(.vertical, nodes)).gap(gap)
  }

  package static func vertical(_ nodes: ViewNode..., gap: Double = 8) -> ViewNode { vertical(nodes, gap: gap) }

  /// Groups of nodes one under another from edge to edge, with equal space between the groups. Rows of all groups share
  /// their columns.
  package static func spread(_ groups: [[ViewNode]], gap: Double = 0) -> ViewNode {
    vertical(Array(groups.joined(separator: [spacer])), gap: gap)
  }

  package static func centred(_ nodes: ViewNode..., gap: Double = 4) -> ViewNode {
    ViewNode(.stack(.centred, nodes)).gap(gap)
  }

  /// Rows in a list: if space is short, "+N more" replaces the last ones. N also counts what the content itself leaves
  /// out.
  package static func list(_ rows: [ViewNode], more: JSONValue? = nil, gap: Double = 8) -> ViewNode {
    var list = vertical(rows, gap: gap)
    list.room.more = max(0, more?.int ?? 0)
    return list
  }

  /// The first parts of a list of the content as rows; see ``list(_:more:gap:)``.
  package static func list<Part>(
    of parts: [Part], atMost limit: Int, more: JSONValue?, gap: Double = 8, row: (Part) -> ViewNode
  ) -> ViewNode {
    let left = max(0, more?.int ?? 0).addingReportingOverflow(max(0, parts.count - limit))
    return list(
      parts.prefix(limit).map(row), more: .integer(left.overflow ? .max : left.partialValue), gap: gap)
  }

  /// Takes the room that the other nodes of a stack leave.
  package static let spacer = ViewNode(.stack(.vertical, [])).growing()

  /// A thin line between the nodes of a stack.
  package static let divider = ViewNode(.stack(.vertical, [])).on(.divider)

  // MARK: Texts

  package static func text(_ text: String, _ tint: Tint = .ink, _ size: Size = .body) -> ViewNode {
    ViewNode(.text(Text(text, .text, tint: tint))).size(size)
  }

  package static func label(_ text: String, _ tint: Tint = .ink, _ size: Size = .body) -> ViewNode {
    ViewNode(.text(Text(text, .label, tint: tint))).size(size)
  }

  package static func value(_ text: String, _ tint: Tint = .ink, _ size: Size = .body) -> ViewNode {
    ViewNode(.text(Text(text, .value, tint: tint))).size(size)
  }

  package static func word(_ text: String, _ tint: Tint = .ink, _ size: Size = .body) -> ViewNode {
    ViewNode(.text(Text(text, .word, tint: tint))).size(size)
  }

  // MARK: Shares, rows and symbols

  package static func ring(
    _ progress: Double?, _ center: ViewNode, _ tint: Tint = .green, diameter: Double = 80, dot: Double? = nil
  ) -> ViewNode {
    ViewNode(.ring(Ring(progress, tint: tint, diameter: diameter, dot: dot), center: center))
  }

  package static func bar(_ progress: Double?, _ tint: Tint = .green) -> ViewNode {
    ViewNode(.bar(Bar(progress, tint: tint)))
  }

  package static func row(_ icon: ViewNode? = nil, _ fields: ViewNode...) -> ViewNode { ViewNode(.row(icon, fields)) }

  /// A row by itself, which is not aligned with the rows around it.
  package static func line(_ icon: ViewNode? = nil, _ fields: ViewNode...) -> ViewNode {
    .vertical([ViewNode(.row(icon, fields))])
  }

  package static func icon(_ symbol: String, _ sign: String, _ tint: Tint = .ink, side: Double = 16) -> ViewNode {
    ViewNode(.icon(Symbol(name: symbol, sign: sign, tint: tint, side: side)))
  }

  // MARK: Changes of any node

  /// The same node with a tap action.
  ///
  /// - Parameter label: describes the target of the action for people who cannot see it; nil: the node's texts do.
  package func onTap(_ action: Action?, label: String? = nil) -> ViewNode {
    changed {
      $0.action = action
      $0.label = label
    }
  }

  /// The same icon, described for people who cannot see it.
  ///
  /// - Parameter label: nil: it is decoration.
  package func described(as label: String?) -> ViewNode { changed { $0.label = label } }

  package func gap(_ gap: Double) -> ViewNode { changed { $0.room.gap = gap } }

  package func on(_ ground: Ground) -> ViewNode { changed { $0.room.ground = ground } }

  /// The same node, taking the remaining space along its stack.
  package func growing() -> ViewNode { changed { $0.room.grows = true } }

  /// The same node, which is dropped if space is short, before nodes with a greater number.
  package func optional(_ order: Int) -> ViewNode { changed { $0.room.dropOrder = order } }

  /// The same text in another size; other nodes do not change.
  package func size(_ size: Size) -> ViewNode { changedText { $0.size = size } }

  package func twoLines() -> ViewNode { changedText { $0.lineLimit = 2 } }

  /// The same symbol or ring in another size.
  package func side(_ side: Double) -> ViewNode {
    changed { node in
      switch node.form {
      case .icon(var symbol):
        symbol.side = side
        node.form = .icon(symbol)
      case .ring(var ring, let center):
        ring.diameter = side
        node.form = .ring(ring, center: center)
      default: break
      }
    }
  }

  /// The same symbol, which replaces a word or a number of the content.
  package func asValue() -> ViewNode {
    changed { node in
      guard case .icon(var symbol) = node.form else { return }
      symbol.isValue = true
      node.form = .icon(symbol)
    }
  }

  private func changed(_ change: (inout ViewNode) -> Void) -> ViewNode {
    var node = self
    change(&node)
    return node
  }

  private func changedText(_ change: (inout Text) -> Void) -> ViewNode {
    guard case .text(var text) = form else { return self }
    change(&text)
    return changed { $0.form = .text(text) }
  }

  // MARK: What several kinds show

  /// The view of a kind without one of its own: its fields by name, one row each.
  package static func fields(_ entry: ViewInput) -> ViewNode {
    let fields = (entry.content.object ?? [:]).sorted { $0.key < $1.key }
    let lines = fields.map { "\($0.key): \(Optional($0.value).words(in: entry.language))" }
    switch entry.family {
    case .terminal: return .list(lines.map { .text($0) }, gap: 4)
    case .accessoryInline: return .text(lines.joined(separator: ", "))
    case .accessoryCircular:
      var list = ViewNode(.stack(.centred, lines.map { .text($0, .ink, .micro) })).gap(0)
      list.room.more = 0
      return list
    default: return .list(fields.map { field($0.key, $0.value, entry.language) }, gap: 4)
    }
  }

  /// A field of the content: its name and its value. A number is never cut.
  private static func field(_ name: String, _ value: JSONValue, _ language: Language) -> ViewNode {
    let words = Optional(value).words(in: language)
    let isNumber = value.double != nil
    return .row(
      nil, text(name, .soft, .caption).growing(),
      (isNumber ? label(words, .ink, .caption) : text(words, .ink, .caption)).growing())
  }

  /// What to do if there is nothing to show, in the middle of a picture.
  package static func nothing(_ symbol: String, _ sign: String, _ headline: String, _ caption: String? = nil)
    -> ViewNode
  {
    var nodes = [ViewNode.icon(symbol, sign, .soft, side: 32), .word(headline, .ink, .headline).twoLines()]
    nodes += caption.map { [ViewNode.word($0, .soft, .caption).twoLines()] } ?? []
    return ViewNode(.stack(.centred, nodes)).gap(8).growing()
  }
}

extension ViewInput {
  /// A row with the number of hidden items; no row if that is 0.
  package func more(_ count: JSONValue?) -> [ViewNode] {
    guard let count = count?.int, count > 0 else { return [] }
    return [.text(phrase(.andMore, [.count: "\(count)"]), .soft)]
  }
}
