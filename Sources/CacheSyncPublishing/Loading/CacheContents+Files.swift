package import CacheSync
package import CacheSyncSystem

extension CacheContents {
  package enum Outcome: Equatable {
    case unchanged, changed
    /// The agent checks again at a deadline, which ``nextDeadline`` includes.
    case waiting
  }

  /// Checks a session file, reads it when it may have changed, and records the verdict.
  ///
  /// - Parameter isPatient: whether a bad or missing file counts only after 250 ms. A bad file whose change time is
  ///   older than that counts at once.
  @discardableResult
  package func load(_ path: CachePath, feed name: FeedName, isPatient: Bool = true) -> Outcome {
    load(path, feed: name, isPatient: isPatient, ahead: nil)
  }

  /// Checks session files, and reads many of them on every core.
  ///
  /// - Parameter haveChanged: whether events named the files. Otherwise files that were judged before are not read
  ///   ahead.
  package func load(_ files: [(path: CachePath, feed: FeedName)], isPatient: Bool = true, haveChanged: Bool = false) {
    guard files.count >= Self.portion else {
      for file in files { load(file.path, feed: file.feed, isPatient: isPatient) }
      return
    }
    var waiting = files[...]
    var portion = files.prefix(0)
    var reading: SharedWork<SeenFile?>?
    repeat {
      let next = waiting.prefix(Self.portion)
      waiting = waiting.dropFirst(Self.portion)
      let seen = reading?.results() ?? []
      // Other cores read the next portion while this thread judges the current one.
      reading = readAhead(next, unless: !haveChanged)
      for (file, seen) in zip(portion, seen) {
        // A file that looked bad when it was read ahead may have been in the middle of a write, so it is read again.
        load(file.path, feed: file.feed, isPatient: isPatient, ahead: seen.flatMap { $0.isGood ? $0 : nil })
      }
      portion = next
    } while !portion.isEmpty
  }

  /// How many files are read ahead. More would keep more sessions in memory; for fewer, waking a thread costs more than
  /// it saves.
  private static let portion = 64

  /// - Parameter areKnown: whether to skip files that were judged before.
  private func readAhead(
    _ files: ArraySlice<(path: CachePath, feed: FeedName)>, unless areKnown: Bool
  ) -> SharedWork<SeenFile?> {
    let loader = loader
    let jobs = files.map { path, feed -> (CachePath, FeedDescriptor, LastGoodLog.LastGood?)? in
      let verdict = self.files[path]?.verdict
      if areKnown, verdict != nil { return nil }
      return registry.feed(named: feed).map { (path, $0, usableLastGood(of: path, judged: verdict)) }
    }
    return pool.begin(jobs.count, isComputing: true) { index in
      jobs[index].map { path, feed, lastGood in loader.look(at: path, for: feed, lastGood: lastGood) }
    }
  }

  @discardableResult
  private func load(_ path: CachePath, feed name: FeedName, isPatient: Bool, ahead: SeenFile?) -> Outcome {
    switch ahead?.found ?? reading.look(at: path, limit: maximumFileBytes) {
    case .absent: return recordAbsence(of: path, feed: name, isPatient: isPatient)
    case .unusable(let identity, let failure):
      appear(path, feed: name, present: failure.makesFeedPresent)
      var problem = Problem(path: path, message: failure.message)
      problem.belongsToNoKind = failure == .leavesCache
      if identity.type == .link {
        files.recordLink(at: path)
        // Every event causes a check of the links, because a link may have a different target by now.
        if isRejected(path, identity, because: problem), !isRetryDue(for: path) {
          files.endWait(for: path)
          return .unchanged
        }
      }
      return rejectOnceStill(
        path, feed: name, identity: identity, problem, isPatient: isPatient, mayPass: failure.mayPass)
    case .file(let identity, let isLink):
      if isLink { files.recordLink(at: path) }
      let state = appear(path, feed: name, present: registry.companions(of: path, in: name).isEmpty)
      if case .judged(let verdict) = state, verdict.record.identity == identity, !verdict.record.mustReadAgain,
        verdict.rejection?.retry == nil
      {
        return .unchanged
      }
      return read(path, feed: name, identity: identity, isPatient: isPatient, ahead: ahead?.content)
    }
  }

  private func isRejected(_ path: CachePath, _ identity: FileIdentity, because problem: Problem) -> Bool {
    guard case .rejected(let record, let rejection) = files[path]?.verdict else { return false }
    return record.identity == identity && rejection.note.problem == problem
  }

  private func isRetryDue(for path: CachePath) -> Bool {
    files[path]?.verdict?.rejection?.retry.map { $0.due <= environment.uptime.now() } ?? false
  }

  /// Checks a file that an event named. A bad file gets 250 ms, and so does a missing one if `isPatientWithAbsence`.
  package func loadAfterEvent(_ path: CachePath, feed name: FeedName, isPatientWithAbsence: Bool) {
    if !isPatientWithAbsence, case .absent = reading.look(at: path, limit: maximumFileBytes) {
      withdraw(path, feed: name)
    } else {
      load(path, feed: name)
    }
  }

