// pictures.md section 7, macros.
extension MacrosKind {
  /// The protein, or the one macro of a widget.
  static func small(_ entry: ViewInput) -> ViewNode {
    guard let protein = entry.list("macros").first, !entry.isEmpty else { return HealthPictures.noData(entry) }
    let name = ViewNode.word(entry.shortHeading(of: protein), .ink, .headline)
    return .vertical(
      [.horizontal(name, .spacer, ring(protein, .icon("fork.knife", "🍴", .red, side: 20), diameter: 50)), .spacer]
        + amounts(protein, .title, entry), gap: 4)
  }

  /// The three side by side.
  static func medium(_ entry: ViewInput) -> ViewNode {
    let macros = entry.list("macros")
    guard !macros.isEmpty, !entry.isEmpty else { return HealthPictures.noData(entry) }
    if macros.count == 1 {
      let name = ViewNode.word(entry.heading(of: macros[0]), .ink, .headline)
      return .horizontal(
        .vertical([name] + amounts(macros[0], .title, entry), gap: 4).growing(),
        ring(macros[0], .icon("fork.knife", "🍴", HealthPictures.tint(of: macros[0]), side: 28), diameter: 80), gap: 16)
    }
    let columns = macros.map { macro in
      let name = ViewNode.word(entry.shortHeading(of: macro), .ink, .micro)
      let nodes = [ring(macro, name, diameter: 60)] + amounts(macro, .headline, entry)
      return [ViewNode(.stack(.centred, nodes)).gap(4).growing()]
    }
    return .horizontal(Array(columns.joined(separator: [.divider])))
  }

  private static func ring(_ macro: JSONValue, _ center: ViewNode, diameter: Double) -> ViewNode {
    .ring(HealthPictures.progress(of: macro), center, HealthPictures.tint(of: macro), diameter: diameter)
  }

  /// The rest and, smaller, the budget; without a budget only the amount eaten.
  private static func amounts(_ macro: JSONValue, _ size: ViewNode.Size, _ entry: ViewInput) -> [ViewNode] {
    let rest = HealthPictures.Rest(macro["remaining"])
    guard macro["budget"]?.double != nil else {
      return [HealthPictures.number(entry.decimal(macro["grams"]), size, "g", rest)]
    }
    let left = HealthPictures.number(entry.decimal(rest.amount), size, entry.phrase(rest.gramsUnit), rest)
    if entry.isCompact { return [left] }
    return [
      left,
      .label("\(entry.decimal(macro["grams"])) / \(entry.decimal(macro["budget"])) g", .soft, .caption),
    ]
  }
}
