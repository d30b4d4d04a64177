// pictures.md section 7, calories.
extension CaloriesKind {
  static func circular(_ entry: ViewInput) -> ViewNode {
    // Without numbers the ring is not described.
    let words = entry.showsNumbers && !entry.isEmpty ? nil : entry["inline"].words
    let symbol = ViewNode.icon(entry["circular"].words, "🍴", .green, side: 28).described(as: words)
    return .ring(entry["progress"]?.double, symbol, diameter: 64)
  }

  static func rectangular(_ entry: ViewInput) -> ViewNode {
    let words = words(entry, "rectangular").size(.headline)
    guard !entry.isEmpty else { return .vertical(.spacer, words, .spacer, gap: 0) }
    let symbol =
      entry.showsNumbers
      ? ViewNode.icon("fork.knife", "🍴", .green, side: 20) : .icon("leaf.fill", "🌿", .green, side: 20)
    return .vertical(.spacer, .horizontal(symbol, words), .bar(entry["progress"]?.double), .spacer)
  }

  static func inline(_ entry: ViewInput) -> ViewNode { words(entry, "inline") }

  /// A published text; for a placeholder the words that a new day begins with, which are not withheld.
  private static func words(_ entry: ViewInput, _ key: String) -> ViewNode {
    guard entry.state == .placeholder else { return .label(entry[key].words) }
    return .word(entry.phrase(key == "inline" ? .syncRequired : .openAppToSync))
  }
}
