// pictures.md section 7, nutrients.
extension NutrientsKind {
  static func medium(_ entry: ViewInput) -> ViewNode { list(entry, atMost: 4, gap: 4) }

  static func large(_ entry: ViewInput) -> ViewNode {
    guard !entry.list("nutrients").isEmpty else { return HealthPictures.noData(entry) }
    return .vertical(.word(entry.phrase(.nutrients), .ink, .headline), list(entry, atMost: 8, gap: 8).growing(), gap: 8)
  }

  /// A row for each nutrient, with its bar below; without a goal the bar is empty.
  private static func list(_ entry: ViewInput, atMost limit: Int, gap: Double) -> ViewNode {
    let nutrients = entry.list("nutrients")
    guard !nutrients.isEmpty else { return HealthPictures.noData(entry) }
    return .list(of: nutrients, atMost: limit, more: entry["more"], gap: gap) { nutrient in
      .vertical(
        .row(
          nil, .label((nutrient["displayName"] ?? nutrient["name"]).words).growing(),
          .value(amount(of: nutrient, entry), .soft, .caption)),
        .bar(nutrient["progress"]?.double, .blue), gap: 2)
    }
  }
}
