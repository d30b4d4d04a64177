package import CacheSyncSystem

/// The widgets of a cache, `widgets/<name>.json` (widgets.md).
///
/// Like definitions, the agent reads them as it reads session files, with the same patience and last good versions.
/// They have no kinds of their own: a cache's ``FeedRegistry`` has those that count.
package final class WidgetsFeed: Feed {
  package static let name = FeedName(CacheLayout.widgets)

  private static let files = NamedFile(feed: name, noun: "widget", example: "carbs-only")

  private var sessions: [CachePath: WidgetConfiguration] = [:]

  package init() {}

  /// Where a problem of a widget's file belongs: to that widget's snapshot.
  package static func scope(of widget: KindName) -> FeedName { files.scope(of: widget.description) }

  package static func scope(ofFile path: CachePath) -> FeedName { files.scope(of: NamedFile.name(of: path)) }

  /// The descriptor of this feed, which every cache has.
  ///
  /// - Parameter kinds: the kinds that a widget may show.
  static func descriptor(kinds: [KindName: Kind]) -> FeedDescriptor {
    FeedDescriptor(
      name, claims: files.claims, feed: { WidgetsFeed() },
      decoder: { files.decode($0, refusal: { refusal(of: $0, kinds) }) { .widget(KindName($0), kinds) } })
  }

  private static func refusal(of name: String, _ kinds: [KindName: Kind]) -> String? {
    let fileName = KindName(name).fileName
    guard fileName == CacheLayout.dayIndex || fileName == CacheLayout.manifest || kinds[KindName(name)] != nil else {
      return nil
    }
    return
      "\(JSONMessage.quoted(name)) is the name of a snapshot that exists without widgets: give the file another name"
  }

  package func put(_ session: WidgetConfiguration, from file: SessionFile, in calendar: CivilCalendar) {
    sessions[file.path] = session
  }

  package func remove(_ path: CachePath) { sessions[path] = nil }

  package func mark(_ path: CachePath, unusable: Bool) {}

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool { false }

  /// The widgets that count, sorted by name.
  ///
  /// - Parameter registry: the kinds; a widget counts only if its kind exists and no kind has the widget's name.
  package func inForce(in registry: FeedRegistry) -> [WidgetConfiguration] {
    let valid = sessions.sorted { $0.key < $1.key }.map(\.value).filter { widget in
      registry.plainKind(named: widget.kind) != nil && registry.plainKind(named: widget.name) == nil
    }
    return Array(valid.prefix(NamedFile.maximumCount))
  }

  /// A problem for each valid widget that does not count.
  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    let inForce = Set(feeds.registry.widgets.map(\.name))
    return sessions.sorted { $0.key < $1.key }.compactMap { path, widget in
      if inForce.contains(widget.name) { return nil }
      let message =
        feeds.registry.plainKind(named: widget.name) != nil
        ? "a definition has a kind named \(widget.name), which wins: give the file another name"
        : feeds.registry.plainKind(named: widget.kind) == nil
          ? "the kind \(widget.kind) is gone: name another"
          : Self.files.tooMany(widget.name.description)
      return Problem(path: path, message: message, scope: Self.scope(of: widget.name))
    }
  }
}
