import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// A cache directory that comes and goes: watched for from its parent, held while it is there, and left when it goes.
@LoopActor
final class FollowedDirectory<Contents> {
  enum News {
    /// The directory is there (again), and it is held.
    case arrived
    /// The directory is there no more, or another one is; these contents belong to the one that went.
    case left(Contents)
    /// Something happened to the directory that is held, or to an entry of it.
    case event(InotifyInstance.Event)
  }

  private enum Phase {
    case absent(DirectoryRefusal?)
    case held(BridgeDirectory, Contents)
  }

  let path: FilePath
  private let label: String
  private let watch: DirectoryWatch
  private let troubles: Troubles
  private let open: @LoopActor (BridgeDirectory) throws(DirectoryRefusal) -> Contents
  private let isHeld: @LoopActor (Contents) -> Bool
  private let tell: @LoopActor (News) -> Void

  private var phase = Phase.absent(nil)
  private var tokens: [DirectoryWatch.Token] = []
  private var retry: Int?
  private var isOver = false

  /// How long the bridge leaves a directory alone after its own files were taken from it: deleting the rest takes a moment.
  private nonisolated static var deletionPause: Duration { .seconds(2) }
  /// How soon it looks again at a directory that it cannot serve, when nothing tells that it changed.
  private nonisolated static var retryInterval: Duration { .seconds(10) }

  /// - Parameters:
  ///   - path: with every link resolved.
  ///   - label: what people read of it, and what its trouble is noted under.
  ///   - open: opens what the caller needs of a directory that is there and watched; throws why it cannot be served.
  ///   - isHeld: whether the caller still holds it with locks of its own.
  ///   - tell: gets what happens.
  init(
    _ path: FilePath, label: String, watch: DirectoryWatch, troubles: Troubles,
    open: @escaping @LoopActor (BridgeDirectory) throws(DirectoryRefusal) -> Contents,
    isHeld: @escaping @LoopActor (Contents) -> Bool = { _ in true },
    _ tell: @escaping @LoopActor (News) -> Void
  ) {
    self.path = path
    self.label = label
    self.watch = watch
    self.troubles = troubles
    self.open = open
    self.isHeld = isHeld
    self.tell = tell
  }

  /// The directory while it is held.
  var directory: BridgeDirectory? { if case .held(let directory, _) = phase { directory } else { nil } }

  var contents: Contents? { if case .held(_, let contents) = phase { contents } else { nil } }

  /// Why it is not served; nil while it is.
  var refusal: DirectoryRefusal? { if case .absent(let refusal) = phase { refusal } else { nil } }

  /// Looks whether the directory is there, and follows it.
  ///
  /// - Parameter isStart: whether the caller tells why it is not served.
  func look(isStart: Bool = false) {
    guard !isOver else { return }
    switch phase {
    case .held(let directory, let contents) where !directory.isInPlace || !isHeld(contents): leave(directory, contents)
    case .held: break
    case .absent: arrive(isStart: isStart)
    }
  }

  /// Ends it.
  func close() {
    isOver = true
    if let retry { Alarms.shared.cancel(retry) }
    unwatch()
    phase = .absent(nil)
  }

  private func leave(_ directory: BridgeDirectory, _ contents: Contents) {
    let isBeingDeleted = directory.isSameDirectory
    phase = .absent(.missing(EscapedText.forPeople(path)))
    unwatch()
    tell(.left(contents))
    // What stands there may be half deleted, and a new file would be in the way.
    lookAgain(after: isBeingDeleted ? Self.deletionPause : .zero)
  }

  private func arrive(isStart: Bool) {
    guard retry == nil else { return }
    unwatch()
    // Watched before it is looked at, so that nothing happens in between.
    let last = path.lastComponent.map { name in
      FilePath(root: nil, [name]).withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
    let parent = try? watch.watch(path.removingLastComponent()) { [weak self] event in
      if event.name.isEmpty || event.name == last { self?.look() }
    }
    if let parent { tokens.append(parent) }
    do throws(DirectoryRefusal) {
      let directory = try BridgeDirectory(path)
      do throws(Errno) {
        tokens.append(try watch.watch(path) { [weak self] in self?.tell(.event($0)) })
      } catch {
        throw .system(EscapedText.forPeople(path), error)
      }
      phase = .held(directory, try open(directory))
      troubles.note(label, nil)
      tell(.arrived)
    } catch {
      phase = .absent(error)
      if !isStart { troubles.note(label, "\(label) is not served: \(error)") }
      if case .missing = error, !tokens.isEmpty { return }
      lookAgain(after: Self.retryInterval)
    }
  }

  private func lookAgain(after time: Duration) {
    if let retry { Alarms.shared.cancel(retry) }
    retry = Alarms.shared.set(after: time) { [weak self] in
      self?.retry = nil
      self?.look()
    }
  }

  private func unwatch() {
    for token in tokens { watch.unwatch(token) }
    tokens = []
  }
}
