/// What the pictures of the health kinds share.
enum HealthPictures {
  /// Replaces all numbers if there are no samples.
  static func noData(_ entry: ViewInput) -> ViewNode {
    .nothing("chart.pie.fill", "◔", entry["message"]?.string ?? entry.phrase(.noHealthData))
  }

  /// What is left of an amount, or how much there is too much.
  struct Rest {
    /// Without a minus; the word shows the sign.
    var amount: JSONValue?
    var isOver: Bool

    init(_ remaining: JSONValue?) {
      isOver = (remaining?.double ?? 0) < 0
      amount = remaining?.double.map { .number($0.magnitude) }
    }

    /// The word beside the number.
    var unit: Phrase { isOver ? .overUnit : .leftUnit }
    /// The same for grams.
    var gramsUnit: Phrase { isOver ? .gramsOverUnit : .gramsLeftUnit }
    var tint: ViewNode.Tint { isOver ? .red : .ink }
    /// The colour of the word.
    var softTint: ViewNode.Tint { isOver ? .red : .soft }
  }

  /// A number, with its meaning in smaller text.
  static func number(_ number: String, _ size: ViewNode.Size, _ unit: String, _ rest: Rest) -> ViewNode {
    .horizontal(.label(number, rest.tint, size), .word(unit, rest.softTint, .caption), gap: 4)
  }

  /// Above 1 if more than the budget was eaten; the published progress ends at 1.
  static func progress(of macro: JSONValue) -> Double? {
    guard Rest(macro["remaining"]).isOver else { return macro["progress"]?.double }
    return tooMuch
  }

  /// A share above 1; the drawing does not show how far above.
  static let tooMuch = 2.0

  /// The colour of a macro in all health pictures (pictures.md section 3).
  static func tint(of macro: JSONValue) -> ViewNode.Tint {
    switch macro["name"]?.string {
    case "protein": .red
    case "carbs": .orange
    default: .green
    }
  }
}

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
    return .list(of: nutrients, atMost: entry.atMost(limit), more: entry["more"], gap: gap) { nutrient in
      .vertical(
        .row(
          nil, .label((nutrient["displayName"] ?? nutrient["name"]).words).growing(),
          .value(amount(of: nutrient, entry), .soft, .caption)),
        .bar(nutrient["progress"]?.double, .blue), gap: 2)
    }
  }
}
