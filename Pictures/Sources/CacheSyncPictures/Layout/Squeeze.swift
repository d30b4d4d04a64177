import CacheSync

/// How far a view gives way to fit the height of its card. Each step gives way in one more place, in this order
/// (pictures.md section 5):
///
/// - Gaps.
/// - Second lines, from the last one on.
/// - Optional parts, by their number.
/// - Rows, from the end.
struct Squeeze: Equatable {
  private var widestGap = 16.0
  private var oneLiners = 0
  private var dropped = 0
  private var rows = 0

  /// Every step for a view, from none to the last.
  static func steps(for view: ViewNode) -> [Squeeze] {
    let counts = Counts(view)
    var step = Squeeze()
    var steps = [step]
    for gap in [8.0, 4] {
      step.widestGap = gap
      steps.append(step)
    }
    for _ in 0..<counts.secondLines {
      step.oneLiners += 1
      steps.append(step)
    }
    for _ in 0..<counts.optional.count {
      step.dropped += 1
      steps.append(step)
    }
    for _ in 0..<counts.rows {
      step.rows += 1
      steps.append(step)
    }
    return steps
  }

  /// The view after this step.
  func applied(to view: ViewNode, _ language: Language) -> ViewNode {
    let counts = Counts(view)
    let gone = Set(counts.optional.sorted().prefix(dropped))
    var secondLines = counts.secondLines - oneLiners
    var rows = counts.rows - self.rows
    return apply(view, gone, language, &secondLines, &rows)
  }

  /// Visits the nodes in their order, so that the remaining counts run out towards the end of the view.
  private func apply(
    _ view: ViewNode, _ gone: Set<Int>, _ language: Language, _ secondLines: inout Int, _ rows: inout Int
  )
    -> ViewNode
  {
    var node = view
    if !node.isHorizontal { node.room.gap = min(node.room.gap, widestGap) }
    switch node.form {
    case .text(var text) where text.lineLimit > 1:
      text.lineLimit = secondLines > 0 ? 2 : 1
      secondLines -= 1
      node.form = .text(text)
    case .stack(let axis, let nodes):
      let kept = nodes.filter { $0.room.dropOrder.map { !gone.contains($0) } ?? true }
      guard let more = node.room.more else {
        node.form = .stack(axis, kept.map { apply($0, gone, language, &secondLines, &rows) })
        break
      }
      let shown = max(0, min(rows, kept.count))
      rows -= kept.count
      var list = kept.prefix(shown).map { apply($0, gone, language, &secondLines, &rows) }
      let sum = more.addingReportingOverflow(kept.count - shown)
      let left = sum.overflow ? .max : sum.partialValue
      if left > 0 { list.append(.more(left, language, isWithheld: node.room.withholdsMore)) }
      node.room.more = nil
      node.form = .stack(axis, list)
    case .row, .ring:
      node = node.mapped { apply($0, gone, language, &secondLines, &rows) }
    case .text, .bar, .icon: break
    }
    return node
  }

  /// The parts of a view that can give way.
  private struct Counts {
    var secondLines = 0
    var optional: Set<Int> = []
    var rows = 0

    init(_ view: ViewNode) { count(view) }

    private mutating func count(_ node: ViewNode) {
      if let order = node.room.dropOrder { optional.insert(order) }
      switch node.form {
      case .text(let text): secondLines += text.lineLimit - 1
      case .stack(_, let nodes):
        if node.room.more != nil { rows += nodes.count }
        nodes.forEach { count($0) }
      case .row(let icon, let fields): Measures.nodes(icon, fields).forEach { count($0) }
      case .ring(_, let center): count(center)
      case .bar, .icon: break
      }
    }
  }
}

extension ViewNode {
  /// Whether its gaps take no height.
  fileprivate var isHorizontal: Bool {
    switch form {
    case .stack(.horizontal, _), .row: true
    default: false
    }
  }

  /// The row that replaces a number of others.
  fileprivate static func more(_ count: Int, _ language: Language, isWithheld: Bool) -> ViewNode {
    var text = Text(language(.moreRows, [.count: "\(count)"]), .label, tint: .soft)
    text.size = .caption
    text.isWithheld = isWithheld
    return ViewNode(.text(text))
  }
}
