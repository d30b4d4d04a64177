package import CacheSyncSystem

/// A record of a session file, of which other files may have versions.
protocol UnionRecord: Identifiable<RecordID> {
  var origin: RecordOrigin { get set }

  /// What two versions of one thing have in common besides their ids.
  func mark(in calendar: CivilCalendar) -> RecordMark
}

extension UnionRecord {
  /// Tells the record from all others that count.
  var key: RecordKey { RecordKey(id: id, path: origin.path) }
}

/// The second mark of a record. Records with one id are versions of one thing if their marks are equal, and else things of
/// their own: two apps, or two lists of one, may both number from 1 (feeds.md: several files).
enum RecordMark: Equatable {
  /// In seconds since 1970.
  case moment(Int64)
  case text(String)
  /// A calendar's UID is unique by its standard.
  case calendar

  static func == (a: RecordMark, b: RecordMark) -> Bool {
    switch (a, b) {
    case (.moment(let a), .moment(let b)): a == b
    case (.text(let a), .text(let b)): isSameText(a, b)
    case (.calendar, .calendar): true
    default: false
    }
  }
}

/// The id of a record that counts, and its file.
struct RecordKey: Hashable, Comparable, Sendable {
  var id: RecordID
  var path: CachePath

  static func < (a: RecordKey, b: RecordKey) -> Bool { a.id == b.id ? a.path < b.path : a.id < b.id }

  /// The id in an exported calendar, if other things have the same.
  var exported: String { "\(id.text)@\(path)" }
}

/// Where a record is. Records that differ only in it are equal.
package struct RecordOrigin: Hashable, Sendable {
  /// The file; the root for a record of none.
  package var path = CachePath.root
  /// The place of its first byte in the document.
  var line: Int32 = 1
  var column: Int32 = 1
  /// The RFC 6901 pointer of its list, and its index there.
  var list = ""
  var index: Int32 = 0

  var pointer: String { path.isRoot ? "" : "\(list)/\(index)" }

  package static func == (_: RecordOrigin, _: RecordOrigin) -> Bool { true }

  package func hash(into _: inout Hasher) {}
}

/// The records of many files as one list (feeds.md: several files). Of the versions of one thing, the one from the file with
/// the latest date counts, then the one from the greatest path; within a file the later one. Other things with the same
/// id stay beside it.
///
/// A change of one file costs only what that file costs, because the candidates of each id are kept in order.
struct RecordUnion<Record: UnionRecord> {
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

  private typealias Candidate = (file: File, record: Record)

  /// A record that counted before a file was put or removed and no longer does, and one that counts now; nil: none.
  struct Change {
    var before: Record?
    var after: Record?
  }

  /// The files that have records, each once for every date of its records.
  private var files: [CachePath: [File]] = [:]
  private var rows: [RecordID: Row] = [:]
  /// The ids that several things have.
  private var shared: Set<RecordID> = []
  /// The zone in which marks are compared; nil before the first file.
  private var calendar: CivilCalendar?

  init() {}

  // MARK: Records

  /// The record that counts for a key.
  subscript(key: RecordKey) -> Record? { things(key.id).first { $0.origin.path == key.path } }

  /// Every thing with an id, the one of the latest file first.
  func things(_ id: RecordID) -> [Record] { rows[id].map { counting($0).map(\.record) } ?? [] }

  /// The one thing that an id means; nil: there is none, or several, and the file does not say which.
  ///
  /// - Parameter file: a file that has a version of it; nil: any. It does not matter if only one thing has the id, because
  ///   files move.
  func named(_ id: RecordID, in file: CachePath?) -> Record? {
    guard let row = rows[id] else { return nil }
    let found = counting(row)
    guard found.count > 1 else { return found.first?.record }
    guard let version = (row.others + [row.best]).last(where: { $0.file.path == file }) else { return nil }
    return found.first { isSame($0, version) }?.record
  }

  /// The version that counts here of a record of another union.
  func version(of record: Record) -> Record? {
    things(record.id).first { other in calendar.map { other.mark(in: $0) == record.mark(in: $0) } ?? false }
  }

  /// Whether several things have an id.
  func isShared(_ id: RecordID) -> Bool { shared.contains(id) }

  /// The date of a record that counts.
  func date(of key: RecordKey) -> Instant? {
    rows[key.id].flatMap { row in counting(row).first { $0.file.path == key.path }?.file.date }
  }

  /// Every record that counts, in no order.
  var records: some Sequence<Record> { rows.values.lazy.flatMap { counting($0).map(\.record) } }

  private func isSame(_ a: Candidate, _ b: Candidate) -> Bool {
    guard let calendar else { return true }
    return a.record.mark(in: calendar) == b.record.mark(in: calendar)
  }

  /// The candidates of a row that count, the latest first.
  private func counting(_ row: Row) -> [Candidate] {
    var found = [row.best]
    for candidate in row.others.reversed() where !found.contains(where: { isSame($0, candidate) }) {
      found.append(candidate)
    }
    return found
  }

  // MARK: Files

