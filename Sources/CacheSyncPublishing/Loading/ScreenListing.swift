package import CacheSync
import CacheSyncSystem

/// What `screens` prints about one file in `screens/`.
package struct ScreenListing: Sendable {
  /// The file's path in `screens/`, without `.json`.
  package let name: String
  /// The last good version, if it counts; nil: there is none.
  package let screen: ScreenConfiguration?
  package let problems: [Problem]
  /// The names for people of the kinds on it that the cache knows, with or without a session file, in the cache's language.
  package let displayNames: TextMap<JSONValue>

  /// Returns every screen of a cache, and every file that makes none, by path.
  package static func all(of contents: CacheContents, at moment: Moment) -> [ScreenListing] {
    let inForce = (contents.feeds[ScreensFeed.name] as? ScreensFeed)?.inForce ?? []
    let screens = Dictionary(uniqueKeysWithValues: inForce.map { ($0.path, $0.screen) })
    var problems: [CachePath: [Problem]] = [:]
    for note in contents.allProblems(at: moment) {
      guard let path = note.problem.path else { continue }
      problems[contents.layout.original(ofCopy: path, isDirectory: false) ?? path, default: []].append(note.problem)
    }
    let paths = contents.files.paths.filter { contents.layout.role(of: $0) == .session(ScreensFeed.name) }
    return paths.sorted().map { path in
      let name = path.description.dropFirst(CacheLayout.screens.utf8.count + 1).dropLast(".json".utf8.count)
      return ScreenListing(
        name: String(name), screen: screens[path], problems: problems[path] ?? [],
        displayNames: names(on: screens[path], of: contents, at: moment))
    }
  }

  private static func names(
    on screen: ScreenConfiguration?, of contents: CacheContents, at moment: Moment
  ) -> TextMap<JSONValue> {
    var names: TextMap<JSONValue> = [:]
    for card in screen?.widgets ?? [] {
      guard let kind = contents.registry.kind(named: card.kind) else { continue }
      names[card.kind.description] = .string(kind.displayName.text(in: moment.language))
    }
    return names
  }
}
