package import CacheSyncSystem
import Glibc
package import SystemPackage

/// One cache of a home: follows its directory, and writes the session files into it.
@LoopActor
package final class HomeCache: HousekeptCache {
  package enum News: Sendable {
    /// The directory exists (again), and needs all its keys.
    case arrived
    case published
    /// Delayed changes may be made now.
    case released([SessionFiles.Change])
  }

  package let name: CacheName
  package let path: FilePath
  private let watch: DirectoryWatch
  private let troubles: Troubles
  private let now: @LoopActor () -> Uptime
  private let notify: @LoopActor (HomeCache, News) -> Void

  private lazy var followed = FollowedDirectory<SessionFiles>(
    path, label: label, watch: watch, troubles: troubles,
    open: { directory throws(DirectoryRefusal) in
      do throws(Errno) {
        return try SessionFiles(in: directory)
      } catch {
        throw .system(EscapedText.forPeople(directory.path), error)
      }
    }
  ) { [weak self] in self?.receive($0) }
  private var snapshots: DirectoryWatch.Token?
  /// The watches of the directories that the bridge writes into, by their paths below the cache.
  private var directories: [[UInt8]: DirectoryWatch.Token] = [:]
  /// The newest change of each key that is delayed because files were deleted a moment ago. The whole cache may be
  /// about to be deleted.
  private var held: [SessionKey: SessionFiles.Change] = [:]
  /// Since when changes have been held without a pause.
  private var heldSince: Int64?
  private var lastDeletion: Int64?
  private var release: Int?

  /// How long nothing is written after a deletion.
  private nonisolated static let stillness = Duration.milliseconds(500)
  /// How long deletions may delay a change. After that it is written as long as `.bridge` exists: a program that
  /// creates and deletes files all the time is not deleting the cache.
  private nonisolated static let longestHold = Duration.seconds(10)

  /// - Parameters:
  ///   - path: with every link resolved.
  ///   - now: the clock by which changes are held. A parameter, so that tests can control the time.
  package init(
    name: CacheName, path: FilePath, watch: DirectoryWatch, troubles: Troubles,
    now: @escaping @LoopActor () -> Uptime = { .now() },
    _ notify: @escaping @LoopActor (HomeCache, News) -> Void
  ) {
    self.name = name
    self.path = path
    self.watch = watch
    self.troubles = troubles
    self.now = now
    self.notify = notify
  }

  private var label: String { name.label }

  package var directory: BridgeDirectory? { followed.directory }

  private var files: SessionFiles? { followed.contents }

  /// The reason why it is not served; nil while it is.
  package var refusal: DirectoryRefusal? { followed.refusal }

  // MARK: Coming and going

  /// Checks whether the directory exists, and follows it.
  ///
  /// - Parameter isStart: whether the caller reports the refusal itself.
  package func look(isStart: Bool = false) {
    followed.look(isStart: isStart)
    watchSnapshots()
  }

  /// Looks again after events were lost. Any directory below may have been replaced.
  package func lookAgain() {
    unwatch()
    look()
  }

  /// Stops following the cache, for example when its directory left a directory of caches.
  package func close() {
    followed.close()
    leave()
    troubles.remove(prefix: label)
  }

  private func leave() {
    unwatch()
    // All keys are read when the directory comes back.
    (held, heldSince) = ([:], nil)
  }

  private func unwatch() {
    for token in (snapshots.map { [$0] } ?? []) + directories.values { watch.unwatch(token) }
    (snapshots, directories) = (nil, [:])
  }

  // MARK: Events

  private func receive(_ news: FollowedDirectory<SessionFiles>.News) {
    switch news {
    case .arrived:
      notify(self, .arrived)
      watchSnapshots()
    case .left: leave()
    case .event(let event): receive(event)
    }
  }

  private func receive(_ event: InotifyInstance.Event) {
    if event.has(IN_DELETE) { lastDeletion = now().nanoseconds }
    if event.name.isEmpty || event.name == Array(BridgeDirectory.name.utf8) { return look() }
    guard event.name == Array("snapshots".utf8) else { return }
    // The name may belong to another directory now.
    if let snapshots { watch.unwatch(snapshots) }
    snapshots = nil
    watchSnapshots()
  }

  private func watchSnapshots() {
    guard directory != nil, snapshots == nil else { return }
    snapshots = try? watch.watch(path.appending("snapshots")) { [weak self] event in
      guard let self, event.has(IN_MOVED_TO), event.name == Array("manifest.json".utf8) else { return }
      notify(self, .published)
    }
    if snapshots != nil { notify(self, .published) }
  }

  // MARK: Session files

  private var isQuiet: Bool {
    lastDeletion.map { .nanoseconds(now().nanoseconds - $0) >= Self.stillness } ?? true
  }

  private var isHeldTooLong: Bool {
    heldSince.map { .nanoseconds(now().nanoseconds - $0) >= Self.longestHold } ?? false
  }

  /// Whether no file was deleted a moment ago. Includes deletions that the thread has not handled yet.
  private func mayWrite(_ directory: BridgeDirectory) -> Bool {
    watch.drain()
    return (isQuiet || isHeldTooLong) && directory.isInPlace
  }

  private func holdOrLeave(_ changes: [SessionFiles.Change]) -> [SessionFiles.Change] {
    look()
    if directory != nil { hold(changes) }
    return []
  }

  private func hold(_ changes: [SessionFiles.Change]) {
    guard let files else { return }
    for change in changes {
      if let earlier = held[change.key] {
        if change.replaces(earlier) { held[change.key] = change }
      } else if files.wants(change) {
        held[change.key] = change
      }
    }
    if !held.isEmpty { heldSince = heldSince ?? now().nanoseconds }
    guard release == nil else { return }
    release = Alarms.shared.set(after: Self.stillness) { [weak self] in self?.releaseHeld() }
  }

  /// Offers the held changes again. The alarm calls it; tests call it instead.
  func releaseHeld() {
    if let release { Alarms.shared.cancel(release) }
    let changes = Array(held.values)
    (release, held) = (nil, [:])
    notify(self, .released(changes))
  }

  /// Watches for deletions in a directory that the bridge writes into.
  private func watch(directoryOf key: SessionKey) {
    guard let slash = key.path.lastIndex(of: UInt8(ascii: "/")) else { return }
    let directory = Array(key.path[..<slash])
    guard directories[directory] == nil else { return }
    directories[directory] = try? watch.watch(path.appending(bytes: directory)) { [weak self] event in
      guard let self else { return }
      if event.has(IN_DELETE) { lastDeletion = now().nanoseconds }
      if event.has(IN_IGNORED) { directories[directory] = nil }
    }
  }

  /// Makes the wanted changes. Returns those that failed and need a retry. Returns none while the directory is missing,
  /// because all keys are read when it comes back.
  package func apply(_ changes: [SessionFiles.Change]) -> [SessionFiles.Change] {
    guard let directory, let files, !held.isEmpty || changes.contains(where: files.wants) else {
      heldSince = nil
      for change in changes { removeFailure(of: change.key) }
      return []
    }
    // The held changes are older. Written later, they would replace newer versions.
    guard held.isEmpty, mayWrite(directory) else { return holdOrLeave(changes) }
    for change in changes { watch(directoryOf: change.key) }
    let results = files.apply(changes) { mayWrite(directory) }
    for change in changes { watch(directoryOf: change.key) }
    let interrupted = results.filter { $0.reason == .interrupted }.map(\.change)
    if interrupted.isEmpty { heldSince = nil } else { _ = holdOrLeave(interrupted) }
    let failed = results.filter { $0.reason != .interrupted }
    let keys = Set(failed.map(\.change.key))
    for change in changes where !keys.contains(change.key) { removeFailure(of: change.key) }
    for (change, reason) in failed {
      let file = EscapedText.forPeople(change.key.path)
      troubles.record("\(label): \(change.key.text)", "\(label): cannot write \(file): \(reason)")
    }
    return failed.map(\.change)
  }

  /// Ends the trouble of a key that was written, or is not wanted any more.
  package func removeFailure(of key: SessionKey) {
    if !troubles.isEmpty { troubles.record("\(label): \(key.text)", nil) }
  }

  // MARK: Housekeeping

  var hasFiles: Bool { files?.hasFiles ?? false }

  func versionOfUnchangedFile(_ key: SessionKey) -> Int64? {
    directory?.isInPlace == true ? files?.versionOfUnchangedFile(key) : nil
  }

  func versionOfDeletion(_ key: SessionKey) -> Int64? {
    files?.versionOfDeletion(key)
  }

  // MARK: Sets

  package func readSet() -> PublishedSet? {
    directory.flatMap { SetFiles.set(in: $0.root, label, troubles) }
  }
}
