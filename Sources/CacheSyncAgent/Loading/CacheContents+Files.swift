package import CacheSync
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
    load(path, feed: name, isPatient: isPatient, ahead: nil)
  }

  /// Looks at many session files. Those of which nothing is known are read on every core, and all when they are known to have
  /// changed.
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
      let seen = reading?.finish() ?? []
      // The next portion is read on other cores while this one is taken in.
      reading = readAhead(next, unless: !haveChanged)
      for (file, seen) in zip(portion, seen) {
        // What did not look good a while ago may have been in the middle of being written: it is looked at again.
        load(file.path, feed: file.feed, isPatient: isPatient, ahead: seen.flatMap { $0.isGood ? $0 : nil })
      }
      portion = next
    } while !portion.isEmpty
  }

  /// So many files are read before they are taken in. A judgement: they stay in memory, and a thread that is called for fewer
  /// would cost more than it does.
  private static let portion = 64

  /// - Parameter areKnown: whether files of which something is known are passed over.
  private func readAhead(
    _ files: ArraySlice<(path: CachePath, feed: FeedName)>, unless areKnown: Bool
  ) -> SharedWork<SeenFile?> {
    let loader = loader
    let jobs = files.map { path, feed -> (CachePath, any Feed.Type, LastGoodLog.LastGood?)? in
      if areKnown, self.files[path] != nil { return nil }
      return FeedRegistry.feed(named: feed).map { (path, $0, usableLastGood(of: path)) }
    }
    return pool.begin(jobs.count, isComputing: true) { index in
      jobs[index].map { path, feed, lastGood in loader.look(at: path, for: feed, lastGood: lastGood) }
    }
  }

  @discardableResult
  private func load(_ path: CachePath, feed name: FeedName, isPatient: Bool, ahead: SeenFile?) -> Outcome {
    switch ahead?.found ?? reading.look(at: path, limit: maximumFileBytes) {
    case .absent: return noteAbsence(of: path, feed: name, isPatient: isPatient)
    case .unusable(let identity, let failure):
      appear(path, feed: name, present: failure.makesFeedPresent)
      var problem = Problem(path: path, message: failure.message)
      problem.belongsToNoKind = failure == .leavesCache
      if identity.type == .link {
        links.insert(path)
        // It is looked at with every event, because it may lead elsewhere by now.
        if files[path]?.identity == identity, problems[path]?.problem == problem, !failure.mayPass { return .unchanged }
      }
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
      return read(path, feed: name, identity: identity, isPatient: isPatient, ahead: ahead?.content)
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

  private func read(
    _ path: CachePath, feed name: FeedName, identity: FileIdentity, isPatient: Bool, ahead: SeenFile.Content?
  ) -> Outcome {
    guard let feed = feeds.feed(named: name) else { return .unchanged }
    let content =
      ahead ?? loader.content(of: path, identity, for: type(of: feed), lastGood: usableLastGood(of: path))
    switch content {
    case .unchanged(let decoded):
      take(decoded, feed, path, identity, isRacy: false)
      return .changed
    case .session(let decoded, let identity, let isRacy):
      take(decoded, feed, path, identity, isRacy: isRacy)
      if let pruned = decoded.pruned, let log {
        let size = log.keep(path, identity: identity, document: pruned, replacing: Int(loggedBytes(of: path)))
        files[path]?.loggedBytes = UInt32(clamping: size)
      }
      return .changed
    case .defective(let problem, let identity):
      return refuse(path, feed: name, identity: identity, problem, isPatient: isPatient, mayPass: false)
    case .unreadable(let reason):
      let failure = SessionReading.Failure.system(reason)
      return refuse(
        path, feed: name, identity: identity, Problem(path: path, message: failure.message),
        isPatient: isPatient, mayPass: true)
    case .changing: return wait(path, identity: identity)
    }
  }

  private var loader: SessionLoader {
    SessionLoader(
      reading: reading, limit: maximumFileBytes, clock: environment.clock, isPruning: log != nil)
  }

  /// The version that an earlier run read as good, for a file that this one has not read.
  private func usableLastGood(of path: CachePath) -> LastGoodLog.LastGood? {
    files[path] == nil ? lastGood?[path] : nil
  }

  private func take(
    _ decoded: DecodedSession, _ feed: any Feed, _ path: CachePath, _ identity: FileIdentity, isRacy: Bool
  ) {
    feed.take(decoded, from: SessionFile(path: path, modified: identity.modified), in: calendar)
    settle(path)
    problems[path] = nil
    withdrawFormerPlace(of: path, identity)
    files[path] = FileRecord(identity: identity, isRacy: isRacy, isHeld: true, loggedBytes: loggedBytes(of: path))
    changedFeeds.insert(type(of: feed).name)
  }

  private func loggedBytes(of path: CachePath) -> UInt32 {
    files[path]?.loggedBytes ?? lastGood?[path].map { UInt32(clamping: $0.size) } ?? 0
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
  func settle(_ path: CachePath) {
    unsettled[path] = nil
    unsettledIdentity[path] = nil
    retries[path] = nil
    retryDelays[path] = nil
  }

  // MARK: Bad files

  private func refuse(
    _ path: CachePath, feed name: FeedName, identity: FileIdentity, _ problem: Problem, isPatient: Bool, mayPass: Bool
  ) -> Outcome {
    // The change time moves with every write, rename and chmod, and no producer can set it: it tells of stillness.
    // A file that counts as bad already, and is the same, needs no patience, whatever its time: the clock of a file server may
    // be ahead of ours, and ours may be set back.
    let isStill =
      loader.age(of: identity) >= Self.stillness || !isPatient
      || (problems[path] != nil && files[path]?.identity == identity)
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
    let rest = min(Self.stillness, max(.zero, Self.stillness - loader.age(of: identity)))
    unsettled[path] = environment.uptime.now().advanced(by: rest)
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
    files[path] = FileRecord(
      identity: identity, isRacy: loader.isRacy(identity), isHeld: isHeld, loggedBytes: loggedBytes(of: path))
    if mayPass { retryLater(path) }
    guard isNew else { return .unchanged }
    changedFeeds.insert(name)
    return .changed
  }

  /// Brings in what an earlier run read as good; false when there is nothing.
  private func holdLastGood(of path: CachePath, feed name: FeedName) -> Bool {
    guard let lastGood = lastGood?[path], let feed = feeds.feed(named: name) else { return false }
    let file = SessionFile(path: path, modified: lastGood.identity.modified, isUnusable: true)
    return lastGood.withDocument { feed.read($0, from: file, in: calendar, pruning: false).defects.isEmpty } ?? false
  }

  func retryLater(_ path: CachePath) {
    let delay = min(retryDelays[path].map { $0 * 2 } ?? Retry.first, Retry.longest)
    retryDelays[path] = delay
    retries[path] = environment.uptime.now().advanced(by: delay)
  }

  // MARK: Absence

  private func noteAbsence(of path: CachePath, feed name: FeedName, isPatient: Bool) -> Outcome {
    guard files[path] != nil || vanished[path] != nil else {
      if unsettled[path] != nil { lastGood?.forget(path) }
      settle(path)
      return .unchanged
    }
    if isPatient {
      if vanished[path] == nil { vanished[path] = environment.uptime.now().advanced(by: Self.stillness) }
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
      log?.forget(path, size: Int(record.loggedBytes))
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
    lookAtSettingsAgain(at: now)
    if lastGood != nil { giveBackLastGood() }
  }

  private func lookAtSettingsAgain(at now: Uptime) {
    if let due = settingsFile.retryDue, due <= now {
      counters.retries += 1
      loadSettings()
    } else if let due = settingsFile.absenceDue, due <= now {
      loadSettings(isPatient: false)
    }
  }

  private func lookAgain(_ path: CachePath, isPatient: Bool) {
    switch layout.role(of: path) {
    case .session(let feed): load(path, feed: feed, isPatient: isPatient)
    case .settings, .unclaimed, .ignored: break
    }
  }
}
