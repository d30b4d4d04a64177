// pictures.md section 7, budget.
extension BudgetKind {
  /// The rest of the budget, and the credit.
  static func small(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return HealthPictures.noData(entry) }
    let heading = ViewNode.horizontal(.word(entry.phrase(.budget), .ink, .headline), .spacer, ring(entry, diameter: 50))
    if entry.isCompact { return .vertical(heading, .spacer, remaining(entry), gap: 4) }
    return .vertical(
      heading, .spacer, remaining(entry),
      .label("\(entry["intake"].whole) / \(entry["budget"].whole)", .soft, .caption).optional(1),
      .horizontal(
        .word(entry.phrase(.credit), .soft, .caption), .label(entry["credit"].signed, .ink, .caption), gap: 4), gap: 4)
  }

  /// The same with the budget itself, and remarks about its quality.
  static func medium(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return HealthPictures.noData(entry) }
    if entry.isCompact { return .horizontal(remaining(entry).growing(), ring(entry, diameter: 80), gap: 16) }
    let credit = entry.phrase(.creditOverDays, [.credit: entry["credit"].signed, .count: entry["daysLeft"].whole])
    var lines = [
      remaining(entry),
      .label("\(entry["intake"].whole) / \(entry["budget"].whole) kcal"),
      .horizontal(
        .word(entry.phrase(.credit), .soft, .caption), .label(credit, .ink, .caption), gap: 4),
    ]
    if entry["isValid"]?.bool != true { lines.append(.word(entry.phrase(.calibrating), .orange, .caption).optional(1)) }
    for flag in entry.list("flags").prefix(entry.atMost(1)) {
      lines.append(.label(remark(flag.string, entry, ofItsOwn: true), .orange, .caption).optional(2))
    }
    return .horizontal(.vertical(lines, gap: 4).growing(), ring(entry, diameter: 80), gap: 16)
  }

  private static func remaining(_ entry: ViewInput) -> ViewNode {
    let rest = HealthPictures.Rest(entry["remaining"])
    return HealthPictures.number(rest.amount.whole, .title, entry.phrase(rest.unit), rest)
  }

  /// The intake on a scale up to the greater of base and budget, with a dot at the lesser.
  private static func ring(_ entry: ViewInput, diameter: Double) -> ViewNode {
    let (base, budget) = (entry["base"]?.double ?? 0, entry["budget"]?.double ?? 0)
    let scale = max(base, budget)
    func share(_ amount: Double) -> Double? { scale > 0 ? amount / scale : nil }
    let flame = ViewNode.icon("flame.fill", "🔥", .orange, side: diameter * 0.4)
    return .ring(
      share(entry["intake"]?.double ?? 0), flame, .orange, diameter: diameter,
      dot: share(min(base, budget)).map { min(max($0, 0), 1) })
  }
}
