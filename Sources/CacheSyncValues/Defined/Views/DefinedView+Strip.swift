extension DefinedView {
  /// The items' values as bars along the day.
  static func strip(_ entry: DefinedEntry) -> ViewNode {
    guard !entry.items.isEmpty else { return message(entry) }
    // A terminal and a small card have room for hours.
    let isFine = entry.family == .systemMedium || entry.family == .systemLarge
    let strip = DayStrip(entry.items, entry, isFine: isFine)
    switch entry.family {
    case .terminal:
      let line = [strip.labels.first, strip.signs, strip.labels.dropFirst().last].compactMap(\.self)
      let now = amount(entry).map { [ViewNode.label($0)] } ?? []
      return terminal(
        entry,
        heading(entry) + now + [.label(line.joined(separator: " "))] + extremes(entry).map { .text($0, .soft) }
          + more(entry))
    case .accessoryInline: return .text(entry.markedText ?? extremes(entry).first ?? entry.title ?? .missing)
    case .accessoryCircular: return .centred(.label(entry.mark + currentValue(entry), entry.tint ?? .ink, .number))
    case .accessoryRectangular:
      let text = entry.markedText.map { [ViewNode.text($0, .ink, .caption)] } ?? []
      return .vertical(text + [bars(strip, entry)] + cut(entry), gap: 4)
    case .systemSmall:
      let now = current(entry, .headline)
      let heading = heading(entry).map { $0.size(now.isEmpty ? .body : .caption) }
      return .vertical(
        heading + now + [graph(strip, [strip.labels.first, strip.labels.last], entry)] + cut(entry), gap: 4)
    case .systemMedium:
      return .vertical(
        heading(entry) + current(entry, .number) + [graph(strip, strip.labels, entry)] + cut(entry), gap: 4)
    case .systemLarge:
      let words = extremes(entry).map { ViewNode.text($0, .soft, .caption) }
      return .vertical(
        heading(entry) + current(entry, .display) + words + [graph(strip, strip.labels, entry)] + cut(entry), gap: 8)
    }
  }

  /// The content's `value` with its unit; of a content without `value` and `text`, that of the item in force. Nil if the
  /// text has it.
  private static func amount(_ entry: DefinedEntry) -> String? {
    let value = entry.filled("value") ?? (entry.text == nil && current(entry) != nil ? currentValue(entry) : nil)
    let words = value.map { [$0, entry.filled("unit")].compactMap(\.self).joined(separator: " ") }
    return words.flatMap { entry.text?.contains($0) ?? false ? nil : $0 }
  }

  private static func current(_ entry: DefinedEntry, _ size: ViewNode.Size) -> [ViewNode] {
    amount(entry).map { [.text($0, entry.tint ?? .ink, size)] } ?? []
  }

  /// The bars, and beside and below them the ends of their axes.
  private static func graph(_ strip: DayStrip, _ labels: [String?], _ entry: DefinedEntry) -> ViewNode {
    let below = axis(labels)
    let graph = ViewNode.vertical([bars(strip, entry), below], gap: 4).growing()
    guard let scale = strip.scale else { return graph }
    let ends = [scale.top, scale.foot].map { value in
      ViewNode.label(DefinedWords.words(.number(value), in: entry.input.language), .soft, .micro)
    }
    return .horizontal([.vertical([ends[0], .spacer, ends[1], axisRoom], gap: 4), graph], gap: 4)
      .growing()
  }

  /// How many items the kind's limit leaves out.
  private static func cut(_ entry: DefinedEntry) -> [ViewNode] { more(entry).map { $0.size(.micro) } }

  private static func bars(_ strip: DayStrip, _ entry: DefinedEntry) -> ViewNode {
    // The tone of the content is about its text; each bar has its own.
    let tint = entry.colour ?? .blue
    let bars = strip.shares.enumerated().map { place, share in
      // A tone matters more than which bar is now.
      let toned = strip.tones[place] ?? (strip.current == place ? .orange : tint)
      var bar = ViewNode.Bar(share, tint: toned)
      bar.isUpright = true
      // Tracks would read as a rest that is missing, so only the bar of now has one, which marks it.
      bar.hasTrack = strip.current == place
      return ViewNode(.bar(bar)).growing()
    }
    return ViewNode.horizontal(bars, gap: bars.count > 48 ? 0.5 : bars.count > 12 ? 2 : 4).growing()
  }

  /// As high as the labels of an axis.
  private static let axisRoom = ViewNode.vertical([.vertical([], gap: 0), .vertical([], gap: 0)], gap: 13)

  private static func axis(_ labels: [String?]) -> ViewNode {
    let labels = labels.compactMap(\.self).map { ViewNode.label($0, .soft, .micro) }
    return .horizontal(Array(labels.map { [$0] }.joined(separator: [.spacer])))
  }

  /// "from 8.8 ct/kWh at 22:00 to 9.5 ct/kWh at 21:00".
  private static func extremes(_ entry: DefinedEntry) -> [String] {
    let known = entry.items.filter { $0.value != nil }
    guard let least = known.min(by: { ($0.value ?? 0) < ($1.value ?? 0) }),
      let greatest = known.max(by: { ($0.value ?? 0) < ($1.value ?? 0) })
    else { return [] }
    let (from, to) = (words(least, entry), words(greatest, entry))
    return [from == to ? from : "from \(from) to \(to)"]
  }

  private static func words(_ item: DefinedItemView, _ entry: DefinedEntry) -> String {
    let unit = entry.filled("unit").map { " " + $0 } ?? ""
    return item.mark + item.words(item.item["value"]) + unit
      + (item.start.map { " at " + entry.input.time($0) } ?? "")
  }

  private static func current(_ entry: DefinedEntry) -> DefinedItemView? {
    entry.items.last { $0.isInForce(at: entry.input.moment) }
  }

  /// The value of the item in force.
  private static func currentValue(_ entry: DefinedEntry) -> String {
    DefinedWords.words(current(entry)?.item["value"], in: entry.input.language)
  }
}
