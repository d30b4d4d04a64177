extension Snapshot {
  /// What an entry shows in a family: a pure function of the entry, the kind and the zone, so that it changes only with the
  /// entry. Of a kind that this version does not know, the content's fields. A stale entry's view has a badge, and of a
  /// placeholder's the content is withheld.
  ///
  /// - Parameter entry: one of ``entries``, such as ``entry(at:)`` of now. "Today" is the day of its date.
  public func view(of entry: Entry, family: ViewFamily) -> ViewNode {
    let view = FeedRegistry.builtIn.kind(named: KindName(kind))?.view ?? ViewNode.fields
    let calendar = SnapshotCalendar(timeZone: timeZone).civil
    return view(ViewInput(entry.content, entry.state, family: family, at: entry.date, in: calendar))
      .dressed(for: entry.state, in: family)
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

  /// Every kind, feed by feed in the order of the documentation.
  public static let all: [KnownKind] = FeedRegistry.builtIn.feeds.flatMap { feed in
    feed.kinds.map { kind in
      KnownKind(
        name: kind.name.description, feed: feed.name.description, widgetKind: kind.widgetKind,
        families: kind.families.compactMap(ViewFamily.init))
    }
  }
}
