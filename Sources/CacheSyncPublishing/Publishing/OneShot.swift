package import CacheSync
import CacheSyncSystem
package import Logging
package import SystemPackage

/// A single pass over a cache without an agent, for `sync`, `show` and `next`.
package enum OneShot {
  /// Reads a cache, using the last good versions that an agent kept, and writes nothing.
  package static func contents(of path: FilePath, environment: CacheEnvironment) throws(CacheError) -> CacheContents {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    let contents = CacheContents(root: root, environment: environment)
    try requireSettings(of: contents)
    contents.fallBackToKept()
    contents.recordOutputs(named: knownOutputs(of: contents))
    let listed = contents.readEverything(isPatient: contents.mayShowGaps)
    if contents.mayShowGaps { awaitStillness(of: contents, listed, atMost: .seconds(1)) }
    for path in contents.waits.keys {
      if case .session(let feed) = contents.layout.role(of: path) { contents.load(path, feed: feed, isPatient: false) }
    }
    contents.closeLastGoodOnceJudged()
    return contents
  }

  private static func knownOutputs(of contents: CacheContents) -> Set<String> {
    let store = SnapshotStore(root: contents.root)
    store.readExistingOutputs(named: contents.registry.kinds.map(\.name.fileName))
    return store.known
  }

  /// Makes one pass: reads everything, publishes what changed, and keeps the last good versions.
  ///
  /// - Parameter instant: the moment to compute for; nil uses the current time.
  /// - Returns: the generation that readers see afterwards.
  package static func sync(_ path: FilePath, environment: CacheEnvironment, logger: Logger, at instant: Instant? = nil)
    throws -> Int
  {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    let contents = CacheContents(root: root, environment: environment)
    try requireSettings(of: contents)
    let state: StateDirectory
    do throws(StateDirectory.Failure) {
      state = try StateDirectory(root: root, as: .sync)
    } catch {
      switch error {
      case .held(let holder, let other?): throw CacheError(heldBy: holder, root.path, elsewhere: other.description)
      case .held: throw HeldByAnother()
      case .publish(let error): throw error
      }
    }
    defer { state.leave() }
    try OwnedDirectory.refuseForeignOutputs(in: root)
    let store = SnapshotStore(root: root)
    contents.adoptPreviousRuns(in: state, into: store, logger)
    let listed = contents.readEverything(isPatient: true, isOwner: true)
    awaitStillness(of: contents, listed, atMost: .seconds(2))
    contents.closeLastGoodOnceJudged()
    let wallNow = environment.clock.now()
    let moment = contents.moment(at: instant ?? wallNow)
    let documents = Publisher(contents: contents, store: store, logger: logger).compute(at: moment)
    let publication = try store.publish(documents, at: wallNow, durability: contents.durability, state: state)
    if let note = publication?.note(in: root.path) { logger.warning("\(note)") }
    contents.lastGood.log?.keep(generation: store.generation)
    // The snapshots are published, so failing to keep the last good versions causes only a warning.
    do throws(Errno) {
      try contents.lastGood.log?.save(isFlushing: contents.durability == .flush)
    } catch {
      logger.warning("cannot keep the last good versions in \(CacheLayout.state): \(error)")
    }
    return store.generation
  }

  /// An agent, another `sync` or a bridge holds the lock of the cache.
  package struct HeldByAnother: Error {}

  private static func requireSettings(of contents: CacheContents) throws(CacheError) {
    var rereading = Rereading()
    repeat {
      contents.loadSettings(isPatient: false)
    } while contents.settingsFile.problem != nil && contents.mayShowGaps && rereading.wait()
    if let problem = contents.settingsFile.problem?.problem {
      throw CacheError(settings: problem, in: contents.root.path)
    }
  }

  /// Waits for files that may still be in the middle of a write, as an agent would, and for files that a directory lists
  /// and that are missing while another program replaces them.
  private static func awaitStillness(
    of contents: CacheContents, _ listed: [(path: CachePath, feed: FeedName)], atMost length: Duration
  ) {
    // It really waits, so it does not use the clock that is given.
    let limit = Uptime.now().advanced(by: length)
    var rereading = Rereading()
    while true {
      let now = Uptime.now()
      let missing = contents.mayShowGaps ? listed.filter { contents.files[$0.path] == nil } : []
      let waits = contents.waits
      let isInDoubt = contents.mayShowGaps && !(missing.isEmpty && waits.isEmpty)
      let pause = isInDoubt ? rereading.pause() : nil
      let due = [waits.values.min(), pause.map { now.advanced(by: $0) }].compactMap(\.self).min()
      guard let due, now < limit else { return }
      SystemSleep.sleep(until: min(due, limit))
      if pause != nil {
        contents.load(missing)
        contents.lookAtWaiting()
      }
      contents.lookAgain(at: Uptime.now())
    }
  }
}
