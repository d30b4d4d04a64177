package import CacheSyncSystem

/// The calendars of many files as one. If several files have a UID, everything under it comes from the file with the
/// greatest SEQUENCE, then the greatest DTSTAMP, then the greatest path.
package struct CalendarUnion {
  private struct Source: Comparable {
    let version: CalendarEntry.Version
    let path: CachePath

    static func < (a: Source, b: Source) -> Bool { a.version == b.version ? a.path < b.path : a.version < b.version }
  }

  /// The UIDs of each file, with their versions.
  private var files: [CachePath: [(id: RecordID, source: Source)]] = [:]
  private var candidates: [RecordID: Candidates<Source, CalendarSeries>] = [:]

  package init() {}

  /// The files with at least one series, in no order.
  package var paths: some Sequence<CachePath> { files.keys }

  /// The same files, those with fewer UIDs first, then by path.
  package var pathsBySize: [CachePath] {
    files.map { (count: $0.value.count, path: $0.key) }.sorted { ($0.count, $0.path) < ($1.count, $1.path) }.map(\.path)
  }

  /// The series of a file that count, in the file's order.
  package func series(from path: CachePath) -> some Sequence<CalendarSeries> {
    (files[path] ?? []).lazy.compactMap { id, source in
      candidates[id].flatMap { $0.best.value.path == source.path ? $0.best.value : nil }
    }
  }

  /// How many UIDs there are.
  package var count: Int { candidates.count }

  /// The series that counts for a UID.
  package subscript(id: RecordID) -> CalendarSeries? { candidates[id]?.best.value }

  /// Adds a file's series; they replace the earlier ones of its path.
  ///
  /// - Returns: the UIDs for which another series may count now.
  @discardableResult
  package mutating func put(_ file: CalendarFile, from path: CachePath) -> Set<RecordID> {
    var changed = remove(path)
    if file.series.isEmpty { return changed }
    files[path] = file.series.map { series in
      let id = RecordID(series.id)
      let source = Source(version: series.version, path: path)
      if candidates[id]?.insert(series, of: source) == nil { candidates[id] = Candidates(series, of: source) }
      changed.insert(id)
      return (id, source)
    }
    return changed
  }

  /// Removes a file; a file without series is not an error.
  ///
  /// - Returns: the UIDs for which another series may count now.
  @discardableResult
  package mutating func remove(_ path: CachePath) -> Set<RecordID> {
    guard let entries = files.removeValue(forKey: path) else { return [] }
    for (id, source) in entries where candidates[id]?.remove(source) == false { candidates[id] = nil }
    return Set(entries.map(\.id))
  }
}
