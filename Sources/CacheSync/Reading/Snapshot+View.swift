extension Snapshot {
  /// What an entry shows in a family: a pure function of the entry, the kind and the zone, so that it changes only with the
  /// entry. Of a kind that is not built in, what the names in its content suggest, else the content's fields. A stale entry's
  /// view has a badge, and of a placeholder's the content is withheld.
  ///
  /// - Parameter entry: one of ``entries``, such as ``entry(at:)`` of now. "Today" is the day of its date.
  public func view(of entry: Entry, family: ViewFamily) -> ViewNode {
    let calendar = SnapshotCalendar(timeZone: timeZone).civil
    return Self.view(ofKind: kind)(ViewInput(entry.content, entry.state, family: family, at: entry.date, in: calendar))
      .dressed(for: entry.state, in: family)
  }

  /// What readers show of a kind's contents. They do not have the definition of one that is not built in.
  static func view(ofKind kind: String) -> KindView {
    FeedRegistry.builtIn.kind(named: KindName(kind))?.view ?? DefinedView.inferred
  }
}

/// A kind of snapshot that this version of the library knows.
public struct KnownKind: Sendable, Equatable {
  /// Such as `meal-plan`.
  public let name: String
  /// The feed that its rule belongs to, such as `meal-plan` or `tasks`.
  public let feed: String
  /// The name of the app's widget.
  public let widgetKind: String
  /// The widget sizes that show it, the first one being the usual one.
  public let families: [ViewFamily]

  /// Whether a text may be a kind's name, also that of a kind which a cache itself defines; ``SnapshotReader/kinds()`` has
  /// those that are published.
  public static func isName(_ text: String) -> Bool { KindName(fileName: "\(text).json") != nil }

  /// Every kind, feed by feed in the order of the documentation.
  public static let all: [KnownKind] = FeedRegistry.builtIn.feeds.flatMap { feed in
    feed.kinds.map { kind in
      KnownKind(
        name: kind.name.description, feed: feed.name.description, widgetKind: kind.widgetKind,
        families: kind.families.compactMap(ViewFamily.init))
    }
  }
}
