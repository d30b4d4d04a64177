package import CacheSyncSystem

/// The screens of a cache, `screens/<name>.json` (screens.md).
///
/// They publish nothing: programs beside the agent read them.
package final class ScreensFeed: Feed {
  package static let name = FeedName(CacheLayout.screens)

  private static let files = NamedFile(feed: name, noun: "screen", example: "kitchen")

  private var sessions: [CachePath: ScreenConfiguration] = [:]

  package init() {}

  /// The descriptor of this feed, which every cache has.
  static let descriptor = FeedDescriptor(
    name, claims: files.claims, feed: { ScreensFeed() }, decoder: { files.decode($0) { .screen($0) } })

  package func put(_ session: ScreenConfiguration, from file: SessionFile, in calendar: CivilCalendar) {
    sessions[file.path] = session
  }

  package func remove(_ path: CachePath) { sessions[path] = nil }

  package func mark(_ path: CachePath, unusable: Bool) {}

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool { false }

  /// The screens that count, by the paths of their files.
  package var inForce: [(path: CachePath, screen: ScreenConfiguration)] {
    sessions.sorted { $0.key < $1.key }.prefix(NamedFile.maximumCount).map { ($0.key, $0.value) }
  }

  /// A problem for each valid screen that does not count, and a warning for each card that shows nothing, or another
  /// size.
  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    let screens = sessions.sorted { $0.key < $1.key }
    return screens.dropFirst(NamedFile.maximumCount).map { path, screen in
      Problem(path: path, message: Self.files.tooMany(screen.name), scope: Self.files.scope(of: screen.name))
    }
      + screens.prefix(NamedFile.maximumCount).flatMap { path, screen in
        screen.widgets.compactMap { card in
          Self.warning(about: card, in: feeds.registry).map { message in
            Problem(
              .warning, path: path, line: card.place.line, column: card.place.column, pointer: card.place.pointer,
              message: message, scope: Self.files.scope(of: screen.name))
          }
        }
      }
  }

  private static func warning(about card: ScreenConfiguration.Card, in registry: FeedRegistry) -> String? {
    guard let kind = registry.kind(named: card.kind) else {
      let names = registry.kinds.map(\.name.description)
      return
        "unknown widget \(JSONMessage.quoted(card.kind.description)): "
        + NearestName.advice(for: card.kind.description, among: names)
    }
    guard let family = card.family, !kind.families.contains(family.rawValue) else { return nil }
    return
      "\(kind.name) has no family \(family.rawValue), so the greatest that the room allows is shown: use one of "
      + kind.families.joined(separator: ", ")
  }
}
