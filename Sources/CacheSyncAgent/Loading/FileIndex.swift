package import CacheSync

/// The session files of one cache by path, each in one state, with its transitions.
///
/// What must be found without going through all files is kept beside the states and follows from them, in one place:
/// the deadlines, the rejections, the links, and where each usable file was last seen.
package struct FileIndex {
  private var states: [CachePath: FileState] = [:]
  private var deadlines = Deadlines()
  private var places: [FileIdentity.Moving: CachePath] = [:]
  package private(set) var rejections: [CachePath: Rejection] = [:]
  /// Session files that are links, also bad ones: changes of what they lead to give no event under their names.
  package private(set) var links: Set<CachePath> = []

  package init() {}

  package subscript(path: CachePath) -> FileState? { states[path] }

  package var count: Int { states.count }
  package var isEmpty: Bool { states.isEmpty }
  package var paths: some Collection<CachePath> { states.keys }

  /// The next moment at which a file must be looked at again.
  package var nextDeadline: Uptime? { deadlines.first }

  /// When each wait for a file to be still, or to come back, is over.
  package var waits: [CachePath: Uptime] { deadlines.all.filter { states[$0.key]?.waitDue != nil } }

  /// Where a usable file was last seen that is this one, wherever it is now.
  package func place(of identity: FileIdentity) -> CachePath? { places[identity.moving] }

  // MARK: Transitions

  /// The file is good, and the feed holds it. Of several names of one file the one that was read last is its place.
  package mutating func accept(_ path: CachePath, _ record: FileRecord) {
    set(path, .judged(.usable(record)))
    places[record.identity.moving] = path
  }

  /// The file is bad. What was said of it before is counted once more.
  ///
  /// - Returns: whether the problem is new, or another than before.
  package mutating func reject(
    _ path: CachePath, _ record: FileRecord, because problem: Problem, at instant: Instant, isHeld: Bool, retry: Retry?
  ) -> Bool {
    let known = states[path]?.verdict?.rejection?.note
    let isNew = known?.problem != problem
    let note = known?.recurring(as: problem) ?? ProblemNote(problem, since: instant)
    set(path, .judged(.rejected(record, Rejection(note: note, isHeld: isHeld, retry: retry))))
    return isNew
  }

  /// The file looks bad and is given time to be still.
  package mutating func waitForStillness(of path: CachePath, as identity: FileIdentity, until due: Uptime) {
    set(path, .settling(FileState.Settling(identity: identity, due: due, previous: states[path]?.verdict)))
  }

  /// A file that was judged is gone and is given time to come back; a second look does not prolong it.
  package mutating func waitForReturn(of path: CachePath, until due: Uptime) {
    switch states[path] {
    case .judged(let verdict): set(path, .vanished(verdict, until: due))
    case .settling(let settling): set(path, settling.previous.map { .vanished($0, until: due) })
    case .vanished, nil: break
    }
  }

  /// Ends a wait: the verdict from before it stays.
  package mutating func endWait(for path: CachePath) {
    switch states[path] {
    case .settling(let settling): set(path, settling.previous.map { .judged($0) })
    case .vanished(let verdict, _): set(path, .judged(verdict))
    case .judged, nil: break
    }
  }

  /// The file is gone for good.
  ///
  /// - Returns: what it counted as until now.
  package mutating func remove(_ path: CachePath) -> FileVerdict? {
    let verdict = states[path]?.verdict
    set(path, nil)
    return verdict
  }

  /// Hands out the paths whose deadlines have passed, in order; the caller looks at each of them at once.
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

  /// The log holds nothing of the file any more.
  package mutating func forgetLoggedBytes(of path: CachePath) {
    states[path]?.updateRecord { $0.loggedBytes = 0 }
  }

  /// Every file is to be read again, also one that did not change.
  package mutating func distrustAll() {
    for path in states.keys { states[path]?.updateRecord { $0.mustReadAgain = true } }
  }

  private mutating func set(_ path: CachePath, _ new: FileState?) {
    let old = if let new { states.updateValue(new, forKey: path) } else { states.removeValue(forKey: path) }
    if old?.due != nil || new?.due != nil { deadlines[path] = new?.due }
    let (oldVerdict, newVerdict) = (old?.verdict, new?.verdict)
    if oldVerdict?.rejection != nil || newVerdict?.rejection != nil { rejections[path] = newVerdict?.rejection }
    if let place = Self.place(of: oldVerdict), place != Self.place(of: newVerdict), places[place] == path {
      places[place] = nil
    }
    if new == nil { links.remove(path) }
  }

  private static func place(of verdict: FileVerdict?) -> FileIdentity.Moving? {
    if case .usable(let record) = verdict { record.identity.moving } else { nil }
  }
}
