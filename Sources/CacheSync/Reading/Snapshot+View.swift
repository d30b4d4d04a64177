extension Snapshot {
  /// What an entry shows in a family: a pure function of the entry, the kind and the zone, so it changes only with the
  /// entry.
  ///
  /// The view of a kind that is not built in is that of its ``template``, otherwise it follows the names in its content. A stale
  /// entry's view has a badge. A placeholder's view withholds the content.
  ///
  /// - Parameters:
  ///   - entry: one of ``entries``, such as ``entry(at:)`` of now. "Today" is the day of its date.
  ///   - isRoomy: whether the card has another size than the family's usual one. Lists then have everything that the
  ///     content has, and the renderer leaves out rows from the end that do not fit.
  public func view(of entry: Entry, family: ViewFamily, isRoomy: Bool = false) -> ViewNode {
    let calendar = SnapshotCalendar(timeZone: timeZone).civil
    var content = entry.content
    if case .object(var members) = content {
      // In a terminal the name is above the view. A kind that is built in has neither.
      if title ?? template != nil, family != .terminal, members["title"] == nil {
        members["title"] = .string(displayName)
      }
      if let symbol, members["symbol"] == nil { members["symbol"] = .string(symbol) }
      content = .object(members)
    }
    let input = ViewInput(
      content, entry.state, family: family, at: entry.date, in: calendar, options: optionValues,
      words: words, locale: locale, isRoomy: isRoomy)
    return view(input).dressed(for: entry.state, in: family, input.language)
  }

  var optionValues: OptionValues { OptionValues(widget?.options ?? [:]) }

  /// The view that readers use, who do not have the definitions.
  var view: KindView {
    if let view = builtIn?.view { return view }
    return template.flatMap { DefinedKind.Template(rawValue: $0) }.map { DefinedView.of($0) } ?? DefinedView.inferred
  }

  /// The name for people: a widget's title, else the kind's own name, such as "Daily Progress".
  public var displayName: String { widget?.title ?? kindDisplayName }

  /// The name of the kind for people; of a widget, that of the kind that it shows.
  public var kindDisplayName: String {
    title ?? builtIn?.displayName.text(in: locale.language) ?? (widget?.kind ?? kind).asHeading
  }

  private var builtIn: Kind? { FeedRegistry.builtIn.kind(named: KindName(widget?.kind ?? kind)) }
}

/// A kind of snapshot that this version of the library knows.
///
///     for kind in KnownKind.all where kind.feed == "tasks" { print(kind.name, kind.families) }
public struct KnownKind: Sendable, Equatable {
  /// Such as `meal-plan`.
  public let name: String
  /// The feed that the kind belongs to, such as `meal-plan` or `tasks`.
  public let feed: String
  /// The name of the app's widget.
  public let widgetKind: String
  /// The widget sizes that show it, the usual one first.
  public let families: [ViewFamily]
  /// The name for people, such as "Daily Progress".
  public let displayName: String
  /// What it shows, in a sentence, for people who choose a widget.
  public let summary: String

  /// Whether a text is a valid kind name. Kinds that a cache itself defines count too; ``SnapshotReader/kinds()`` lists
  /// the published ones.
  public static func isName(_ text: String) -> Bool { KindName(fileName: "\(text).json") != nil }

  /// Every kind, feed by feed in the order of the documentation.
  public static let all: [KnownKind] = FeedRegistry.builtIn.feeds.flatMap { feed in
    feed.kinds.map { kind in
      KnownKind(
        name: kind.name.description, feed: feed.name.description, widgetKind: kind.widgetKind,
        families: kind.families.compactMap(ViewFamily.init), displayName: kind.displayName.text(in: .english),
        summary: kind.summary.text(in: .english))
    }
  }
}
