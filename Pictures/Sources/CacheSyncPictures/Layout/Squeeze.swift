import CacheSync

/// How far a view gives way to fit the height of its card. Each step gives way in one more place, in this order
/// (pictures.md section 5):
///
/// - Gaps.
/// - Second lines, from the last one on.
/// - Optional parts, by their number.
/// - Rows, from the end.
///
/// In a card of a screen, which has another size than its family's usual one, each text may take any number of lines; see ``filled(_:_:cut:fits:)``.
struct Squeeze: Equatable {
  private var widestGap = 16.0
  private var oneLiners = 0
  private var dropped = 0
  private var rows = 0
  /// The most lines of each text that may be cut, in the order of the view; nil: as the view says, at most two.
  private var lines: [Int]?

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

  /// The view for a card of a screen: with every row, and with all lines of its texts. If it is too high, it gives way in the
  /// usual order. Then each text that is cut takes the lines that there is still room for, from the first one on.
  ///
  /// - Parameters:
  ///   - cut: the texts of a view that are not shown in full.
  ///   - fits: whether a view is low enough.
  /// - Returns: nil: it is too high even after the last step.
  static func filled(
    _ view: ViewNode, _ language: Language, cut: (ViewNode) -> [String: Marks.Shown], fits: (ViewNode) -> Bool
  ) -> ViewNode? {
    let counts = Counts(view)
    var step = Squeeze()
    step.lines = []
    for gap in [16.0, 8, 4] {
      step.widestGap = gap
      let node = step.applied(to: view, language)
      if fits(node) { return node }
    }
    step.lines = Array(repeating: 1, count: counts.texts)
    while !fits(step.applied(to: view, language)), step.dropped < counts.optional.count { step.dropped += 1 }
    step.rows = leastCount(upTo: counts.rows) { count in
      step.rows = count
      return fits(step.applied(to: view, language))
    }
    let first = step.applied(to: view, language)
    guard fits(first) else { return nil }
    let words = cut(first)
    let texts = step.texts(of: view, language).enumerated().filter { words[$1] != nil }.map(\.offset)
    func take(_ limit: Int, _ texts: ArraySlice<Int>) -> Bool {
      let before = step.lines
      for text in texts { step.lines?[text] = limit }
      if fits(step.applied(to: view, language)) { return true }
      step.lines = before
      return false
    }
    let left = leastCount(upTo: texts.count) { count in
      let before = step.lines
      defer { step.lines = before }
      return take(.max, texts.dropLast(count))
    }
    _ = take(.max, texts.dropLast(left))
    for text in texts.suffix(left) where !take(.max, [text]) {
      var limit = 2
      while take(limit, [text]) { limit += 1 }
    }
    return step.applied(to: view, language)
  }

  /// The least count for which something holds that also holds for every greater one; the greatest: it never does.
  private static func leastCount(upTo most: Int, _ holds: (Int) -> Bool) -> Int {
    var range = 0..<most
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = holds(middle) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound
  }

  /// The view after this step.
  func applied(to view: ViewNode, _ language: Language) -> ViewNode {
    var rest = Rest(self, Counts(view))
    return apply(view, language, &rest)
  }

  /// The texts after this step that may take further lines, in the order of the view.
  private func texts(of view: ViewNode, _ language: Language) -> [String] {
    var rest = Rest(self, Counts(view))
    _ = apply(view, language, &rest)
    return rest.texts
  }

  /// What is left of the counts while the nodes of a view are visited.
  private struct Rest {
    /// The numbers of the optional parts that are dropped.
    let gone: Set<Int>
    var secondLines: Int
    var rows: Int
    var texts: [String] = []

    init(_ step: Squeeze, _ counts: Counts) {
      gone = Set(counts.optional.sorted().prefix(step.dropped))
      secondLines = counts.secondLines - step.oneLiners
      rows = counts.rows - step.rows
    }
  }

