// pictures.md section 7, quick-log.
extension QuickLogKind {
  /// The foods as tiles in two columns; a tap on one logs it.
  static func medium(_ entry: ViewInput) -> ViewNode {
    guard entry["isEmpty"]?.bool != true else {
      return .nothing(entry["symbol"].words, "☆", entry["message"].words)
    }
    let tiles = entry.list("foods").map { tile($0, entry).growing() }
    func place(_ index: Int) -> ViewNode { index < tiles.count ? tiles[index] : .spacer }
    return .vertical(
      .word(entry.phrase(.quickLog), .ink, .headline), .horizontal(place(0), place(1)).growing(),
      tiles.count > 2 ? .horizontal(place(2), place(3)).growing() : .spacer)
  }

  private static func tile(_ food: JSONValue, _ entry: ViewInput) -> ViewNode {
    var lines = [ViewNode.text(food["name"].words)]
    if entry.showsNumbers {
      lines.append(.label(entry.phrase(.caloriesUnit, [.count: food["calories"].whole]), .soft, .caption))
    }
    let plus = ViewNode.icon("plus", "+", .green)
    return ViewNode.horizontal(.vertical(lines, gap: 0).growing(), plus).on(.tile)
      .onTap(
        .intent("log-food", ["foodId": food["id"].recordID]), label: entry.phrase(.logFood, [.name: food["name"].words])
      )
  }
}
