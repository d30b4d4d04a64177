/// A node of a view: what a kind shows, without sizes, places or fonts.
///
/// A kind describes its view once, as a small tree of these values. ``TerminalView`` draws it and gives the nodes their
/// sizes. Text is as it stands in the content; the drawing escapes control characters.
package struct ViewNode: Sendable, Equatable {
  /// The six nodes.
  package indirect enum Form: Sendable, Equatable {
    /// Several nodes.
    case stack(Axis, [ViewNode])
    /// One line of text.
    case text(String, Tint, Role)
    /// A share of something, 0…1, as a ring with what stands inside it; null: there is nothing to measure.
    case ring(Double?, center: ViewNode)
    /// A share of something, 0…1, as a bar; null: there is nothing to measure.
    case bar(Double?)
    /// A line of a list: an icon, a text that may be cut, and values that line up with those of the rows around it.
    case row(ViewNode?, [ViewNode])
    /// A symbol by the name that snapshots use, and the sign that stands for it in text.
    case icon(symbol: String, sign: String, Tint)
  }

  package enum Axis: Sendable, Equatable {
    /// Side by side.
    case horizontal
    /// One under another, from the leading edge.
    case vertical
    /// One under another, in the middle.
    case centred
  }

  /// A text's colour, by what it means.
  package enum Tint: Sendable, Equatable {
    case ink
    /// Of less importance.
    case soft
    /// A doubt.
    case orange
    /// Done, or chosen.
    case green
    /// Too much, or too late.
    case red
  }

  /// What a text is, which decides how it gives way where there is little room.
  package enum Role: Sendable, Equatable {
    /// A name or a sentence, which may end in an ellipsis.
    case text
    /// A word or a time, which is never cut for the sake of others.
    case label
    /// A number with its unit: never cut either, and at the end of its column.
    case value
  }

  /// What a tap on a node does.
  package enum Action: Sendable, Equatable {
    /// Opens a link of the content.
    case link(String)
    /// Drops an intent of a type with these fields, beside `id` and `at`.
    case intent(String, [String: String])
  }

  package var form: Form
  package var action: Action?

  package init(_ form: Form, action: Action? = nil) {
    self.form = form
    self.action = action
  }
}

extension ViewNode.Action {
  /// Opens the link that a part of the content has; nil: it has none.
  package init?(linkOf part: JSONValue) {
    guard let link = part["deepLink"]?.string else { return nil }
    self = .link(link)
  }
}

extension ViewNode {
  package static func horizontal(_ nodes: ViewNode...) -> ViewNode { ViewNode(.stack(.horizontal, nodes)) }

  package static func vertical(_ nodes: [ViewNode]) -> ViewNode { ViewNode(.stack(.vertical, nodes)) }

  package static func centred(_ nodes: ViewNode...) -> ViewNode { ViewNode(.stack(.centred, nodes)) }

  package static func text(_ text: String, _ tint: Tint = .ink) -> ViewNode { ViewNode(.text(text, tint, .text)) }

  package static func label(_ text: String, _ tint: Tint = .ink) -> ViewNode { ViewNode(.text(text, tint, .label)) }

  package static func value(_ text: String) -> ViewNode { ViewNode(.text(text, .ink, .value)) }

  package static func ring(_ progress: Double?, _ center: ViewNode) -> ViewNode {
    ViewNode(.ring(progress, center: center))
  }

  package static func bar(_ progress: Double?) -> ViewNode { ViewNode(.bar(progress)) }

  package static func row(_ icon: ViewNode? = nil, _ fields: ViewNode...) -> ViewNode { ViewNode(.row(icon, fields)) }

  /// A row by itself, which does not line up with those around it.
  package static func line(_ icon: ViewNode? = nil, _ fields: ViewNode...) -> ViewNode {
    .vertical([ViewNode(.row(icon, fields))])
  }

  package static func icon(_ symbol: String, _ sign: String, _ tint: Tint = .ink) -> ViewNode {
    ViewNode(.icon(symbol: symbol, sign: sign, tint))
  }

  /// The same node, with what a tap on it does.
  package func onTap(_ action: Action?) -> ViewNode { ViewNode(form, action: action) }

  /// What a kind without a view of its own shows: its fields by name, one row each.
  package static func fields(_ content: JSONValue) -> ViewNode {
    .vertical(
      (content.object ?? [:]).sorted { $0.key < $1.key }.map { .text("\($0.key): \(Optional($0.value).words)") })
  }

  /// A row that says how many are not shown; none when all are.
  package static func more(_ count: JSONValue?) -> [ViewNode] {
    guard let count = count?.int, count > 0 else { return [] }
    return [.text("and \(count) more", .soft)]
  }
}
