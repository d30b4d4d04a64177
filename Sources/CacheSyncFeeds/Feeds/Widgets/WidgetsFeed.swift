package import CacheSyncSystem

/// The widgets of a cache, `widgets/<name>.json` (widgets.md).
///
/// Like definitions, the agent reads them as it reads session files, with the same patience and last good versions.
/// They have no kinds of their own: a cache's ``FeedRegistry`` has those that count.
package final class WidgetsFeed: Feed {
  package static let name = FeedName(CacheLayout.widgets)

  /// How many widgets count in a cache. If there are more, the first by path count.
  package static let maximumCount = 64

  /// The largest file that is read, in bytes.
  package static let maximumBytes = 65_536

  private var sessions: [CachePath: WidgetConfiguration] = [:]

  package init() {}

  /// The widget's name: the file's name without `.json`.
  static func widget(at path: CachePath) -> String {
    let file = path.components.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return String(file.dropLast(".json".utf8.count))
  }

  /// Where a problem of a widget's file belongs: to that widget's snapshot.
  package static func scope(of widget: KindName) -> FeedName { FeedName("\(name)/\(widget)") }

  /// The descriptor of this feed, which every cache has.
  ///
  /// - Parameter kinds: the kinds that a widget may show.
  static func descriptor(kinds: [KindName: Kind]) -> FeedDescriptor {
    FeedDescriptor(
      name, claims: CacheLayout.Claims(directories: [CacheLayout.widgets]), feed: { WidgetsFeed() },
      decoder: { decode($0, kinds: kinds) })
  }

  private static func decode(_ document: FeedDescriptor.Document, kinds: [KindName: Kind]) -> DecodedSession {
    let widget = widget(at: document.path)
    if document.path.components.count > 2 {
      // No kind has a path as its scope.
      return DecodedSession(
        defects: [
          JSONDefect(offset: 0, message: "a widget file lies directly in widgets/: move it there", place: .document)
        ],
        scope: FeedName("\(name)/\(document.path)"))
    }
    if let defect = defect(ofName: widget, kinds) {
      return DecodedSession(
        defects: [JSONDefect(offset: 0, message: defect, place: .document)], scope: scope(of: KindName(widget)))
    }
    guard document.bytes.count <= maximumBytes else {
      let message = "larger than \(maximumBytes) bytes, the limit of a widget file: shorten it"
      return DecodedSession(
        defects: [JSONDefect(offset: maximumBytes, message: message, place: .document)],
        scope: scope(of: KindName(widget)))
    }
    let (tree, defects) = JSONTree.read(document.bytes, strictly: true)
    let (session, found) = DefinitionReader(document.bytes, defects, name: widget)
      .read(tree, .widget(KindName(widget), kinds))
    return DecodedSession(
      session: session, defects: found, scope: scope(of: KindName(widget)),
      pruned: document.isPruning && session != nil ? Array(document.bytes) : nil)
  }

  private static func defect(ofName name: String, _ kinds: [KindName: Kind]) -> String? {
    let quoted = JSONMessage.quoted(name)
    if !WidgetConfiguration.isName(name) {
      return
        "\(quoted) cannot be the name of a widget: name the file with lower-case words and hyphens, such as carbs-only.json"
    }
    let fileName = KindName(name).fileName
    if fileName == CacheLayout.dayIndex || fileName == CacheLayout.manifest || kinds[KindName(name)] != nil {
      return "\(quoted) is the name of a snapshot that exists without widgets: give the file another name"
    }
    return nil
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
    return Array(valid.prefix(Self.maximumCount))
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
          : "only the first \(Self.maximumCount) widgets by path count, and \(widget.name) comes after them: remove others"
      return Problem(path: path, message: message, scope: Self.scope(of: widget.name))
    }
  }
}