  /// - Returns: the file's state, in which it is no longer missing.
  @discardableResult
  private func appear(_ path: CachePath, feed name: FeedName, present isPresent: Bool) -> FileState? {
    if isPresent { makePresent(name) }
    let state = files[path]
    guard case .vanished = state else { return state }
    files.endWait(for: path)
    return files[path]
  }

  private func makePresent(_ name: FeedName) {
    guard present.insert(name).inserted else { return }
    lastGood.log?.keep(present: name)
    changedFeeds.insert(name)
  }

  /// Records that a file has changed what its feeds have, or their problems.
  private func recordChange(of path: CachePath, in name: FeedName) {
    changedFeeds.insert(name)
    changedFeeds.formUnion(registry.companions(of: path, in: name))
  }

  private func read(
    _ path: CachePath, feed name: FeedName, identity: FileIdentity, isPatient: Bool, ahead: SeenFile.Content?
  ) -> Outcome {
    guard let descriptor = registry.feed(named: name) else { return .unchanged }
    if identity.hasOtherNames, files[path] != nil { changedInodes.insert(identity.inode) }
    let content =
      ahead
      ?? loader.content(
        of: path, identity, for: descriptor, lastGood: usableLastGood(of: path, judged: files[path]?.verdict))
    switch content {
    case .unchanged(let decoded, let size):
      adopt(
        decoded, name, path,
        FileRecord(identity: identity, mustReadAgain: false, loggedBytes: UInt32(clamping: size)))
      return .changed
    case .session(let decoded, let identity, let isRacy, let warnings):
      var size = loggedBytes(of: path)
      if let pruned = decoded.pruned, let log = lastGood.log {
        size = UInt32(clamping: log.keep(path, identity: identity, document: pruned, replacing: Int(size)))
      }
      adopt(
        decoded, name, path, FileRecord(identity: identity, mustReadAgain: isRacy, loggedBytes: size),
        warnings: warnings)
      return .changed
    case .defective(let problem, let identity):
      makePresent(name)
      return rejectOnceStill(path, feed: name, identity: identity, problem, isPatient: isPatient, mayPass: false)
    case .unreadable(let reason):
      makePresent(name)
      let failure = SessionReading.Failure.system(reason)
      return rejectOnceStill(
        path, feed: name, identity: identity, Problem(path: path, message: failure.message),
        isPatient: isPatient, mayPass: true)
    case .changing: return wait(path, identity: identity)
    }
  }

  private var loader: SessionLoader {
    SessionLoader(
      reading: reading, limit: maximumFileBytes, clock: environment.clock, isPruning: lastGood.log != nil,
      wanted: environment.wanted, moment: environment.moment)
  }

  /// Returns the version that an earlier run accepted, for a file that this run has not judged.
  private func usableLastGood(of path: CachePath, judged verdict: FileVerdict?) -> LastGoodLog.LastGood? {
    verdict == nil ? lastGood[path] : nil
  }

  /// Gives a good version of a file to its feed.
  private func adopt(
    _ decoded: DecodedSession, _ name: FeedName, _ path: CachePath, _ record: FileRecord,
    warnings: [Problem] = []
  ) {
    feeds.ingest(
      decoded, of: name, from: SessionFile(path: path, times: loader.times(of: record.identity)), in: calendar)
    // Content makes a feed present where a file may have it for several.
    if decoded.session != nil { makePresent(name) }
    for other in decoded.others.keys { makePresent(other) }
    withdrawFormerPlace(of: path, record.identity)
    files.accept(path, record, warnings: warnings, at: environment.clock.now())
    recordChange(of: path, in: name)
  }

  /// Checks the other names of files that were written by one of their names: the kernel reports only that one.
  package func loadOtherNames() {
    if changedInodes.isEmpty { return }
    for path in files.paths where files[path].map({ changedInodes.contains($0.inode) }) ?? false {
      if case .session(let feed) = layout.role(of: path) { load(path, feed: feed) }
    }
    changedInodes = []
  }

  private func loggedBytes(of path: CachePath) -> UInt32 {
    files[path]?.verdict?.record.loggedBytes ?? lastGood[path].map { UInt32(clamping: $0.size) } ?? 0
  }

  /// Withdraws the path from which a file was moved here, so that one publication includes both ends of the move.
  ///
  /// The former path may have caused no event: its directory may have been created only a moment ago.
  private func withdrawFormerPlace(of path: CachePath, _ identity: FileIdentity) {
    if let former = files.place(of: identity), former != path, case .session(let feed) = layout.role(of: former),
      case .absent = reading.look(at: former, limit: maximumFileBytes)
    {
      withdraw(former, feed: feed)
    }
  }

  // MARK: Bad files

