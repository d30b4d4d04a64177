package import CacheSyncSystem

/// The session files of one defined feed in one cache, and which of their items count (definitions.md sections 2 and
/// 10).
///
/// Of items with the same id, the one from the file with the latest date counts, then the one from the greatest path.
/// Within one file the last one counts. Items without an id all count. This is decided before the definition's `where`.
package final class DefinedItems {
  struct File {
    /// The session as read, so that it can be settled again when the cache's zone changes. If it has nothing to settle,
    /// only `items` keeps its items.
    var session: DefinedSession
    var modified: Instant
    var isUnusable: Bool
    /// The file's own date, otherwise its modification time.
    var date: Instant
    var items: [ResolvedItem]
  }

  package let definition: FeedDefinition
  private(set) var files: [CachePath: File] = [:]
  private var counted: [ResolvedItem]?

  package init(_ definition: FeedDefinition) {
    self.definition = definition
  }

  /// Adds a session, and replaces the one that the path had.
  package func put(
    _ session: DefinedSession, path: CachePath, modified: Instant, isUnusable: Bool, in calendar: CivilCalendar
  ) {
    files[path] = resolved(session, path, modified, isUnusable, calendar)
    counted = nil
  }

  /// Removes a file. It is not an error if the file never gave a session.
  package func remove(_ path: CachePath) {
    if files.removeValue(forKey: path) != nil { counted = nil }
  }

  /// Records whether the file is unusable now. Its last good version then counts.
  package func mark(_ path: CachePath, unusable: Bool) { files[path]?.isUnusable = unusable }

  /// Resolves all times again, because the cache has another zone.
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

  /// The paths of the files that count, in order.
  package var paths: [CachePath] { used.map(\.key).sorted() }

  /// Whether the last good version of an unusable file counts.
  package var showsUnusable: Bool { used.contains(where: \.value.isUnusable) }

  /// The date from which age counts: the latest date of the files that count. Nil if the definition does not date its
  /// files; then nothing becomes stale by age.
  package var newestDate: Instant? { definition.updated != nil ? newestFileDate : nil }

  /// The latest date of a file: its own, otherwise its modification time. Nil if there are no files.
  package var newestFileDate: Instant? { files.values.map(\.date).max() }

  /// The items that count, sorted by path and place.
  package var counting: [ResolvedItem] {
    if let counted { return counted }
    let counting = countItems()
    counted = counting
    return counting
  }

  /// The date of the file whose item with an id counts. Nil if there is no such item. If an item repeats, only its
  /// occurrences have ids, also outside of the days that kinds look at.
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
    // Not cut to whole seconds as the items' times are, because it only decides which file is newer.
    let date = settled.updated?.preciseInstant(in: ItemCalendars(of: session, cache: calendar).file)
    var file = File(
      session: session, modified: modified, isUnusable: isUnusable, date: date ?? modified,
      items: ResolvedItem.all(of: settled, path: path, in: calendar))
    if !session.isOpen { file.session.items = [] }
    return file
  }

  /// The files that count: all, or the one with the latest date; in a tie, that with the greatest path.
  private var used: [(key: CachePath, value: File)] {
    guard definition.use == .newest else { return Array(files) }
    return files.max { isOlder($0, $1) }.map { [$0] } ?? []
  }

  private func isOlder(_ a: (key: CachePath, value: File), _ b: (key: CachePath, value: File)) -> Bool {
    a.value.date == b.value.date ? a.key < b.key : a.value.date < b.value.date
  }

  private func countItems() -> [ResolvedItem] {
    var counting: [ResolvedItem] = []
    var seen: Set<RecordID> = []
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

/// An item as a definition reads it, for people who write the definition.
package struct FoundItem: Sendable {
  /// Nil: an item without times. For a repeating item: the times of its first occurrence.
  package var times: Range<Instant>?
  package var rule: RecurrenceRule?
  package var id: String?
  package var fields: [(name: String, value: ItemValue)]
}

extension DefinedItems {
  /// The items that count, by path and place.
  package var found: [FoundItem] {
    counting.map { found in
      let fields = zip(definition.items.fields, found.item.values).map { (name: $0.name, value: $1) }
      let times = found.start.flatMap { start in found.end.map { start..<max(start, $0) } }
      return FoundItem(times: times, rule: found.item.rule, id: found.item.id, fields: fields)
    }
  }
}
