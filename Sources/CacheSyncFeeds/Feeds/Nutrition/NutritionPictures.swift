/// What the pictures of several nutrition kinds share.
enum NutritionPictures {
  /// Replaces all numbers if the app has not written any.
  static func unsynced(_ entry: ViewInput) -> ViewNode {
    .nothing("fork.knife", "🍴", entry.phrase(.openAppToSync))
  }

  /// A macro's name with a value at the end of its line, and its bar below.
  static func bar(_ macro: JSONValue, _ entry: ViewInput, _ value: ViewNode? = nil) -> [ViewNode] {
    let name = ViewNode.word(entry.heading(of: macro))
    return [value.map { .row(nil, name.growing(), $0) } ?? name, bar(of: macro)]
  }

  static func bar(of macro: JSONValue) -> ViewNode { .bar(macro["progress"]?.double, tint(of: macro)) }

  /// The colour of a macro in all nutrition pictures (pictures.md section 3).
  static func tint(of macro: JSONValue) -> ViewNode.Tint {
    switch macro["name"]?.string {
    case "protein": .blue
    case "carbs": .orange
    case "fat": .purple
    default: .green
    }
  }
}
