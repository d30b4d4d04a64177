package import CacheSyncSystem

/// The screens of a cache, `screens/<name>.json` (screens.md).
///
/// They publish nothing: programs beside the agent read them.
package final class ScreensFeed: Feed {
  package static let name = FeedName(CacheLayout.screens)

  private static let files = NamedFile(feed: name, noun: "screen", example: "kitchen")

  private var sessions: [CachePath: ScreenConfiguration] = [:]
  /// How many cards at the end of a screen do not fit, and for which families of its kinds that was found: problems are
  /// asked for with every publication.
  private var leftOut: [CachePath: (families: [[ViewFamily]], count: Int)] = [:]

  package init() {}

  /// The descriptor of this feed, which every cache has.
  static let descriptor = FeedDescriptor(
    name, claims: files.claims, feed: { ScreensFeed() }, decoder: { files.decode($0) { .screen($0) } })

  package func put(_ session: ScreenConfiguration, from file: SessionFile, in calendar: CivilCalendar) {
    sessions[file.path] = session
    leftOut[file.path] = nil
  }

  package func remove(_ path: CachePath) { (sessions[path], leftOut[path]) = (nil, nil) }

  package func mark(_ path: CachePath, unusable: Bool) {}

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool { false }

  /// The screens that count, by the paths of their files.
  package var inForce: [(path: CachePath, screen: ScreenConfiguration)] {
    sessions.sorted { $0.key < $1.key }.prefix(NamedFile.maximumCount).map { ($0.key, $0.value) }
  }

  /// A problem for each valid screen that does not count, and a warning for each card that shows nothing or another family,
  /// or does not fit.
  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    let screens = sessions.sorted { $0.key < $1.key }
    return screens.dropFirst(NamedFile.maximumCount).map { path, screen in
      Problem(path: path, message: Self.files.tooMany(screen.name), scope: Self.files.scope(of: screen.name))
    }
      + screens.prefix(NamedFile.maximumCount).flatMap { path, screen in
        let fitting = screen.widgets.count - countLeftOut(of: screen, at: path, in: feeds.registry)
        return screen.widgets.enumerated().flatMap { number, card in
          let size = number >= fitting ? screen.size : nil
          let messages = [
            Self.warning(about: card, in: feeds.registry), size.map { card.doesNotFit(in: $0, screen.bits) },
          ]
          return messages.compactMap(\.self).map { message in
            Problem(
              .warning, path: path, line: card.place.line, column: card.place.column, pointer: card.place.pointer,
              message: message, scope: Self.files.scope(of: screen.name))
          }
        }
      }
  }

  /// How many cards at the end do not fit in the size of a screen.
  private func countLeftOut(
    of screen: ScreenConfiguration, at path: CachePath, in registry: FeedRegistry
  ) -> Int {
    guard let size = screen.size else { return 0 }
    let families = screen.widgets.map { card in
      ViewFamily.choices(
        naming: card.family,
        of: registry.kind(named: card.kind)?.families.compactMap { ViewFamily(rawValue: $0) })
    }
    if let known = leftOut[path], known.families == families { return known.count }
    let found = CardRows.choosing(
      families.map { $0.map { CardRows.Card(usual: $0.size, least: $0.leastSize) } }, width: size.width,
      height: size.height, columns: screen.columns, leastScale: CardRows.leastScale(bits: screen.bits),
      hasWords: !screen.isRedacted && (screen.title != nil || screen.hasClock), countsRest: !screen.isRedacted)
    let count = families.count - found.chosen.count
    leftOut[path] = (families, count)
    return count
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

extension ScreenConfiguration.Card {
  fileprivate func doesNotFit(in size: ScreenConfiguration.Size, _ bits: Int) -> String {
    let name = quotedName(family.map { "\(kind):\($0.word)" } ?? kind.description)
    return "\(name) does not fit in \(size)\(bits == 1 ? " at 1 bit" : ""): "
      + "choose smaller families or a larger size, or remove widgets"
  }
}
