import CacheSync
package import CacheSyncSystem
import Glibc
package import SystemPackage

/// One cache of a home: the directory while it is there, and what happens to it.
@LoopActor
package final class HomeCache: HousekeptCache {
  package enum News: Sendable {
    /// The directory is there (again): all its keys are wanted.
    case arrived
    /// The agent published.
    case published
    /// Changes that were held back may be made now.
    case released([SessionFiles.Change])
  }

  package let name: CacheName
  package let path: FilePath
  private let watch: DirectoryWatch
  private let troubles: Troubles
  private let tell: @LoopActor (HomeCache, News) -> Void

  private lazy var followed = FollowedDirectory<SessionFiles>(
    path, label: label, watch: watch, troubles: troubles,
    open: { directory throws(DirectoryRefusal) in
      do throws(Errno) {
        return try SessionFiles(in: directory)
      } catch {
        throw .system(EscapedText.forPeople(directory.path), error)
      }
    }
  ) { [weak self] in self?.hear($0) }
  private var snapshots: DirectoryWatch.Token?
  /// The directories that the bridge writes into, by their paths below the cache.
  private var directories: [[UInt8]: DirectoryWatch.Token] = [:]
  /// What is not written yet, because files were deleted a moment ago: the whole cache may be about to be.
  /// Of a key only the newest.
  private var held: [SessionKey: SessionFiles.Change] = [:]
  /// Since when something was held without a break.
  private var heldSince: Int64?
  private var lastDeletion: Int64?
  private var release: Int?

  /// How long nothing is written after a file was deleted.
  private nonisolated static let stillness = Duration.milliseconds(500)
  /// How long deletions may hold a change back. Then it is written as long as `.bridge` stands: a program that makes and
  /// deletes files all the time deletes no cache.
  private nonisolated static let longestHold = Duration.seconds(10)

  /// - Parameter path: with every link resolved.
  package init(
    name: CacheName, path: FilePath, watch: DirectoryWatch, troubles: Troubles,
    _ tell: @escaping @LoopActor (HomeCache, News) -> Void
  ) {
    self.name = name
    self.path = path
    self.watch = watch
    self.troubles = troubles
    self.tell = tell
  }

  private var label: String { name.label }

  package var directory: BridgeDirectory? { followed.directory }

  private var files: SessionFiles? { followed.contents }

  /// Why it is not served; nil while it is.
  package var refusal: DirectoryRefusal? { followed.refusal }

  // MARK: Coming and going

  /// Looks whether the directory is there, and follows it.
  ///
  /// - Parameter isStart: whether the caller tells why it is not served.
  package func look(isStart: Bool = false) {
    followed.look(isStart: isStart)
    watchSnapshots()
  }

  /// Looks after events were lost: any directory below may be another one by now.
  package func lookAgain() {
    unwatch()
    look()
  }

  /// Ends it, as when its directory left a directory of caches.
  package func close() {
    followed.close()
    leave()
    troubles.forget(prefix: label)
  }

  private func leave() {
    unwatch()
    // All keys are asked for when it comes back.
    (held, heldSince) = ([:], nil)
  }

  private func unwatch() {
    for token in (snapshots.map { [$0] } ?? []) + directories.values { watch.unwatch(token) }
    (snapshots, directories) = (nil, [:])
  }

  // MARK: Hearing

  private func hear(_ news: FollowedDirectory<SessionFiles>.News) {
    switch news {
    case .arrived:
      tell(self, .arrived)
      watchSnapshots()
    case .left: leave()
    case .event(let event): hear(event)
    }
  }

  private func hear(_ event: InotifyInstance.Event) {
    if event.has(IN_DELETE) { lastDeletion = Uptime.now().nanoseconds }
    if event.name.isEmpty || event.name == Array(BridgeDirectory.name.utf8) { return look() }
    guard event.name == Array("snapshots".utf8) else { return }
    // Another directory may stand there now.
    if let snapshots { watch.unwatch(snapshots) }
    snapshots = nil
    watchSnapshots()
  }

  private func watchSnapshots() {
    guard directory != nil, snapshots == nil else { return }
    snapshots = try? watch.watch(path.appending("snapshots")) { [weak self] event in
      guard let self, event.has(IN_MOVED_TO), event.name == Array("manifest.json".utf8) else { return }
      tell(self, .published)
    }
    if snapshots != nil { tell(self, .published) }
  }

  // MARK: Session files

  private var isQuiet: Bool {
    lastDeletion.map { .nanoseconds(Uptime.now().nanoseconds - $0) >= Self.stillness } ?? true
  }

  private var isHeldTooLong: Bool {
    heldSince.map { .nanoseconds(Uptime.now().nanoseconds - $0) >= Self.longestHold } ?? false
  }

  /// Whether nothing was deleted a moment ago, deletions included that the thread did not come to yet.
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
    if !held.isEmpty { heldSince = heldSince ?? Uptime.now().nanoseconds }
    guard release == nil else { return }
    release = Alarms.shared.set(after: Self.stillness) { [weak self] in
      guard let self else { return }
      let changes = Array(held.values)
      (release, held) = (nil, [:])
      tell(self, .released(changes))
    }
  }

  /// Hears of deletions in a directory that the bridge writes into.
  private func watch(directoryOf key: SessionKey) {
    guard let slash = key.path.lastIndex(of: UInt8(ascii: "/")) else { return }
    let directory = Array(key.path[..<slash])
    guard directories[directory] == nil else { return }
    let full = path.appending(String(decoding: directory, as: UTF8.self))
    directories[directory] = try? watch.watch(full) { [weak self] event in
      if event.has(IN_DELETE) { self?.lastDeletion = Uptime.now().nanoseconds }
      if event.has(IN_IGNORED) { self?.directories[directory] = nil }
    }
  }

  /// Makes the changes that are wanted. Returns those that failed and are to be tried again; while the directory is not there
  /// none is, since all keys are asked for when it comes.
  package func apply(_ changes: [SessionFiles.Change]) -> [SessionFiles.Change] {
    guard let directory, let files, !held.isEmpty || changes.contains(where: files.wants) else {
      heldSince = nil
      for change in changes { forgetFailure(of: change.key) }
      return []
    }
    // What is held came first: written later, it would replace what is newer.
    guard held.isEmpty, mayWrite(directory) else { return holdOrLeave(changes) }
    for change in changes { watch(directoryOf: change.key) }
    let results = files.apply(changes) { mayWrite(directory) }
    for change in changes { watch(directoryOf: change.key) }
    let interrupted = results.filter { $0.reason == .interrupted }.map(\.change)
    if interrupted.isEmpty { heldSince = nil } else { _ = holdOrLeave(interrupted) }
    let failed = results.filter { $0.reason != .interrupted }
    let keys = Set(failed.map(\.change.key))
    for change in changes where !keys.contains(change.key) { forgetFailure(of: change.key) }
    for (change, reason) in failed {
      let file = EscapedText.forPeople(change.key.path)
      troubles.note("\(label): \(change.key.text)", "\(label): cannot write \(file): \(reason)")
    }
    return failed.map(\.change)
  }

  /// A file that could not be written is written, or is not to be written any more.
  package func forgetFailure(of key: SessionKey) {
    if !troubles.isEmpty { troubles.note("\(label): \(key.text)", nil) }
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
