import CacheSyncSystem

/// The records of many files as one list (feeds.md: tasks and events; shoes). Of records with the same id, the one from
/// the file with the latest date counts, then the one from the greatest path; within a file the later one.
///
/// A change of one file costs only what that file costs, because the candidates of each id are kept in order.
struct RecordUnion<Record: Identifiable<RecordID>> {
  private final class File: Comparable {
    let path: CachePath
    let date: Instant
    let ids: [RecordID]

    init(path: CachePath, date: Instant, ids: [RecordID]) {
      self.path = path
      self.date = date
      self.ids = ids
    }

    static func < (a: File, b: File) -> Bool { a.date == b.date ? a.path < b.path : a.date < b.date }

    /// Each version of a file is a value of its own; for one path only the last version is kept.
    static func == (a: File, b: File) -> Bool { a === b }
  }

  /// The record that counted for an id before a file was put or removed, and the one that counts now; nil: none.
  struct Change {
    var before: Record?
    var after: Record?
  }

  /// The files that have records, each once for every date of its records.
  private var files: [CachePath: [File]] = [:]
  private var candidates = Candidates<File, Record>()

  init() {}

  /// The record that counts for an id.
  subscript(id: RecordID) -> Record? { candidates[id]?.value }

  /// The file of the record that counts for an id, and the record's date.
  func source(of id: RecordID) -> (path: CachePath, date: Instant)? {
    candidates[id].map { ($0.file.path, $0.file.date) }
  }

  /// Every record that counts, in no order.
  var records: some Sequence<Record> { candidates.counting.lazy.map { $0.value } }

  /// Adds a file's records; they replace the earlier ones of its path.
  ///
  /// - Returns: the changes, in this order; an id may occur more than once.
  @discardableResult
  mutating func put(_ records: [Record], from path: CachePath, dated date: Instant) -> [Change] {
    put([(records, date)], from: path)
  }

  /// The same for a file whose records have several dates.
  mutating func put(_ groups: [(records: [Record], date: Instant)], from path: CachePath) -> [Change] {
    var changes = remove(path)
    changes.reserveCapacity(changes.count + groups.reduce(0) { $0 + $1.records.count })
    for (records, date) in groups where !records.isEmpty {
      let file = File(path: path, date: date, ids: records.map(\.id))
      files[path, default: []].append(file)
      for record in records {
        let before = candidates.insert(record, of: file, for: record.id)
        if candidates[record.id]?.file == file { changes.append(Change(before: before?.value, after: record)) }
      }
    }
    return changes
  }

  /// Removes a file's records; a file without records is not an error.
  @discardableResult
  mutating func remove(_ path: CachePath) -> [Change] {
    (files.removeValue(forKey: path) ?? []).flatMap { file in
      file.ids.compactMap { id in
        candidates.remove(id, of: file).map { Change(before: $0.before.value, after: $0.after?.value) }
      }
    }
  }
}
