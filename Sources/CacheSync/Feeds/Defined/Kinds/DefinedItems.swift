package import CacheSyncSystem

/// The session files of one defined feed in one cache, and which of their items count (definitions.md sections 2 and 10).
///
/// Of items with the same id the one from the file with the greatest date counts, then the one from the greatest path; in one
/// file the later. Items without id all count. This is decided before the definition's `where`.
package final class DefinedItems {
  struct File {
    /// As it was read, to be settled again when the cache has another zone. Its items are not kept twice: where nothing is to
    /// be settled, `items` has them.
    var session: DefinedSession
    var modified: Instant
    var isUnusable: Bool
    /// The file's own date, or else when it was modified.
    var date: Instant
    var items: [ResolvedItem]
  }

  private let definition: FeedDefinition
  private(set) var files: [CachePath: File] = [:]
  private var counted: [ResolvedItem]?

  package init(_ definition: FeedDefinition) {
    self.definition = definition
  }

  /// Takes a session in, in place of what the path gave before.
  package func put(
    _ session: DefinedSession, path: CachePath, modified: Instant, isUnusable: Bool, in calendar: CivilCalendar
  ) {
    files[path] = resolved(session, path, modified, isUnusable, calendar)
    counted = nil
  }

  /// Forgets a file; one that never gave a session is not an error.
  package func remove(_ path: CachePath) {
    if files.removeValue(forKey: path) != nil { counted = nil }
  }

  /// Says whether the file is unusable now, so that its last good version stands in for it.
  package func mark(_ path: CachePath, unusable: Bool) { files[path]?.isUnusable = unusable }

  /// The cache has another zone.
  package func rebuild(in calendar: CivilCalendar) {
    for (path, file) in files {
      var session = file.session
      if !session.isOpen { session.items = file.items.map(\.item) }
      files[path] = resolved(session, path, file.modified, file.isUnusable, calendar)
    }
    counted = nil
  }

  /// Whether there is no usable file.
  package var isEmpty: Bool { files.isEmpty }

  /// The files that count, in order.
  package var paths: [CachePath] { definition.use == .newest ? newestPath.map { [$0] } ?? [] : files.keys.sorted() }

  /// Whether the last good version of an unusable file counts.
  package var showsUnusable: Bool {
    switch definition.use {
    case .all: files.values.contains(where: \.isUnusable)
    case .newest: newestPath.flatMap { files[$0]?.isUnusable } ?? false
    }
  }

  /// From when age counts: the greatest date of the files that count; nil: nothing goes stale by age, because the definition
  /// does not say how files are dated.
  package var newestDate: Instant? { definition.updated != nil ? files.values.map(\.date).max() : nil }

  /// The greatest date of a file, its own or else when it was modified; nil: there is no file.
  package var newestFileDate: Instant? { files.values.map(\.date).max() }

  /// The items that count, by path and place.
  var counting: [ResolvedItem] {
    if let counted { return counted }
    let counting = countItems()
    counted = counting
    return counting
  }

  /// The date of the file from which the item with an id counts; nil: there is no such item. Of what repeats only the
  /// occurrences have ids, also outside of the days that are looked at.
  package func fileDate(ofItem id: String) -> Instant? {
    for item in counting {
      guard let own = item.item.id else { continue }
      if !item.item.repeats ? isSameText(own, id) : item.hasOccurrence(id) { return files[item.path]?.date }
    }
    return nil
  }

  private func resolved(
    _ session: DefinedSession, _ path: CachePath, _ modified: Instant, _ isUnusable: Bool, _ calendar: CivilCalendar
  ) -> File {
    let settled = definition.settled(session, in: calendar)
    let fileCalendar = session.zone.map { CivilCalendar($0) } ?? calendar
    // Not cut to whole seconds, as the items' times are: it only says which file is the newer.
    let date: Instant? =
      switch settled.updated?.point {
      case .instant(let instant): instant
      case .wall(let wall): fileCalendar.firstInstant(at: wall)
      case nil: nil
      }
    var file = File(
      session: session, modified: modified, isUnusable: isUnusable, date: date ?? modified,
      items: ResolvedItem.all(of: settled, path: path, in: calendar))
    if !session.isOpen { file.session.items = [] }
    return file
  }

  /// The file with the greatest date, then the greatest path.
  private var newestPath: CachePath? { files.max { isOlder($0, $1) }?.key }

  private func isOlder(_ a: (key: CachePath, value: File), _ b: (key: CachePath, value: File)) -> Bool {
    a.value.date == b.value.date ? a.key < b.key : a.value.date < b.value.date
  }

  private func countItems() -> [ResolvedItem] {
    var counting: [ResolvedItem] = []
    var seen: Set<RecordID> = []
    let used =
      definition.use == .newest ? newestPath.flatMap { path in files[path].map { [(path, $0)] } } ?? [] : Array(files)
    for (_, file) in used.sorted(by: { isOlder($1, $0) }) {
      seen.formUnion(file.session.droppedIDs)
      for item in file.items.reversed() {
        if let id = item.item.id, !seen.insert(RecordID(id)).inserted { continue }
        if !item.isExcluded { counting.append(item) }
      }
    }
    return counting.sorted { $0.path == $1.path ? $0.place < $1.place : $0.path < $1.path }
  }
}
