/// Draws the contents of defined kinds, by the conventional names of their templates (definitions.md section 3).
///
/// Contents are data: a name may be missing or have any type. A view leaves out what it cannot show.
package enum DefinedView {
  /// The view of a kind whose definition names the template.
  package static func of(_ template: DefinedKind.Template) -> KindView { { view(template, DefinedEntry($0)) } }

  /// The view of a kind whose definition the reader does not have. It uses the template that the content resembles,
  /// otherwise the content's fields.
  package static let inferred: KindView = { input in
    guard let template = template(of: input.content) else {
      // A blank card would look broken. In a terminal nothing is printed, because programs read its lines.
      let isBlank = input.content.object?.isEmpty == true && input.family != .terminal
      return isBlank ? message(DefinedEntry(input)) : ViewNode.fields(input)
    }
    return view(template, DefinedEntry(input))
  }

  /// The template whose names a content has; nil if it has those of none. With the names of several templates, this may
  /// not be the definition's: items with a number called `value` are a strip, even if the definition says table.
  static func template(of content: JSONValue) -> DefinedKind.Template? {
    guard let members = content.object else { return nil }
    let items = members["items"]?.array?.map(\.object)
    let rows = (items ?? []).compactMap(\.self)
    guard rows.count == items?.count ?? 0 else { return nil }
    if rows.contains(where: { $0["value"]?.double != nil }) { return .strip }
    if let progress = members["progress"], progress == .null || progress.double != nil { return .ring }
    if members["value"] != nil { return .value }
    if rows.contains(where: { $0["title"] != nil }) { return .list }
    if !rows.isEmpty { return .table }
    // Without items all templates look alike. Every content of a definition has both numbers.
    let isOfDefinition = members["count"]?.int != nil && members["more"]?.int != nil
    return isOfDefinition && (items != nil || members["text"] != nil) ? .list : nil
  }

  private static func view(_ template: DefinedKind.Template, _ entry: DefinedEntry) -> ViewNode {
    switch template {
    case .list: list(entry)
    case .value: value(entry)
    case .ring: ring(entry)
    case .table: table(entry)
    case .strip: strip(entry)
    }
  }

  /// The name under which every template takes the share of a goal that is reached, 0...1.
  package static let progressKey = "progress"

  // MARK: What several templates show

  /// The content's own text alone, if there is nothing else to show.
  static func message(_ entry: DefinedEntry) -> ViewNode {
    let text = entry.mark + (entry.text ?? entry.title ?? entry.input.phrase(.nothingToShow))
    let words = ViewNode.text(text, entry.tint ?? .ink, .headline)
    switch entry.family {
    case .terminal: return terminal(entry, [entry.icon.map { .line($0, words) } ?? words])
    case .accessoryInline: return words.size(.body)
    case .accessoryRectangular:
      // In a horizontal stack, the lines are centred vertically.
      return .horizontal([entry.icon(side: 20), words.twoLines().growing()].compactMap(\.self))
    case .accessoryCircular:
      let nodes = [entry.icon(side: 20), words.size(.caption).twoLines()].compactMap(\.self)
      return ViewNode(.stack(.centred, nodes)).gap(0)
    default:
      let nodes = [entry.icon(side: 32), words.twoLines()].compactMap(\.self)
      return ViewNode(.stack(.centred, nodes)).gap(8).growing()
    }
  }

  /// The heading above a template: the content's `title` in small type, and its `text`.
  static func heading(_ entry: DefinedEntry) -> [ViewNode] {
    guard let text = entry.text else { return entry.title.map { [line(.text($0, .ink, .headline), entry)] } ?? [] }
    let words = ViewNode.text(entry.mark + text, entry.tint ?? .ink, entry.isAmple ? .number : .headline)
    let title = entry.title.map { [ViewNode.text($0, .soft, .caption).optional(2)] } ?? []
    return (entry.family == .terminal ? [] : title) + [
      line(entry.family == .systemSmall || entry.isAmple ? words.twoLines() : words, entry)
    ]
  }

  private static func line(_ words: ViewNode, _ entry: DefinedEntry) -> ViewNode {
    guard let icon = entry.icon(side: 20) else { return words }
    return entry.family == .terminal ? .line(icon, words) : .horizontal(icon, words.growing())
  }

  /// A view for a terminal: the template's nodes, and below them the fields that no template draws.
  static func terminal(_ entry: DefinedEntry, _ nodes: [ViewNode]) -> ViewNode {
    .vertical(nodes + entry.others.map { .text("\($0.name): \($0.words)", .soft) })
  }
}