  /// Adds a file's records; they replace the earlier ones of its path.
  ///
  /// - Parameter calendar: the same for all files, or ``rebuild(in:)`` comes first.
  /// - Returns: the changes, in this order; an id may occur more than once.
  @discardableResult
  mutating func put(_ records: [Record], from path: CachePath, dated date: Instant, in calendar: CivilCalendar)
    -> [Change]
  {
    put([(records, date)], from: path, in: calendar)
  }

  /// The same for a file whose records have several dates.
  mutating func put(
    _ groups: [(records: [Record], date: Instant)], from path: CachePath, in calendar: CivilCalendar
  ) -> [Change] {
    self.calendar = calendar
    var changes = remove(path)
    changes.reserveCapacity(changes.count + groups.reduce(0) { $0 + $1.records.count })
    for (records, date) in groups where !records.isEmpty {
      let file = File(path: path, date: date, ids: records.map(\.id))
      files[path, default: []].append(file)
      for var record in records {
        record.origin.path = path
        guard let index = rows.index(forKey: record.id) else {
          rows[record.id] = Row(best: (file, record))
          changes.append(Change(after: record))
          continue
        }
        let before = counting(rows.values[index])
        rows.values[index].insert((file, record))
        note(record.id, before, counting(rows.values[index]), replaced: file, in: &changes)
      }
    }
    return changes
  }

  /// Removes a file's records; a file without records is not an error.
  @discardableResult
  mutating func remove(_ path: CachePath) -> [Change] {
    var changes: [Change] = []
    for file in files.removeValue(forKey: path) ?? [] {
      for id in file.ids {
        guard let index = rows.index(forKey: id) else { continue }
        let before = counting(rows.values[index])
        if rows.values[index].remove(file) {
          note(id, before, counting(rows.values[index]), in: &changes)
        } else if rows.values[index].best.file == file {
          rows.remove(at: index)
          note(id, before, [], in: &changes)
        }
      }
    }
    return changes
  }

  /// Compares all marks in another zone.
  mutating func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    shared = Set(rows.filter { !$0.value.others.isEmpty && counting($0.value).count > 1 }.keys)
  }

  /// Adds the changes of a row.
  ///
  /// - Parameter file: its record may have been replaced by another one.
  private mutating func note(
    _ id: RecordID, _ before: [Candidate], _ after: [Candidate], replaced file: File? = nil, in changes: inout [Change]
  ) {
    if after.count > 1 { shared.insert(id) } else { shared.remove(id) }
    let gone = before.filter { old in old.file == file || !after.contains { $0.file == old.file } }
    let new = after.filter { new in new.file == file || !before.contains { $0.file == new.file } }
    for place in 0..<max(gone.count, new.count) {
      changes.append(
        Change(
          before: place < gone.count ? gone[place].record : nil, after: place < new.count ? new[place].record : nil))
    }
  }

  /// The candidates for one id. Usually there is one file, which costs no allocation.
  private struct Row {
    var best: Candidate
    /// Ascending.
    var others: [Candidate] = []

    mutating func insert(_ candidate: Candidate) {
      if best.file == candidate.file {
        best = candidate
      } else if best.file < candidate.file {
        others.append(best)
        best = candidate
      } else {
        let (index, isThere) = place(of: candidate.file)
        if isThere { others[index] = candidate } else { others.insert(candidate, at: index) }
      }
    }

    /// Removes a file's candidate; false if it is not there, or the only one.
    mutating func remove(_ file: File) -> Bool {
      if best.file == file {
        guard let next = others.popLast() else { return false }
        best = next
        return true
      }
      let (index, isThere) = place(of: file)
      if isThere { others.remove(at: index) }
      return isThere
    }

    /// The index of a file among the others, or the index at which to insert it.
    private func place(of file: File) -> (index: Int, isThere: Bool) {
      let index = others.partitioningIndex { $0.file >= file }
      return (index, index < others.count && others[index].file == file)
    }
  }

  // MARK: Shared ids

  /// A warning for each file with an id that another thing has in another file, at the first of them.
  ///
  /// - Parameter noun: what the records are, such as "tasks".
  func problems(_ noun: String) -> [Problem] {
    var found: [CachePath: (count: Int, first: RecordOrigin, others: Set<CachePath>)] = [:]
    for id in shared {
      let things = things(id)
      for origin in things.map(\.origin) {
        let others = things.map(\.origin.path).filter { $0 != origin.path }
        var entry = found[origin.path] ?? (0, origin, [])
        entry.count += 1
        if (origin.line, origin.column) < (entry.first.line, entry.first.column) { entry.first = origin }
        entry.others.formUnion(others)
        found[origin.path] = entry
      }
    }
    return found.sorted { $0.key < $1.key }.compactMap { path, entry in
      guard let other = entry.others.min() else { return nil }
      let files = entry.others.count == 1 ? "" : " and \(counted(entry.others.count - 1, "other file"))"
      return Problem(
        .warning, path: path, line: Int(entry.first.line), column: Int(entry.first.column),
        pointer: entry.first.pointer,
        message: "\(counted(entry.count, "id is", "ids are")) also in \(other.forPeople)\(files), for other \(noun): "
          + (entry.others.count == 1 ? "both are shown" : "all are shown"))
    }
  }
}
