import SystemPackage

extension CacheContents {
  /// What became of looking at a file.
  package enum Outcome: Equatable {
    case unchanged, changed
    /// To be looked at again at a deadline that ``nextDeadline`` knows.
    case waiting
  }

  /// Looks at a session file and takes in what is new.
  ///
  /// - Parameter isPatient: whether a bad or missing file gets 250 ms before it counts. A single pass over files that nobody
  ///   is writing gives none to those that have been still for as long by their times.
  @discardableResult
  package func load(_ path: CachePath, feed name: FeedName, isPatient: Bool = true) -> Outcome {
    let limit = maximumFileBytes
    switch reading.look(at: path, limit: limit) {
    case .absent: return noteAbsence(of: path, feed: name, isPatient: isPatient)
    case .unusable(let identity, let failure):
      appear(path, feed: name, present: failure.makesFeedPresent)
      var problem = Problem(path: path, message: failure.message)
      problem.belongsToNoKind = failure == .leavesCache
      return refuse(
        path, feed: name, identity: identity, problem, isPatient: isPatient, mayPass: failure.mayPass)
    case .file(let identity, let isLink):
      if isLink { links.insert(path) }
      appear(path, feed: name, present: true)
      if let known = files[path], known.identity == identity, !known.isRacy, unsettled[path] == nil,
        retries[path] == nil
      {
        return .unchanged
      }
      return read(path, feed: name, identity: identity, isPatient: isPatient)
    }
  }

  /// Looks at a file that an event named: 250 ms for what is bad, and for what is missing unless it moved away.
  package func loadAfterEvent(_ path: CachePath, feed name: FeedName, isPatientWithAbsence: Bool) {
    if !isPatientWithAbsence, case .absent = reading.look(at: path, limit: maximumFileBytes) {
      withdraw(path, feed: name)
    } else {
      load(path, feed: name)
    }
  }

  private func appear(_ path: CachePath, feed name: FeedName, present isPresent: Bool) {
    vanished[path] = nil
    guard isPresent, present.insert(name).inserted else { return }
    log?.keep(present: name)
    changedFeeds.insert(name)
  }

  private func read(_ path: CachePath, feed name: FeedName, identity: FileIdentity, isPatient: Bool) -> Outcome {
    guard let feed = feeds.feed(named: name) else { return .unchanged }
    if readAgainFromLog(path, feed: feed, identity: identity) { return .changed }
    let result: Reading?
    do throws(Errno) {
      result = try reading.read(path, limit: maximumFileBytes) { bytes, identity in
        read(bytes, path, into: feed, identity: identity)
      }
    } catch {
      let failure = SessionReading.Failure.system(error)
      return refuse(
        path, feed: name, identity: identity, Problem(path: path, message: failure.message),
        isPatient: isPatient, mayPass: true)
    }
    // It changed its nature between two calls: an event about that is on its way, or the next look decides.
    guard let result else { return wait(path, identity: identity) }
    if let problem = result.problem {
      return refuse(path, feed: name, identity: result.identity, problem, isPatient: isPatient, mayPass: false)
    }
    let isReplacing = files[path]?.isHeld ?? (lastGood?.records[path] != nil)
    accept(path, feed: name, identity: result.identity)
    if let pruned = result.pruned {
      log?.keep(path, identity: result.identity, document: pruned, isReplacing: isReplacing)
    }
    return .changed
  }

  private struct Reading {
    var identity: FileIdentity
    var problem: Problem?
    var pruned: [UInt8]?
  }

  private func read(_ bytes: UnsafeRawBufferPointer, _ path: CachePath, into feed: any Feed, identity: FileIdentity)
    -> Reading
  {
    let file = SessionFile(path: path, modified: identity.modified)
    let reading = feed.read(bytes, from: file, in: calendar, pruning: log != nil)
    guard let first = reading.defects.first else {
      return Reading(identity: identity, problem: nil, pruned: reading.pruned)
    }
    let problem = Problem(path: path, first, at: JSONPlace.of(first, in: bytes), scope: reading.scope)
    return Reading(identity: identity, problem: problem, pruned: nil)
  }

  /// A file that did not change since an earlier run read it needs no reading: its document is in the log.
  private func readAgainFromLog(_ path: CachePath, feed: any Feed, identity: FileIdentity) -> Bool {
    guard let lastGood, let record = lastGood.records[path], record.identity == identity, files[path] == nil,
      !isRacy(identity)
    else { return false }
    let file = SessionFile(path: path, modified: identity.modified)
    let reading = feed.read(lastGood.document(record), from: file, in: calendar, pruning: false)
    guard reading.defects.isEmpty else { return false }
    accept(path, feed: type(of: feed).name, identity: identity)
    return true
  }

  private func accept(_ path: CachePath, feed name: FeedName, identity: FileIdentity) {
    settle(path)
    problems[path] = nil
    withdrawFormerPlace(of: path, identity)
    files[path] = FileRecord(identity: identity, isRacy: isRacy(identity), isHeld: true)
    changedFeeds.insert(name)
  }

  /// A file that is here now and was elsewhere in the cache counts at both ends in the same publication, also when only one
  /// end gave an event: the other may lie in a directory that was made a moment ago.
  private func withdrawFormerPlace(of path: CachePath, _ identity: FileIdentity) {
    if let old = files[path]?.identity?.moving, old != identity.moving { forgetPlace(old, of: path) }
    if let former = places[identity.moving], former != path, case .session(let feed) = layout.role(of: former),
      case .absent = reading.look(at: former, limit: maximumFileBytes)
    {
      withdraw(former, feed: feed)
    }
    places[identity.moving] = path
  }

