// How an entry's state changes a view.
extension ViewNode {
  /// The view with what an entry's state adds or withholds.
  package func dressed(for state: SnapshotState, in family: ViewFamily, _ language: Language) -> ViewNode {
    switch state {
    case .current, .empty: self
    case .placeholder: withheld
    case .stale: withBadge(in: family, language(.stale))
    }
  }

  /// The view with empty shares. Its texts stay in the tree, marked as withheld, because the bars that replace them
  /// have their size.
  private var withheld: ViewNode {
    var node = mapped(\.withheld)
    node.label = nil
    node.room.withholdsMore = true
    switch node.form {
    case .ring(var ring, let center):
      ring.progress = nil
      ring.dot = nil
      node.form = .ring(ring, center: center)
    case .bar(var bar):
      bar.progress = nil
      bar.parts = []
      node.form = .bar(bar)
    case .text(var text) where text.role != .word:
      text.isWithheld = true
      node.form = .text(text)
    default: break
    }
    return node
  }

  /// The view for a screen that strangers see: blocks in place of all words and numbers, empty shares, and no actions.
  /// Icons stay, except those that replace a word or a number.
  public var redacted: ViewNode {
    var node = withheld.mapped(\.redacted)
    node.action = nil
    switch node.form {
    case .text(var text):
      text.isWithheld = true
      node.form = .text(text)
    case .icon(let symbol) where symbol.isValue: node.form = .stack(.vertical, [])
    default: break
    }
    return node
  }

  private func withBadge(in family: ViewFamily, _ stale: String) -> ViewNode {
    func warning(_ side: Double) -> ViewNode { .icon("exclamationmark.triangle", "!", .orange, side: side) }
    let word = ViewNode.word(stale, .orange, .micro)
    let badge = ViewNode.horizontal(warning(12), word, gap: 4)
    switch family {
    case .accessoryInline: return .horizontal(warning(12), word, growing())
    case .accessoryCircular:
      guard case .ring(let ring, let center) = form else { return above(warning(12)) }
      return ViewNode(.ring(ring, center: center.above(warning(12))), action: action)
    default:
      if case .stack(.vertical, var nodes) = form, let first = nodes.first, first.isHeading {
        nodes[0] = .horizontal(first.growing(), badge)
        var view = self
        view.form = .stack(.vertical, nodes)
        return view
      }
      return .vertical(.horizontal(.spacer, badge), growing(), gap: 4)
    }
  }

  /// The node with another one below it, centred.
  private func above(_ node: ViewNode) -> ViewNode {
    guard case .stack(.centred, let nodes) = form, room.more == nil else { return .centred(self, node, gap: 0) }
    return ViewNode(.stack(.centred, nodes + [node]), action: action).gap(0)
  }

  /// Whether it is one line with room for a badge at its end.
  private var isHeading: Bool {
    switch form {
    case .text(let text): text.lineLimit == 1
    case .stack(.horizontal, let nodes): nodes.allSatisfy(\.isHeading)
    case .icon: true
    default: false
    }
  }
}
