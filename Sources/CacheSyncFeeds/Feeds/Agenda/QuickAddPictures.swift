// What the widgets for new tasks and events show.
extension QuickAddKind {
  static func small(_ entry: ViewInput) -> ViewNode {
    .centred(
      .icon("plus", "+", .blue, side: 44), .word(entry.phrase(.quickAdd), .ink, .headline),
      .word(entry.phrase(.tapToCreate), .soft, .caption))
  }

  static func medium(_ entry: ViewInput) -> ViewNode {
    let tiles = entry.list("actions").prefix(3).map { action in
      ViewNode.centred(icon(action), .text(action["title"].words).twoLines(), gap: 8)
        .on(.tile).growing().onTap(ViewNode.Action(linkOf: action))
    }
    return .vertical(
      .horizontal(.icon("plus", "+", .blue, side: 20), .word(entry.phrase(.quickAdd), .ink, .headline).growing()),
      .horizontal(tiles).growing(), gap: 12)
  }

  /// The icon for the link's target.
  private static func icon(_ action: JSONValue) -> ViewNode {
    switch action["deepLink"]?.string.flatMap({ DeepLink($0) })?.form {
    case .newTask?: .icon("checklist", "☑", .blue, side: 28)
    case .newEvent?: .icon("calendar", "📅", .blue, side: 28)
    case .chat?: .icon("bubble.left", "💬", .blue, side: 28)
    default: .icon("plus", "+", .blue, side: 28)
    }
  }
}
