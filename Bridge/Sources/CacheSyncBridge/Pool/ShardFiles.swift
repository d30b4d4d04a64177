import CacheSyncPrograms
import CacheSyncSystem

/// Writes what producers drop into the served caches of a shard. An invalid file replaces a valid one only when the
/// engine has the valid one as its last good version, or the agent has read it.
@LoopActor
final class ShardFiles {
  private let directory: PoolDirectory
  private let troubles: Troubles
  private let good: GoodVersions
  private let isServed: @LoopActor (CacheName) -> Bool
  private let isReleased: @LoopActor () -> Void

  /// Invalid versions that wait until the engine or the agent has the valid one.
  private var held: [SessionKey: SessionFiles.Change] = [:]
  /// Keys that could not be written, and will be read again.
  private var failed: Set<SessionKey> = []
  /// Keys whose paths lead through other keys' files.
  private var impossible: Set<SessionKey> = []
  private var isOver = false

  /// - Parameters:
  ///   - isServed: whether the agent has a cache.
  ///   - isReleased: called when a waiting version was written, or could not be written.
  init(
    _ directory: PoolDirectory, _ troubles: Troubles, _ good: GoodVersions,
    isServed: @escaping @LoopActor (CacheName) -> Bool, isReleased: @escaping @LoopActor () -> Void
  ) {
    self.directory = directory
    self.troubles = troubles
    self.good = good
    self.isServed = isServed
    self.isReleased = isReleased
  }

  /// How many keys could not be written yet.
  var unwritten: Int { failed.count + impossible.count }
  var hasFailures: Bool { !failed.isEmpty }
  /// The keys with a waiting version.
  var heldKeys: [SessionKey] { Array(held.keys) }

  /// Clears the failures before a new reading. What still fails is added again.
  func removeFailures() { failed = [] }

  func remove(_ cache: CacheName) { for key in held.keys where key.cache == cache { held[key] = nil } }

  func end() { (isOver, held, failed, impossible) = (true, [:], [], []) }

  // MARK: Writing

  /// Writes changes in the order given.
  func apply(_ changes: [SessionFiles.Change]) {
    var ready: [SessionFiles.Change] = []
    var keys: Set<SessionKey> = []
    for change in changes {
      // The file on disk decides what an invalid version replaces, so earlier changes of its key must be written first.
      if keys.contains(change.key), Self.judge(change) == .invalid {
        write(ready)
        (ready, keys) = ([], [])
      }
      guard let step = step(change) else { continue }
      if step == .keepThenWrite {
        hold(change)
      } else {
        ready.append(change)
        keys.insert(change.key)
      }
    }
    write(ready)
  }

  /// How to make a change; nil: it is not wanted, or must wait.
  private func step(_ change: SessionFiles.Change) -> LastGood.Change? {
    let key = change.key
    let new = Self.judge(change)
    if let waiting = held[key] {
      guard change.version != waiting.version else { return nil }
      if new == .invalid {
        if change.replaces(waiting) { held[key] = change }
        return nil
      }
      held[key] = nil
    }
    guard directory.files.wants(change) else {
      if directory.files.kept(key)?.version == change.version {
        directory.files.recordSequence(change.sequence, of: key)
      }
      return nil
    }
    var old = LastGood.Content.absent
    if new == .invalid {
      old = directory.files.unchangedFile(key).map { Self.judge($0.bytes, key) } ?? .absent
    }
    return LastGood.change(from: old, to: new, hasGood: good[key] != nil)
  }

  private static func judge(_ change: SessionFiles.Change) -> LastGood.Content {
    switch change.content {
    case .deletion: .absent
    case .file(let bytes, _): judge(bytes, change.key)
    }
  }

  private static func judge(_ bytes: [UInt8], _ key: SessionKey) -> LastGood.Content {
    CachePlace(path: key.path).accepts(bytes) ? .valid : .invalid
  }

  private func write(_ changes: [SessionFiles.Change]) {
    guard !changes.isEmpty else { return }
    let results = directory.files.apply(changes)
    let unwritten = Set(results.map(\.change.key))
    for (change, reason) in results { notify(change.key, "\(reason)") }
    for change in changes where !unwritten.contains(change.key) {
      let wasUnwritten = [failed.remove(change.key), impossible.remove(change.key)].contains { $0 != nil }
      if wasUnwritten { notify(change.key, nil) }
      if good[change.key] != nil, Self.judge(change) != .invalid { good.remove(change.key) }
    }
    for (change, reason) in results {
      if ArrivingCaches.isImpossible(reason) { impossible.insert(change.key) } else { failed.insert(change.key) }
    }
  }

  /// Records that a key of an arriving cache cannot be written.
  func recordImpossible(_ key: SessionKey, _ reason: String) {
    impossible.insert(key)
    notify(key, reason)
  }

  /// - Parameter reason: why the key cannot be written; nil: it was written.
  private func notify(_ key: SessionKey, _ reason: String?) {
    let label = key.cache.label
    let text = reason.map { "\(label): cannot write \(EscapedText.forPeople(key.path)): \($0)" }
    troubles.record("\(label): \(key.text)", text)
  }

  // MARK: Last good versions

  /// Keeps an invalid version waiting until the engine has the valid one that it replaces.
  private func hold(_ change: SessionFiles.Change) {
    let key = change.key
    guard let file = directory.files.unchangedFile(key) else { return write([change]) }
    held[key] = change
    LoopActor.task { [self] in
      if await good.keep(.init(bytes: file.bytes, modified: file.modified), key) { release(key) }
    }
  }

  private func release(_ key: SessionKey) {
    guard let change = held.removeValue(forKey: key) else { return }
    write([change])
    isReleased()
  }

  /// Places the good version of each file in the arriving caches whose last version is invalid. The invalid one waits.
  ///
  /// - Parameter isComing: whether a cache is about to arrive.
  func placeGood(in arriving: ArrivingCaches, _ isComing: (CacheName) -> Bool) {
    var waiting: Set<CacheName> = []
    for (key, version) in good.versions where isComing(key.cache) {
      let file = arriving.content(of: key)
      let content = file.map { Self.judge($0.bytes, key) } ?? .absent
      switch LastGood.arrival(of: content, hasGood: true) {
      case .asItIs: break
      case .asItIsThenForget: good.remove(key)
      case .goodFirst:
        guard let file, let kept = arriving.kept[key] else { continue }
        held[key] = SessionFiles.Change(
          key: key, version: kept.version, isPutBack: false, content: .file(file.bytes, modified: file.modified),
          sequence: kept.sequence)
        arriving.put(version.bytes, modified: version.modified, inPlaceOf: key)
        waiting.insert(key.cache)
      }
    }
    if !waiting.isEmpty { LoopActor.task { [self] in await releaseOnceRead(waiting) } }
  }

  /// Renames the invalid versions into place once the agent has read the good ones.
  private func releaseOnceRead(_ names: Set<CacheName>) async {
    var waiting = names
    var backoff = Backoff.engine
    while !isOver, !waiting.isEmpty {
      for name in waiting {
        guard isServed(name), await AgentProgram.hasPublished(in: directory.path(of: name)) else { continue }
        waiting.remove(name)
        for key in held.keys where key.cache == name { release(key) }
      }
      if !waiting.isEmpty { await LoopActor.sleep(backoff.next()) }
    }
  }
}