  private func rejectOnceStill(
    _ path: CachePath, feed name: FeedName, identity: FileIdentity, _ problem: Problem, isPatient: Bool, mayPass: Bool
  ) -> Outcome {
    // The change time moves with every write, rename and chmod, and no producer can set it. So its age shows how long
    // the file was still. An unchanged file that was found bad before counts at once, whatever its change time: a file
    // server's clock may be ahead, and the local clock may be set back.
    let isStill =
      loader.age(of: identity) >= Self.stillness || !isPatient || wasFoundBad(path, identity)
    guard isStill else { return wait(path, identity: identity) }
    return reject(path, feed: name, identity: identity, problem, mayPass: mayPass)
  }

  /// Whether the file is unchanged since it was rejected, or since the agent waited for it.
  private func wasFoundBad(_ path: CachePath, _ identity: FileIdentity) -> Bool {
    if case .settling(let settling) = files[path], settling.due == nil, settling.identity == identity { return true }
    guard case .rejected(let record, _) = files[path]?.verdict else { return false }
    return record.identity == identity
  }

  private func wait(_ path: CachePath, identity: FileIdentity) -> Outcome {
    let rest = min(Self.stillness, max(.zero, Self.stillness - loader.age(of: identity)))
    files.waitForStillness(of: path, as: identity, until: environment.uptime.now().advanced(by: rest))
    return .waiting
  }

  /// Records the problem and falls back to the last good version.
  private func reject(
    _ path: CachePath, feed name: FeedName, identity: FileIdentity, _ problem: Problem, mayPass: Bool
  ) -> Outcome {
    counters.rejected += 1
    let previous = files[path]?.verdict
    let isHeld = previous?.isHeld ?? holdLastGood(of: path, feed: name)
    if isHeld { feeds.markUnusable(path, of: name) }
    // An unchanged file is retried with growing delays. A changed file begins with the shortest delay.
    let failed = previous?.record.identity == identity ? previous?.rejection?.retry : nil
    let isNew = files.reject(
      path,
      FileRecord(identity: identity, mustReadAgain: loader.isRacy(identity), loggedBytes: loggedBytes(of: path)),
      because: problem, at: environment.clock.now(), isHeld: isHeld,
      retry: mayPass ? Retry(after: failed, at: environment.uptime.now()) : nil)
    guard isNew else { return .unchanged }
    recordChange(of: path, in: name)
    return .changed
  }

  /// Gives the feed the version that an earlier run accepted; false when there is none.
  private func holdLastGood(of path: CachePath, feed name: FeedName) -> Bool {
    guard let lastGood = lastGood[path] else { return false }
    let file = SessionFile(path: path, times: loader.times(of: lastGood.identity), isUnusable: true)
    return lastGood.withDocument { feeds.read($0, of: name, from: file, in: calendar).isEmpty } ?? false
  }

  // MARK: Absence

  private func recordAbsence(of path: CachePath, feed name: FeedName, isPatient: Bool) -> Outcome {
    guard let state = files[path] else { return .unchanged }
    guard isPatient, state.verdict != nil else { return withdraw(path, feed: name) }
    files.waitForReturn(of: path, until: environment.uptime.now().advanced(by: Self.stillness))
    return .waiting
  }

  /// Removes a file that is missing for good, and its last good version.
  @discardableResult
  package func withdraw(_ path: CachePath, feed name: FeedName) -> Outcome {
    let loggedBytes = loggedBytes(of: path)
    let verdict = files.remove(path)
    // Includes a file that this run never judged, because the log may have a version from an earlier run.
    if verdict?.isHeld == true || loggedBytes > 0 { lastGood.remove(path, size: Int(loggedBytes)) }
    guard let verdict else { return .unchanged }
    if verdict.isHeld { feeds.remove(path, of: name) }
    recordChange(of: path, in: name)
    return .changed
  }

  /// Checks every file that the agent waits for. A wait begins again for a file that has changed.
  package func lookAtWaiting() {
    for path in files.waits.keys {
      if case .session(let feed) = layout.role(of: path) { load(path, feed: feed) }
    }
  }

  /// Checks every path whose wait is over.
  package func lookAgain(at now: Uptime) {
    for path in files.dequeue(until: now) {
      guard case .session(let feed) = layout.role(of: path) else { continue }
      var isPatient = true
      switch files[path] {
      case .vanished: isPatient = false
      case .judged: counters.retries += 1
      case .settling, nil: break
      }
      load(path, feed: feed, isPatient: isPatient)
    }
    lookAtSettingsAgain(at: now)
    closeLastGoodOnceJudged()
  }

  private func lookAtSettingsAgain(at now: Uptime) {
    if let due = settingsFile.retryDue, due <= now {
      counters.retries += 1
      loadSettings()
    } else if let due = settingsFile.absenceDue, due <= now {
      loadSettings(isPatient: false)
    }
  }
}
