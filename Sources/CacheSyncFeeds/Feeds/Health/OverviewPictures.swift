// pictures.md section 7, overview.
extension OverviewKind {
  /// The rest of the day's budget, the macros, and the weight.
  static func medium(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return HealthPictures.noData(entry) }
    return day(entry, entry.isCompact ? [] : weight(entry, .caption).map { [[$0.optional(1)]] } ?? [])
  }

  /// The same, and the week.
  static func large(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return HealthPictures.noData(entry) }
    let weight = ViewNode.horizontal(
      .word(entry.phrase(.weight), .ink, .headline).growing(), weight(entry, .body) ?? .label(.missing, .soft))
    var parts = [day(entry).growing(), .divider, weight]
    let days = entry.list("week")
    if !days.isEmpty {
      parts += [
        .divider,
        .vertical(.word(entry.phrase(.pastWeek), .ink, .headline), week(days, entry.language.formats).growing())
          .growing(),
      ]
    }
    return .vertical(parts, gap: 12)
  }

  private static func day(_ entry: ViewInput, _ more: [[ViewNode]] = []) -> ViewNode {
    let bars = entry.list("macros").map { macro in
      [
        entry.isCompact
          ? .word(entry.heading(of: macro))
          : ViewNode.row(nil, .word(entry.heading(of: macro)).growing(), left(macro, entry)),
        .bar(HealthPictures.progress(of: macro), HealthPictures.tint(of: macro)),
      ]
    }
    return .horizontal(
      calories(entry["calories"] ?? .null, entry), ViewNode.spread(bars + more, gap: 2).growing(), gap: 16)
  }

  /// The rest of a macro; without a budget the amount eaten.
  private static func left(_ macro: JSONValue, _ entry: ViewInput) -> ViewNode {
    guard macro["budget"]?.double != nil else { return .value("\(entry.decimal(macro["grams"])) g", .soft, .caption) }
    let rest = HealthPictures.Rest(macro["remaining"])
    return .value(
      entry.phrase(rest.isOver ? .over : .left, [.amount: "\(entry.decimal(rest.amount)) g"]), rest.softTint, .caption)
  }

  private static func calories(_ calories: JSONValue, _ entry: ViewInput) -> ViewNode {
    let rest = HealthPictures.Rest(calories["remaining"])
    let (intake, budget) = (calories["intake"]?.double ?? 0, calories["budget"]?.double ?? 0)
    return .ring(
      budget > 0 ? intake / budget : nil,
      .centred(
        .label(rest.amount.whole, rest.tint, .headline), .word(entry.phrase(rest.unit), rest.softTint, .caption), gap: 0
      ),
      .orange, diameter: 70)
  }

  /// "80.6 kg" with its direction and speed; nil: it was never measured.
  private static func weight(_ entry: ViewInput, _ size: ViewNode.Size) -> ViewNode? {
    guard let weight = entry["weight"], weight["latest"]?.double != nil else { return nil }
    let arrow: ViewNode =
      switch weight["trend"]?.string {
      case "down": .icon("arrow.down.right", "↓", .soft)
      case "up": .icon("arrow.up.right", "↑", .soft)
      default: .icon("arrow.right", "→", .soft)
      }
    return .horizontal(
      .label("\(entry.decimal(weight["latest"])) kg", .ink, size), arrow.side(Double(size.rawValue)).asValue(),
      .label(entry.phrase(.kilogramsAWeek, [.amount: entry.decimal(weight["slopePerWeek"], places: 2)]), .soft, size),
      gap: 4)
  }

  /// Each day relative to the greatest of the week.
  private static func week(_ days: [JSONValue], _ dates: LocaleFormats) -> ViewNode {
    let greatest = days.compactMap { $0["intake"]?.double }.max() ?? 0
    let columns = days.map { day in
      let letter = day["date"]?.string.flatMap { LocalDay($0) }.map { dates.narrowWeekdays[$0.weekday.rawValue] }
      let intake = day["intake"]?.double
      var bar = ViewNode.Bar(intake.map { greatest > 0 ? $0 / greatest : 0 }, tint: .orange)
      bar.isUpright = true
      let nodes = intake == nil ? [.spacer, .label(.missing, .soft, .caption)] : [ViewNode(.bar(bar)).growing()]
      return ViewNode(.stack(.centred, nodes + [.word(letter ?? .missing, .soft, .caption)])).gap(4).growing()
    }
    return .horizontal(columns)
  }
}
