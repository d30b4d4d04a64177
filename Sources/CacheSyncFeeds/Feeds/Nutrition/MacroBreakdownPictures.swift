// pictures.md section 7, macro-breakdown.
extension MacroBreakdownKind {
  /// The amount eaten of each macro, and what is left of it.
  static func medium(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return NutritionPictures.unsynced(entry) }
    let macros = entry.list("macros")
    guard entry.showsNumbers else { return .spread(macros.map { NutritionPictures.bar($0, entry) }, gap: 4) }
    return .spread(
      macros.map { macro in
        [
          .row(nil, ViewNode.word(entry.heading(of: macro)).growing(), grams(macro, entry)),
          entry.isCompact
            ? NutritionPictures.bar(of: macro)
            : .row(nil, NutritionPictures.bar(of: macro), .value(left(macro, entry), .soft, .caption)),
        ]
      })
  }

  /// The macros' shares of all calories, and a tile for each.
  static func large(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return NutritionPictures.unsynced(entry) }
    let macros = entry.list("macros")
    let tiles = macros.map { tile($0, entry).growing() }
    return .vertical([.word(entry.phrase(.macros), .ink, .headline), shares(macros), legend(entry)] + tiles, gap: 8)
  }

  private static func tile(_ macro: JSONValue, _ entry: ViewInput) -> ViewNode {
    let bar = NutritionPictures.bar(of: macro)
    let name = ViewNode.word(entry.heading(of: macro), .ink, .headline)
    guard entry.showsNumbers else { return ViewNode.spread([[], [name], [bar], []]).on(.tile) }
    let amounts = ViewNode.horizontal(name.growing(), grams(macro, entry))
    if entry.isCompact { return ViewNode.spread([[amounts], [bar]]).on(.tile) }
    let calories = ViewNode.value("\(macro["calories"].whole) kcal", .soft, .caption)
    return ViewNode.spread([
      [amounts], [bar],
      [.horizontal(ViewNode.label(left(macro, entry), .soft, .caption).growing(), calories)],
    ]).on(.tile)
  }

  /// One bar with the three shares.
  private static func shares(_ macros: [JSONValue]) -> ViewNode {
    var bar = ViewNode.Bar(nil)
    bar.parts = macros.map { ViewNode.Bar.Part($0["share"]?.double ?? 0, NutritionPictures.tint(of: $0)) }
    return ViewNode(.bar(bar))
  }

  private static func legend(_ entry: ViewInput) -> ViewNode {
    let parts = entry.list("macros").map { macro in
      let dot = ViewNode.icon("circle.fill", "●", NutritionPictures.tint(of: macro), side: 8)
      let name = ViewNode.word(entry.heading(of: macro), .soft, .caption)
      let share = ViewNode.label(entry.percent(macro["share"]), .ink, .caption)
      return entry.showsNumbers ? ViewNode.horizontal(dot, name, share, gap: 4) : .horizontal(dot, name, gap: 4)
    }
    return .horizontal(parts, gap: 16)
  }

  private static func grams(_ macro: JSONValue, _ entry: ViewInput) -> ViewNode {
    .value("\(entry.decimal(macro["grams"])) / \(entry.decimal(macro["target"])) g")
  }

  private static func left(_ macro: JSONValue, _ entry: ViewInput) -> String {
    entry.phrase(.left, [.amount: "\(entry.decimal(macro["remaining"])) g"])
  }
}
