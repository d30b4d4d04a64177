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
  /// The RFC 6901 pointer of its list, and its index there; -1: the pointer is whole.
  var list = ""
  var index: Int32 = -1

  var pointer: String { index < 0 ? list : "\(list)/\(index)" }

  package static func == (_: RecordOrigin, _: RecordOrigin) -> Bool { true }

  package func hash(into _: inout Hasher) {}
}

/// The records of many files as one list (feeds.md: several files). Of the versions of one thing, the one from the file
/// with the latest date counts, then the one from the greatest path; within a file the later one. Other things with the
/// same id stay beside it.
///
/// A change of one file costs what its records cost, and for each the number of things that have its id, which is usually
/// one. The versions of a thing are kept in order.
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

  private typealias Version = (file: File, record: Record)

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
  /// The warnings about them; nil after a change.
  private var knownProblems: [Problem]?

  init() {}

  // MARK: Records

  /// The record that counts for a key.
  subscript(key: RecordKey) -> Record? {
    thing(key)?.best.record
  }

  private func thing(_ key: RecordKey) -> Thing? {
    guard let row = rows[key.id] else { return nil }
    if row.first.best.file.path == key.path { return row.first }
    return row.others.first { $0.best.file.path == key.path }
  }

  /// Every thing with an id, the one of the latest file first.
  func things(_ id: RecordID) -> [Record] {
    guard let row = rows[id] else { return [] }
    if row.others.isEmpty { return [row.first.best.record] }
    return row.things.sorted { $0.best.file > $1.best.file }.map { $0.best.record }
  }

  /// The one thing that an id means; nil: there is none, or several, and the file does not say which.
  ///
  /// - Parameter file: a file that has a version of it; nil: any. It does not matter if only one thing has the id, because
  ///   files move.
  func named(_ id: RecordID, in file: CachePath?) -> Record? {
    guard let row = rows[id] else { return nil }
    if row.others.isEmpty { return row.first.best.record }
    return row.things.first { $0.has { $0.file.path == file } }?.best.record
  }

  /// The version that counts here of a record of another union.
  func version(of record: Record, in calendar: CivilCalendar) -> Record? {
    let mark = record.mark(in: calendar)
    return rows[record.id]?.things.first { $0.mark == mark }?.best.record
  }

  /// Whether several things have an id.
  func isShared(_ id: RecordID) -> Bool { shared.contains(id) }

  /// The date of a record that counts.
  func date(of key: RecordKey) -> Instant? { thing(key)?.best.file.date }

  /// Every record that counts, in no order.
  var records: some Sequence<Record> {
    // A key path of a generic type is made anew at each use, which takes longer than the rest of this.
    rows.values.lazy.flatMap { $0.things.lazy.map { $0.best.record } }
  }

  // MARK: Files

  /// Adds a file's records; they replace the earlier ones of its path.
  ///
  /// - Parameter calendar: the same for all files, or ``rebuild(in:)`` comes first.
  /// - Returns: the changes, in this order; an id may occur more than once.
  @discardableResult
  mutating func put(
    _ records: [Record], from path: CachePath, dated date: Instant, in calendar: CivilCalendar
  ) -> [Change] { put([(records, date)], from: path, in: calendar) }

  /// The same for a file whose records have several dates.
  mutating func put(
    _ groups: [(records: [Record], date: Instant)], from path: CachePath, in calendar: CivilCalendar
  ) -> [Change] {
    var changes = remove(path)
    changes.reserveCapacity(changes.count + groups.reduce(0) { $0 + $1.records.count })
    for (records, date) in groups where !records.isEmpty {
      let file = File(path: path, date: date, ids: records.map(\.id))
      files[path, default: []].append(file)
      for var record in records {
        record.origin.path = path
        let mark = record.mark(in: calendar)
        guard let index = rows.index(forKey: record.id) else {
          rows[record.id] = Row(first: Thing(mark: mark, best: (file, record)))
          changes.append(Change(after: record))
          continue
        }
        if let change = rows.values[index].insert((file, record), mark) { changes.append(change) }
        noteSharing(of: record.id, rows.values[index])
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
        let (change, isEmpty) = rows.values[index].remove(file)
        if let change { changes.append(change) }
        noteSharing(of: id, rows.values[index])
        if isEmpty { rows.remove(at: index) }
      }
    }
    return changes
  }

  /// Compares all marks in another zone.
  mutating func rebuild(in calendar: CivilCalendar) {
    (shared, knownProblems) = ([], nil)
    for (id, row) in rows {
      var versions = row.things.flatMap { $0.others + [$0.best] }[...]
      guard let first = versions.popFirst() else { continue }
      var new = Row(first: Thing(mark: first.record.mark(in: calendar), best: first))
      for version in versions { _ = new.insert(version, version.record.mark(in: calendar)) }
      rows[id] = new
      noteSharing(of: id, new)
    }
  }

  private mutating func noteSharing(of id: RecordID, _ row: Row) {
    if row.others.isEmpty, shared.isEmpty { return }
    if row.others.isEmpty { shared.remove(id) } else { shared.insert(id) }
    knownProblems = nil
  }

  /// The versions of one thing. Usually there is one, which costs no allocation.
  private struct Thing {
    let mark: RecordMark
    var best: Version
    /// Ascending.
    var others: [Version] = []

    func has(_ isWanted: (Version) -> Bool) -> Bool { isWanted(best) || others.contains(where: isWanted) }

    mutating func insert(_ version: Version) -> Change? {
      if best.file == version.file || best.file < version.file {
        let before = best
        if before.file != version.file { others.append(before) }
        best = version
        return Change(before: before.record, after: version.record)
      }
      let (index, isThere) = place(of: version.file)
      if isThere { others[index] = version } else { others.insert(version, at: index) }
      return nil
    }

    /// - Returns: nil if the file has no version of it.
    mutating func remove(_ file: File) -> (change: Change?, isEmpty: Bool)? {
      if best.file == file {
        let before = best.record
        guard let next = others.popLast() else { return (Change(before: before), true) }
        best = next
        return (Change(before: before, after: next.record), false)
      }
      let (index, isThere) = place(of: file)
      guard isThere else { return nil }
      others.remove(at: index)
      return (nil, false)
    }

    /// The index of a file among the others, or the index at which to insert it.
    private func place(of file: File) -> (index: Int, isThere: Bool) {
      let index = others.partitioningIndex { $0.file >= file }
      return (index, index < others.count && others[index].file == file)
    }
  }

  /// The things with one id. Usually there is one, which costs no allocation.
  private struct Row {
    var first: Thing
    /// In no order.
    var others: [Thing] = []

    var things: [Thing] { others.isEmpty ? [first] : [first] + others }

    mutating func insert(_ version: Version, _ mark: RecordMark) -> Change? {
      if first.mark == mark { return first.insert(version) }
      if let index = others.firstIndex(where: { $0.mark == mark }) { return others[index].insert(version) }
      others.append(Thing(mark: mark, best: version))
      return Change(after: version.record)
    }

    mutating func remove(_ file: File) -> (change: Change?, isEmpty: Bool) {
      if let (change, isGone) = first.remove(file) {
        guard isGone else { return (change, false) }
        guard let next = others.popLast() else { return (change, true) }
        first = next
        return (change, false)
      }
      for index in others.indices {
        guard let (change, isGone) = others[index].remove(file) else { continue }
        if isGone { others.remove(at: index) }
        return (change, false)
      }
      return (nil, false)
    }
  }

  // MARK: Shared ids

  /// A warning for each file with an id that another thing has in another file, at the first of them.
  ///
  /// - Parameters:
  ///   - noun: what the records are, such as "tasks".
  ///   - outside: things of the same ids that are no records of the union.
  mutating func problems(_ noun: String, beside outside: [RecordID: RecordOrigin] = [:]) -> [Problem] {
    if outside.isEmpty, let knownProblems { return knownProblems }
    var found: [CachePath: (count: Int, first: RecordOrigin, other: CachePath, hasMore: Bool)] = [:]
    for id in shared.union(outside.keys) {
      guard var origins = rows[id]?.things.map(\.best.record.origin) else { continue }
      if let other = outside[id] { origins.append(other) }
      let paths = origins.map(\.path).sorted()
      guard let least = paths.first, let second = paths.first(where: { $0 != least }) else { continue }
      for origin in origins {
        let other = origin.path == least ? second : least
        guard let entry = found[origin.path] else {
          found[origin.path] = (1, origin, other, origins.count > 2)
          continue
        }
        let isFirst = (origin.line, origin.column) < (entry.first.line, entry.first.column)
        found[origin.path] = (
          entry.count + 1, isFirst ? origin : entry.first, min(entry.other, other),
          entry.hasMore || origins.count > 2 || other != entry.other
        )
      }
    }
    let problems = found.sorted { $0.key < $1.key }.map { path, entry in
      Problem(
        .warning, path: path, line: Int(entry.first.line), column: Int(entry.first.column),
        pointer: entry.first.pointer,
        message: "\(counted(entry.count, "id is", "ids are")) also in \(entry.other.forPeople)"
          + (entry.hasMore
            ? " and other files, for other \(noun): all are shown" : ", for other \(noun): both are shown"))
    }
    if outside.isEmpty { knownProblems = problems }
    return problems
  }
}