  private func forgetPlace(_ place: FileIdentity.Moving, of path: CachePath) {
    if places[place] == path { places[place] = nil }
  }

  /// Ends every wait for a path.
  private func settle(_ path: CachePath) {
    unsettled[path] = nil
    unsettledIdentity[path] = nil
    retries[path] = nil
    retryDelays[path] = nil
  }

  private func isRacy(_ identity: FileIdentity) -> Bool { age(of: identity) < FileRecord.tick }

  /// How long ago the file changed, by the file system's clock and the system's; negative when one of them was set back.
  private func age(of identity: FileIdentity) -> Duration {
    .nanoseconds(environment.clock.now().microseconds &* 1000 &- identity.changedNanoseconds)
  }

  // MARK: Bad files

  private func refuse(
    _ path: CachePath, feed name: FeedName, identity: FileIdentity, _ problem: Problem, isPatient: Bool, mayPass: Bool
  ) -> Outcome {
    // The change time moves with every write, rename and chmod, and no producer can set it: it tells of stillness.
    let isStill =
      age(of: identity) >= Self.stillness || !isPatient
      || (unsettledIdentity[path] == identity && unsettled[path] == nil)
    guard isStill else { return wait(path, identity: identity) }
    // The same file once more is tried ever later; one that changed begins anew.
    let delay = files[path]?.identity == identity ? retryDelays[path] : nil
    settle(path)
    retryDelays[path] = delay
    return standFor(path, feed: name, identity: identity, problem, mayPass: mayPass)
  }

  private func wait(_ path: CachePath, identity: FileIdentity) -> Outcome {
    unsettledIdentity[path] = identity
    let rest = min(Self.stillness, max(.zero, Self.stillness - age(of: identity)))
    unsettled[path] = Uptime.now().advanced(by: rest)
    return .waiting
  }

  /// The file counts as bad: its problem stands, and its last good version is in force.
  private func standFor(
    _ path: CachePath, feed name: FeedName, identity: FileIdentity, _ problem: Problem, mayPass: Bool
  ) -> Outcome {
    counters.rejected += 1
    let isHeld = files[path]?.isHeld ?? holdLastGood(of: path, feed: name)
    let wasProblem = problems[path]
    if isHeld { feeds[name]?.mark(path, unusable: true) }
    if let wasProblem { wasProblem.count += 1 }
    let note = wasProblem ?? ProblemNote(problem, since: environment.clock.now())
    let isNew = wasProblem == nil || note.problem != problem
    note.problem = problem
    problems[path] = note
    files[path] = FileRecord(identity: identity, isRacy: isRacy(identity), isHeld: isHeld)
    if mayPass { retryLater(path) }
    guard isNew else { return .unchanged }
    changedFeeds.insert(name)
    return .changed
  }

  /// Brings in what an earlier run read as good; false when there is nothing.
  private func holdLastGood(of path: CachePath, feed name: FeedName) -> Bool {
    guard let lastGood, let record = lastGood.records[path], let feed = feeds.feed(named: name) else { return false }
    let file = SessionFile(path: path, modified: record.identity.modified, isUnusable: true)
    return feed.read(lastGood.document(record), from: file, in: calendar, pruning: false).defects.isEmpty
  }

  private func retryLater(_ path: CachePath) {
    let delay = min(retryDelays[path].map { $0 * 2 } ?? Self.firstRetry, Self.longestRetry)
    retryDelays[path] = delay
    retries[path] = Uptime.now().advanced(by: delay)
  }

  // MARK: Absence

  private func noteAbsence(of path: CachePath, feed name: FeedName, isPatient: Bool) -> Outcome {
    guard files[path] != nil || vanished[path] != nil else {
      if unsettled[path] != nil { lastGood?.forget(path) }
      settle(path)
      return .unchanged
    }
    if isPatient {
      if vanished[path] == nil { vanished[path] = Uptime.now().advanced(by: Self.stillness) }
      return .waiting
    }
    return withdraw(path, feed: name)
  }

  /// The file is gone for good, and with it its last good version.
  @discardableResult
  package func withdraw(_ path: CachePath, feed name: FeedName) -> Outcome {
    settle(path)
    vanished[path] = nil
    links.remove(path)
    problems[path] = nil
    lastGood?.forget(path)
    guard let record = files.removeValue(forKey: path) else { return .unchanged }
    if let place = record.identity?.moving { forgetPlace(place, of: path) }
    if record.isHeld {
      feeds[name]?.remove(path)
      log?.forget(path)
    }
    changedFeeds.insert(name)
    return .changed
  }

  /// Looks again at every path whose wait is over.
  package func lookAgain(at now: Uptime) {
    for path in unsettled.take(until: now) { lookAgain(path, isPatient: true) }
    for path in retries.take(until: now) {
      counters.retries += 1
      // The record's identity says nothing about whether reading works now.
      files[path]?.isRacy = true
      lookAgain(path, isPatient: true)
    }
    for path in vanished.take(until: now) { lookAgain(path, isPatient: false) }
    if lastGood != nil { giveBackLastGood() }
  }

  private func lookAgain(_ path: CachePath, isPatient: Bool) {
    switch layout.role(of: path) {
    case .session(let feed): load(path, feed: feed, isPatient: isPatient)
    case .settings: loadSettings(isPatient: isPatient)
    case .unclaimed, .ignored: break
    }
  }
}

extension Problem {
  package init(path: CachePath, _ defect: JSONDefect, at place: JSONPlace, scope: FeedName? = nil) {
    self.init(
      path: path, line: place.line, column: place.column, pointer: place.pointer, message: defect.message, scope: scope)
  }
}
