import CacheSyncSystem
import SystemPackage

/// A cache that exists, as housekeeping needs it.
@LoopActor
protocol HousekeptCache {
  var path: FilePath { get }
  /// Whether it has a file that the bridge put.
  var hasFiles: Bool { get }
  /// The version of a key whose file is still as the bridge put it; nil otherwise.
  func versionOfUnchangedFile(_ key: SessionKey) -> Int64?
  /// The version of a key whose deletion the bridge has carried out; nil otherwise.
  func versionOfDeletion(_ key: SessionKey) -> Int64?
}

/// Removes messages from a namespace's `in` that clients do not need any more: intents that have ended, and old
/// deletions (wire.md section 7).
///
/// It only removes a key whose version in the engine is exactly the version in a cache here. So the cache has always
/// received what is removed, and a newer message is never removed.
@LoopActor
final class Housekeeping {
  private let engine: Engine
  private let namespace: Namespace
  private let troubles: Troubles
  private let cache: @LoopActor (CacheName) -> (any HousekeptCache)?
  private let pause: Duration
  private let names: @LoopActor () -> [CacheName]

  private struct Place: Equatable {
    var sequence: UInt64
    var time: Int64

    init(_ stored: StoredMessage) { (sequence, time) = (stored.sequence, stored.time) }
  }

  /// The messages that are deletions, by key.
  private var deletions: [SessionKey: Place] = [:]
  /// Messages of keys that were deleted long ago, and that the engine shows again.
  private var revived: [SessionKey: Place] = [:]
  private var hasBegun = false
  private var failure: EngineError?

  /// An intent has effect for 168 hours, and a deletion stays for 90 days, so a daily run is early enough.
  private nonisolated static let interval = Duration.seconds(86_400)
  /// By then the bridge has written what it read at the start.
  private nonisolated static let firstPause = Duration.seconds(5)

  /// - Parameters:
  ///   - pause: between two caches, because each runs a program.
  ///   - names: returns the current caches.
  ///   - cache: returns a cache as long as it exists.
  init(
    _ engine: Engine, _ namespace: Namespace, _ troubles: Troubles, pause: Duration = .zero,
    names: @escaping @LoopActor () -> [CacheName],
    cache: @escaping @LoopActor (CacheName) -> (any HousekeptCache)?
  ) {
    self.engine = engine
    self.namespace = namespace
    self.troubles = troubles
    self.pause = pause
    self.names = names
    self.cache = cache
  }

  /// Records the current message of a key of a cache here.
  func record(_ stored: StoredMessage, of key: SessionKey) {
    let isDeletion = stored.message.isDeletion
    deletions[key] = isDeletion ? Place(stored) : nil
    revived[key] = !isDeletion && isRevived(stored, key) ? Place(stored) : nil
  }

  private func isRevived(_ stored: StoredMessage, _ key: SessionKey) -> Bool {
    guard let version = cache(key.cache)?.versionOfDeletion(key) else { return false }
    return stored.version < version && SessionFiles.isOld(deletion: version)
  }

  /// Begins when the keys have been read for the first time, and repeats every day.
  func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    schedule(after: Self.firstPause)
  }

  private func schedule(after time: Duration) {
    Alarms.shared.set(after: time) { [weak self] in
      LoopActor.task { [weak self] in await self?.run() }
    }
  }

  private func run() async {
    failure = nil
    await removeOldDeletions()
    await deleteRevived()
    for name in names() {
      await removeEndedFiles(of: name)
      await LoopActor.sleep(pause)
    }
    troubles.record("housekeeping", failure.map { "the engine keeps files and deletions that are not needed: \($0)" })
    schedule(after: Self.interval)
  }

  /// Deletes, as a producer would, the files that the agent lists as removable and that are unchanged since the engine
  /// sent them.
  private func removeEndedFiles(of name: CacheName) async {
    guard let path = cache(name)?.path, cache(name)?.hasFiles == true,
      let removable = await AgentProgram.removable(in: path)
    else { return }
    for path in removable {
      guard let key = SessionKey(cache: name, path: Array(path.utf8)),
        let version = cache(name)?.versionOfUnchangedFile(key)
      else { continue }
      await attempt { () async throws(EngineError) in
        guard let stored = try await last(key), stored.version == version, !stored.message.isDeletion else { return }
        try await engine.putDeletion(of: stored)
      }
    }
  }

  /// Removes the messages of deletions that every client has had time to read.
  private func removeOldDeletions() async {
    for (key, place) in deletions {
      guard let version = cache(key.cache)?.versionOfDeletion(key), SessionFiles.isOld(deletion: version) else {
        continue
      }
      await attempt { () async throws(EngineError) in
        // An engine that was wiped assigns the same sequence again.
        guard let stored = try await last(key), Place(stored) == place, stored.version == version,
          stored.message.isDeletion
        else { return }
        try await engine.remove(stored.sequence, from: stream(of: key))
        deletions[key] = nil
      }
    }
  }

  /// Repeats old deletions, so that no other bridge treats the revived messages as new.
  private func deleteRevived() async {
    for (key, place) in revived {
      await attempt { () async throws(EngineError) in
        guard let stored = try await last(key), Place(stored) == place else { return }
        try await engine.putDeletion(of: stored)
      }
    }
  }

  private func stream(of key: SessionKey) -> String { namespace.stream(.in, namespace.shard(of: key.cache)) }

  private func last(_ key: SessionKey) async throws(EngineError) -> StoredMessage? {
    try await engine.last(namespace.subject(of: key), in: stream(of: key))
  }

  private func attempt(_ act: () async throws(EngineError) -> Void) async {
    do throws(EngineError) {
      try await act()
    } catch {
      switch error {
      // A newer message came in between, or the connection was lost. The next run is early enough.
      case .wrongLastSequence, .notConnected, .unanswered: break
      default: failure = error
      }
    }
  }
}
