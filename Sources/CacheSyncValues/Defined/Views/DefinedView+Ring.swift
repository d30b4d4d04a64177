extension DefinedView {
  /// A share as a ring, and the content's text. Inside the ring is the content's value, otherwise the share in percent.
  static func ring(_ entry: DefinedEntry) -> ViewNode {
    guard let progress = entry.input["progress"]?.double else { return message(entry) }
    let tint = entry.tint ?? .blue
    let value = entry.filled("value")
    let unit = value == nil ? nil : entry.filled("unit")
    let inside = value ?? entry.input.percent(entry.input["progress"])
    let text = entry.markedText.map { [ViewNode.text($0)] } ?? []
    func ring(_ diameter: Double, _ size: ViewNode.Size) -> ViewNode {
      let unit = unit.map { [ViewNode.label($0, .soft, .micro)] } ?? []
      let inside = (entry.family == .accessoryCircular ? entry.mark : "") + inside
      return .ring(
        progress, ViewNode(.stack(.centred, [.label(inside, .ink, size)] + unit)).gap(0), tint, diameter: diameter)
    }
    switch entry.family {
    case .terminal:
      let words = ViewNode.label([inside, unit].compactMap(\.self).joined(separator: " "))
      // A label, so that the bar does not cut it.
      let text = entry.markedText.map { [ViewNode.label($0)] } ?? []
      return terminal(entry, [.horizontal([.ring(progress, words, tint)] + text)] + rows(entry) + more(entry))
    case .accessoryInline: return .text(entry.markedText ?? entry.mark + inside)
    case .accessoryCircular: return ring(64, .headline)
    case .accessoryRectangular:
      return .horizontal([ring(48, .caption)] + text.map { $0.twoLines().growing() })
    case .systemSmall:
      let below = text.map { $0.size(.caption).twoLines() }
      return ViewNode(.stack(.centred, [ring(84, .number)] + below)).gap(8).growing()
    case .systemMedium:
      let texts = heading(entry).map { $0.twoLines() }
      if texts.isEmpty, entry.items.isEmpty { return ViewNode(.stack(.centred, [ring(120, .title)])).growing() }
      let beside = entry.items.isEmpty ? [.spacer] + texts + [.spacer] : texts + items(entry, atMost: 4)
      return .horizontal(ring(100, .number), .vertical(beside, gap: 4).growing(), gap: 16)
    case .systemLarge:
      let below = entry.items.isEmpty ? [] : [ViewNode.divider] + items(entry, atMost: 6)
      return .vertical(
        heading(entry)
          + [ViewNode(.stack(.centred, [ring(entry.items.isEmpty ? 200 : 120, .title)])).growing()] + below, gap: 12)
    }
  }
}
