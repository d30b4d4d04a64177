package import CacheSync
package import CacheSyncSystem

/// The session files of one cache by path, each in one state, with its transitions.
///
/// Beside the states it keeps what must be found without going through all files: the deadlines, the rejections, the links, and
/// where each usable file was last seen. They follow the states in one function, `set`. Only the links, and which of several
/// names of one file was read last, are noted elsewhere.
package struct FileIndex {
  private var states: [CachePath: FileState] = [:]
  private var deadlines = Deadlines()
  private var places: [FileIdentity.Moving: CachePath] = [:]
  package private(set) var rejections: [CachePath: Rejection] = [:]
  /// What is left out of usable files.
  package private(set) var warnings: [CachePath: [ProblemNote]] = [:]
  /// Session files that are links, also bad ones. A change of what a link leads to gives no event at the link's name.
  package private(set) var links: Set<CachePath> = []

  package init() {}

  package subscript(path: CachePath) -> FileState? { states[path] }

  package var count: Int { states.count }
  package var isEmpty: Bool { states.isEmpty }
  package var paths: some Collection<CachePath> { states.keys }

  /// The next moment at which a file must be looked at again.
  package var nextDeadline: Uptime? { deadlines.first }

  /// Whether the file looks bad and may still be in the middle of being written.
  func isSettling(_ path: CachePath) -> Bool {
    if case .settling = states[path] { true } else { false }
  }

  /// When each wait for a file to be still, or to come back, is over.
  package var waits: [CachePath: Uptime] { deadlines.all.filter { states[$0.key]?.waitDue != nil } }

  /// Where the usable file with this identity was last seen.
  package func place(of identity: FileIdentity) -> CachePath? { places[identity.moving] }

  // MARK: Transitions

  /// Records a good file, which the feed holds. Of several names of one file the one that was read last is its place.
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

  /// Records a bad file. A problem that it had before is counted once more.
  ///
  /// - Returns: whether the problem is new or differs from the one before.
  package mutating func reject(
    _ path: CachePath, _ record: FileRecord, because problem: Problem, at instant: Instant, isHeld: Bool, retry: Retry?
  ) -> Bool {
    let known = states[path]?.verdict?.rejection?.note
    let isNew = known?.problem != problem
    let note = known?.recurring(as: problem) ?? ProblemNote(problem, since: instant)
    set(path, .judged(.rejected(record, Rejection(note: note, isHeld: isHeld, retry: retry))))
    return isNew
  }

  /// Begins to wait for a file that looks bad to be still. A second call for the same file does not change the wait.
  package mutating func waitForStillness(of path: CachePath, as identity: FileIdentity, until due: Uptime) {
    if case .settling(let settling) = states[path], settling.identity == identity, settling.due != nil { return }
    set(path, .settling(FileState.Settling(identity: identity, due: due, previous: states[path]?.verdict)))
  }

  /// Begins to wait for a file that is gone to come back. A second call does not prolong the wait.
  package mutating func waitForReturn(of path: CachePath, until due: Uptime) {
    switch states[path] {
    case .judged(let verdict): set(path, .vanished(verdict, until: due))
    case .settling(let settling): set(path, settling.previous.map { .vanished($0, until: due) })
    case .vanished, nil: break
    }
  }

  /// Ends a wait. The verdict from before the wait stays.
  package mutating func endWait(for path: CachePath) {
    switch states[path] {
    case .settling(let settling): set(path, settling.previous.map { .judged($0) })
    case .vanished(let verdict, _): set(path, .judged(verdict))
    case .judged, nil: break
    }
  }

  /// Removes a file that is gone for good.
  ///
  /// - Returns: the verdict that was in force.
  package mutating func remove(_ path: CachePath) -> FileVerdict? {
    let verdict = states[path]?.verdict
    set(path, nil)
    return verdict
  }

  /// Hands out the paths whose deadlines have passed, in order. The caller looks at each of them at once.
  package mutating func dequeue(until now: Uptime) -> [CachePath] {
    let due = deadlines.dequeue(until: now)
    for path in due {
      guard case .settling(var settling) = states[path] else { continue }
      settling.due = nil
      set(path, .settling(settling))
    }
    return due
  }

  package mutating func noteLink(at path: CachePath) { links.insert(path) }

  /// Notes that the log holds nothing of the file any more.
  package mutating func forgetLoggedBytes(of path: CachePath) {
    states[path]?.updateRecord { $0.loggedBytes = 0 }
  }

  /// Has every file read again, also one that did not change.
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
