import CacheSync
import Testing

/// The contents of a view, in the order of its nodes.
extension ViewNode {
  /// The node and all its descendants.
  var all: [ViewNode] {
    let inside: [ViewNode] =
      switch form {
      case .stack(_, let nodes): nodes
      case .row(let icon, let fields): [icon].compactMap(\.self) + fields
      case .ring(_, let center): [center]
      case .text, .bar, .icon: []
      }
    return [self] + inside.flatMap(\.all)
  }

  var actions: [Action] { all.compactMap(\.action) }

  var texts: [Text] { all.compactMap { if case .text(let text) = $0.form { text } else { nil } } }

  var symbols: [String] { all.compactMap { if case .icon(let symbol) = $0.form { symbol.name } else { nil } } }

  var rings: [Ring] { all.compactMap { if case .ring(let ring, _) = $0.form { ring } else { nil } } }

  var bars: [Bar] { all.compactMap { if case .bar(let bar) = $0.form { bar } else { nil } } }

  /// All texts of the view, joined with "·".
  var words: String { texts.map(\.words).joined(separator: " · ") }
}

extension ViewInput {
  /// An entry with a content in JSON, for Saturday, 21 November 2026, 00:00 in New York.
  init(
    _ content: String, _ family: ViewFamily, _ state: SnapshotState = .current, locale: CacheLocale = .english
  ) throws {
    let content = try #require(Array(content.utf8).withUnsafeBytes { JSONValue.parse($0) }, "\(content)")
    let calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "America/New_York"))
    self.init(
      content, state, family: family, at: try #require(Instant("2026-11-21T05:00:00Z")), in: calendar,
      locale: locale)
  }
}

/// The view of a kind for a content in a family.
func tree(_ kind: KindName, _ content: String, _ family: ViewFamily, _ state: SnapshotState = .current) throws
  -> ViewNode
{
  try #require(FeedRegistry.builtIn.kind(named: kind)).view(try ViewInput(content, family, state))
}
