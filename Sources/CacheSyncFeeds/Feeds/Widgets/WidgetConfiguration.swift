package import CacheSyncSystem

/// A kind that a person configured: `widgets/<name>.json` (widgets.md).
package struct WidgetConfiguration: Sendable, Equatable {
  /// The name of its file without `.json`, under which it is a kind of its own.
  package var name: KindName
  /// What it shows.
  package var kind: KindName
  /// A heading for readers.
  package var title: String?
  /// Only session files at or below this path count; nil: all.
  package var from: CachePath?
  /// A value for every option of the kind.
  package var options: TextMap<JSONValue>

  package init(name: KindName, kind: KindName, options: TextMap<JSONValue>) {
    self.name = name
    self.kind = kind
    self.options = options
  }

  /// Whether a session file counts for the widget.
  package func covers(_ path: CachePath) -> Bool { from.map { path.isWithin($0) } ?? true }
}

extension Kind {
  /// The feeds of which a widget shows only the files that it covers. Intents count everywhere, and so do feeds that the
  /// kind only looks at.
  var narrowedFeeds: [FeedName] { presentWith.filter { $0 != IntentsFeed.name } }

  /// The kind as a widget shows it.
  package func configured(by widget: WidgetConfiguration) -> Kind {
    var kind = self
    kind.name = widget.name
    kind.widget = widget
    kind.displayName = widget.title.map { .text($0) } ?? displayName
    // A problem of the widget's file belongs to its own snapshot alone.
    kind.feeds += [WidgetsFeed.name, WidgetsFeed.scope(of: widget.name)]
    return kind
  }
}