  /// Visits the nodes in their order, so that the remaining counts run out towards the end of the view.
  private func apply(_ view: ViewNode, _ language: Language, _ rest: inout Rest) -> ViewNode {
    var node = view
    if !node.isHorizontal { node.room.gap = min(node.room.gap, widestGap) }
    switch node.form {
    case .text(var text):
      if let lines, text.isCuttable {
        text.lineLimit = lines.indices.contains(rest.texts.count) ? lines[rest.texts.count] : .max
        rest.texts.append(text.shown)
      } else if lines == nil, text.lineLimit > 1 {
        text.lineLimit = rest.secondLines > 0 ? 2 : 1
        rest.secondLines -= 1
      }
      node.form = .text(text)
    case .stack(let axis, let nodes):
      let kept = nodes.filter { $0.room.dropOrder.map { !rest.gone.contains($0) } ?? true }
      guard let more = node.room.more else {
        // On a screen, rows share what nothing else takes.
        let isSpread = lines != nil && axis == .vertical && !kept.contains(where: \.room.grows)
        node.form = .stack(
          axis,
          kept.map { child in
            var applied = apply(child, language, &rest)
            if isSpread, child.room.more != nil { applied.room.grows = true }
            return applied
          })
        break
      }
      let shown = max(0, min(rest.rows, kept.count))
      rest.rows -= kept.count
      var list = kept.prefix(shown).map { apply($0, language, &rest) }
      if lines != nil, axis == .vertical { list = list.map(\.slot) }
      let sum = more.addingReportingOverflow(kept.count - shown)
      let left = sum.overflow ? .max : sum.partialValue
      if left > 0 { list.append(.more(left, language, isWithheld: node.room.withholdsMore)) }
      node.room.more = nil
      node.form = .stack(axis, list)
    case .ring where lines != nil: break
    case .row, .ring: node = node.mapped { apply($0, language, &rest) }
    case .bar, .icon: break
    }
    return node
  }

  /// The parts of a view that can give way.
  private struct Counts {
    var secondLines = 0
    /// Those that may be cut, outside of rings.
    var texts = 0
    var optional: Set<Int> = []
    var rows = 0

    init(_ view: ViewNode) { count(view) }

    private mutating func count(_ node: ViewNode) {
      if let order = node.room.dropOrder { optional.insert(order) }
      switch node.form {
      case .text(let text):
        secondLines += text.lineLimit - 1
        if text.isCuttable { texts += 1 }
      case .stack(_, let nodes):
        if node.room.more != nil { rows += nodes.count }
        nodes.forEach { count($0) }
      case .row(let icon, let fields): Measures.nodes(icon, fields).forEach { count($0) }
      case .ring(_, let center):
        let texts = texts
        count(center)
        self.texts = texts
      case .bar, .icon: break
      }
    }
  }
}

extension ViewNode.Text {
  /// Whether it ends in an ellipsis if it does not fit.
  fileprivate var isCuttable: Bool { (role == .text || lineLimit > 1) && !isWithheld }
}

extension ViewNode {
  /// Whether its gaps take no height.
  fileprivate var isHorizontal: Bool {
    switch form {
    case .stack(.horizontal, _), .row: true
    default: false
    }
  }

  /// The row of a list in the middle of its share of the height.
  fileprivate var slot: ViewNode {
    var row = self
    row.room.grows = true
    // In a horizontal stack of one node, the lines are centred vertically. A row's columns are those of its stack.
    if case .row = form { return row }
    var slot = ViewNode(.stack(.horizontal, [row]))
    slot.room.grows = true
    return slot
  }

  /// The row that replaces a number of others.
  fileprivate static func more(_ count: Int, _ language: Language, isWithheld: Bool) -> ViewNode {
    var text = Text(language(.moreRows, [.count: "\(count)"]), .label, tint: .soft)
    text.size = .caption
    text.isWithheld = isWithheld
    return ViewNode(.text(text))
  }
}
