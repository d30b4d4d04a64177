/// A record of a session file that says which one it is.
protocol AgendaRecord: Sendable {
  var id: RecordID { get }
}

/// What one file of tasks or events says.
package struct RecordList<Record: Sendable>: Sendable {
  package var records: [Record]
  /// When the app wrote the file, if it says so; the app's real file is a bare array and does not.
  package var lastUpdate: Instant?
}

/// The records of many files as one list (FEEDS: tasks and events): of records with the same id, the one from the file with
/// the greatest date counts, then the one from the greatest path; within a file the later.
///
/// A file's date is its `lastUpdate`, else its modification time. What a change of one file costs is what that file holds:
/// for each id the candidates are kept in order.
struct RecordUnion<Record: AgendaRecord> {
  private final class File {
    let path: CachePath
    let date: Instant
    let ids: [RecordID]

    init(path: CachePath, date: Instant, ids: [RecordID]) {
      self.path = path
      self.date = date
      self.ids = ids
    }

    func ranks(below other: File) -> Bool { date == other.date ? path < other.path : date < other.date }
  }

  private struct Candidate {
    var record: Record
    var file: File
  }

  /// What a file's coming or going did to the record that counts for an id.
  struct Change {
    var before: Record?
    var after: Record?
  }

  private var files: [CachePath: File] = [:]
  private var winners: [RecordID: Candidate] = [:]
  /// What would count for an id if the winner went, the best last. Most ids are in one file and have no entry here.
  private var others: [RecordID: [Candidate]] = [:]
  /// Every file's date, the stand-in included.
  private var dates = Ranking<Instant>()
  /// The dates that files say themselves.
  private var written = Ranking<Instant>()
  private var unusable: Set<CachePath> = []
  /// All files.
  private(set) var census = PathCensus()

  init() {}

  var isEmpty: Bool { files.isEmpty }

  /// The greatest date of all files, stand-ins included.
  var newest: Instant? { dates.greatest?.value }

  /// The greatest `lastUpdate` written in a file. A modification time says when bytes were put down, not how old they are,
  /// so what has no written date never goes stale by age (CONTRACT section 3).
  var newestWritten: Instant? { written.greatest?.value }

  /// Whether the last good version of a file that is unusable now is part of the list.
  var showsUnusable: Bool { !unusable.isEmpty }

  /// The record that counts for an id.
  subscript(id: RecordID) -> Record? { winners[id]?.record }

  /// Every record that counts, in no order.
  var records: some Sequence<Record> { winners.values.lazy.map(\.record) }

  /// Takes a file in, in place of what its path gave before.
  mutating func put(_ list: RecordList<Record>, from source: SessionFile) -> [Change] {
    var latest: [RecordID: Record] = [:]
    latest.reserveCapacity(list.records.count)
    // An id that comes again replaces its key too: 3 and "3" are one id, and the later spelling is published.
    for record in list.records {
      latest.removeValue(forKey: record.id)
      latest[record.id] = record
    }
    let file = File(path: source.path, date: list.lastUpdate ?? source.modified, ids: Array(latest.keys))
    let old = files.updateValue(file, forKey: source.path)
    census.insert(source.path)
    dates.put(file.date, for: source.path)
    if let date = list.lastUpdate { written.put(date, for: source.path) } else { written.remove(source.path) }
    mark(source.path, unusable: source.isUnusable)

    var changes: [Change] = []
    changes.reserveCapacity(latest.count)
    for id in old?.ids ?? [] where latest[id] == nil { changes.append(change(id, removing: old, inserting: nil)) }
    for (id, record) in latest {
      changes.append(change(id, removing: old, inserting: Candidate(record: record, file: file)))
    }
    return changes
  }

  /// Forgets a file; one that is not there is not an error.
  mutating func remove(_ path: CachePath) -> [Change] {
    guard let old = files.removeValue(forKey: path) else { return [] }
    census.remove(path)
    dates.remove(path)
    written.remove(path)
    unusable.remove(path)
    return old.ids.map { change($0, removing: old, inserting: nil) }
  }

  mutating func mark(_ path: CachePath, unusable isUnusable: Bool) {
    if isUnusable, files[path] != nil { unusable.insert(path) } else { unusable.remove(path) }
  }

  private mutating func change(_ id: RecordID, removing old: File?, inserting new: Candidate?) -> Change {
    let before = winners[id]?.record
    if let old { remove(id, of: old) }
    if let new { insert(new, id) }
    return Change(before: before, after: winners[id]?.record)
  }

  private mutating func insert(_ candidate: Candidate, _ id: RecordID) {
    guard let winner = winners[id] else { return winners[id] = candidate }
    if winner.file.ranks(below: candidate.file) {
      others[id, default: []].append(winner)
      winners[id] = candidate
    } else {
      let index = others[id]?.partitioningIndex { !$0.file.ranks(below: candidate.file) } ?? 0
      others[id, default: []].insert(candidate, at: index)
    }
  }

  private mutating func remove(_ id: RecordID, of file: File) {
    guard let winner = winners[id] else { return }
    if winner.file === file {
      winners[id] = others[id]?.popLast()
    } else if let candidates = others[id] {
      let index = candidates.partitioningIndex { !$0.file.ranks(below: file) }
      guard index < candidates.count, candidates[index].file === file else { return }
      others[id]?.remove(at: index)
    }
    if others[id]?.isEmpty == true { others[id] = nil }
  }
}
