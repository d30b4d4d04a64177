extension DefinedView {
  /// The items' values as bars along the day.
  static func strip(_ entry: DefinedEntry) -> ViewNode {
    guard !entry.items.isEmpty else { return message(entry) }
    // A terminal and a small card have room for hours.
    let isFine = entry.family == .systemMedium || entry.family == .systemLarge
    let strip = DayStrip(entry.items, entry, isFine: isFine)
    switch entry.family {
    case .terminal:
      let labels = (first: strip.labels.first, last: strip.labels.dropFirst().last)
      let line = [labels.first, strip.signs, labels.last].compactMap(\.self).joined(separator: " ")
      return terminal(entry, heading(entry) + [.label(line)] + extremes(entry).map { .text($0, .soft) } + more(entry))
    case .accessoryInline: return .text(entry.text ?? extremes(entry).first ?? entry.title ?? .missing)
    case .accessoryCircular: return .centred(.label(currentValue(entry), entry.tint ?? .ink, .number))
    case .accessoryRectangular:
      let text = entry.text.map { [ViewNode.text($0, .ink, .caption)] } ?? []
      return .vertical(text + [bars(strip, entry)] + cut(entry), gap: 4)
    case .systemSmall:
      return .vertical(
        heading(entry).map { $0.size(.body) } + [bars(strip, entry), axis([strip.labels.first, strip.labels.last])]
          + cut(entry),
        gap: 4)
    case .systemMedium:
      return .vertical(heading(entry) + [bars(strip, entry), axis(strip.labels)] + cut(entry), gap: 4)
    case .systemLarge:
      let words = extremes(entry).map { ViewNode.text($0, .soft, .caption) }
      return .vertical(heading(entry) + words + [bars(strip, entry), axis(strip.labels)] + cut(entry), gap: 8)
    }
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
      return ViewNode(.bar(bar)).growing()
    }
    return ViewNode.horizontal(bars, gap: bars.count > 48 ? 0.5 : bars.count > 12 ? 2 : 4).growing()
  }

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

  /// The value of the item in force, otherwise of the first item with a value.
  private static func currentValue(_ entry: DefinedEntry) -> String {
    let moment = entry.input.moment
    let current = entry.items.last { item in
      guard let start = item.start, let end = item.end else { return false }
      return start <= moment && moment < end
    }
    return DefinedWords.words(
      (current ?? entry.items.first { $0.value != nil })?.item["value"], in: entry.input.language)
  }
}
