package import CacheSync
package import CacheSyncSystem

/// The session files of one cache by path. Each has one state; the methods are its transitions.
///
/// Besides the states it stores what must be found without going through all files: the deadlines, the rejections, the
/// links, and where each usable file was last seen. One function, `set`, updates them with the states. Two things are
/// recorded elsewhere: the links, and which of several names of one file was read last.
package struct FileIndex {
  private var states: [CachePath: FileState] = [:]
  private var deadlines = Deadlines()
  private var places: [FileIdentity.Moving: CachePath] = [:]
  package private(set) var rejections: [CachePath: Rejection] = [:]
  /// The warnings about parts of usable files that are ignored.
  package private(set) var warnings: [CachePath: [ProblemNote]] = [:]
  /// Session files that are links, including bad ones. A change of a link's target causes no event at the link's name.
  package private(set) var links: Set<CachePath> = []

  package init() {}

  package subscript(path: CachePath) -> FileState? { states[path] }

  package var count: Int { states.count }
  package var isEmpty: Bool { states.isEmpty }
  package var paths: some Collection<CachePath> { states.keys }

  /// The next moment at which a file must be checked again.
  package var nextDeadline: Uptime? { deadlines.first }

  /// When each wait ends for a file to be still or to return.
  package var waits: [CachePath: Uptime] { deadlines.all.filter { states[$0.key]?.waitDue != nil } }

  /// Where the usable file with this identity was last seen.
  package func place(of identity: FileIdentity) -> CachePath? { places[identity.moving] }

  // MARK: Transitions

  /// Records a good file, which the feed has. If one file has several names, its place is the one that was read last.
  package mutating func accept(
    _ path: CachePath, _ record: FileRecord, warnings found: [Problem] = [], at instant: Instant = .referenceDate
  ) {
    let known = warnings[path] ?? []
    set(path, .judged(.usable(record)))
    places[record.identity.moving] = path
    if found.isEmpty { return }
    warnings[path] = found.map { problem in
      known.first { $0.problem == problem }?.recurring(as: problem) ?? ProblemNote(problem, since: instant)
    }
  }

  /// Records a bad file. A repeated problem increases its count.
  ///
  /// - Returns: whether the problem is new or differs from the previous one.
  package mutating func reject(
    _ path: CachePath, _ record: FileRecord, because problem: Problem, at instant: Instant, isHeld: Bool, retry: Retry?
  ) -> Bool {
    let known = states[path]?.verdict?.rejection?.note
    let isNew = known?.problem != problem
    let note = known?.recurring(as: problem) ?? ProblemNote(problem, since: instant)
    set(path, .judged(.rejected(record, Rejection(note: note, isHeld: isHeld, retry: retry))))
    return isNew
  }

  /// Starts to wait for a file that looks bad to be still. A second call for the same file does not change the wait.
  package mutating func waitForStillness(of path: CachePath, as identity: FileIdentity, until due: Uptime) {
    if case .settling(let settling) = states[path], settling.identity == identity, settling.due != nil { return }
    set(path, .settling(FileState.Settling(identity: identity, due: due, previous: states[path]?.verdict)))
  }

  /// Starts to wait for a missing file to return. A second call does not prolong the wait.
  package mutating func waitForReturn(of path: CachePath, until due: Uptime) {
    switch states[path] {
    case .judged(let verdict): set(path, .vanished(verdict, until: due))
    case .settling(let settling): set(path, settling.previous.map { .vanished($0, until: due) })
    case .vanished, nil: break
    }
  }

  /// Ends a wait. The verdict from before the wait remains.
  package mutating func endWait(for path: CachePath) {
    switch states[path] {
    case .settling(let settling): set(path, settling.previous.map { .judged($0) })
    case .vanished(let verdict, _): set(path, .judged(verdict))
    case .judged, nil: break
    }
  }

  /// Removes a file that is missing for good.
  ///
  /// - Returns: its last verdict.
  package mutating func remove(_ path: CachePath) -> FileVerdict? {
    let verdict = states[path]?.verdict
    set(path, nil)
    return verdict
  }

  /// Removes and returns the paths whose deadlines have passed, in order. The caller checks each of them at once.
  package mutating func dequeue(until now: Uptime) -> [CachePath] {
    let due = deadlines.dequeue(until: now)
    for path in due {
      guard case .settling(var settling) = states[path] else { continue }
      settling.due = nil
      set(path, .settling(settling))
    }
    return due
  }

  package mutating func recordLink(at path: CachePath) { links.insert(path) }

  /// Records that the log no longer contains the file.
  package mutating func removeLoggedBytes(of path: CachePath) {
    states[path]?.updateRecord { $0.loggedBytes = 0 }
  }

  /// Requires that every file is read again, even an unchanged one.
  package mutating func distrustAll() {
    for path in states.keys { states[path]?.updateRecord { $0.mustReadAgain = true } }
  }

  private mutating func set(_ path: CachePath, _ new: FileState?) {
    let old = if let new { states.updateValue(new, forKey: path) } else { states.removeValue(forKey: path) }
    if old?.due != nil || new?.due != nil { deadlines[path] = new?.due }
    let (oldVerdict, newVerdict) = (old?.verdict, new?.verdict)
    if oldVerdict?.rejection != nil || newVerdict?.rejection != nil { rejections[path] = newVerdict?.rejection }
    if !warnings.isEmpty, new?.isJudgement ?? true { warnings[path] = nil }
    if let place = Self.place(of: oldVerdict), place != Self.place(of: newVerdict), places[place] == path {
      places[place] = nil
    }
    if new == nil { links.remove(path) }
  }

  private static func place(of verdict: FileVerdict?) -> FileIdentity.Moving? {
    if case .usable(let record) = verdict { record.identity.moving } else { nil }
  }
}
