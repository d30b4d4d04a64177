// pictures.md section 7, daily-progress.
extension DailyProgressKind {
  /// The energy that may still be eaten, inside the ring of the energy eaten.
  static func small(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return NutritionPictures.unsynced(entry) }
    return ViewNode(.stack(.centred, [ring(entry, .leftUnit, diameter: 80)] + text(entry))).gap(8)
  }

  /// The same, with the three macros next to it.
  static func medium(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return NutritionPictures.unsynced(entry) }
    var lines = entry.list("macros").map { macro in
      NutritionPictures.bar(macro, entry, entry.showsNumbers ? .value("\(entry.decimal(macro["grams"])) g") : nil)
    }
    if entry.showsNumbers, !entry.isCompact, entry["lastUpdated"]?.instant != nil {
      lines.append([.label(entry.phrase(.asOf, [.time: entry.time(entry["lastUpdated"])]), .soft, .caption).optional(1)]
      )
    }
    let calories = ViewNode(.stack(.centred, [ring(entry, .caloriesLeftUnit, diameter: 84)] + text(entry))).gap(8)
    // Without macros, the ring and the numbers alone.
    if entry.list("macros").isEmpty { return calories }
    return .horizontal(calories, ViewNode.spread(lines, gap: 2).growing(), gap: 16)
  }

  private static func ring(_ entry: ViewInput, _ unit: Phrase, diameter: Double) -> ViewNode {
    let center: ViewNode =
      entry.showsNumbers
      ? .centred(
        .label(entry["caloriesRemaining"].whole, .ink, .number), .word(entry.phrase(unit), .soft, .caption), gap: 0)
      : .icon(entry["symbol"].words, "🌿", .green, side: 32)
    return .ring(entry["calorieProgress"]?.double, center, diameter: diameter)
  }

  /// The published text; for a placeholder what a new day begins with, which is not withheld.
  private static func text(_ entry: ViewInput) -> [ViewNode] {
    if entry.isCompact { return [] }
    return entry.state == .placeholder
      ? [.word(entry.phrase(.openAppToSync), .soft, .caption)] : [.label(entry["text"].words, .soft, .caption)]
  }
}
