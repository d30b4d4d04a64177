import CacheSyncSystem
import Glibc
import SystemPackage

/// Follows a cache directory that may come and go: watches for it from its parent, holds it while it exists, and
/// releases it when it disappears.
@LoopActor
final class FollowedDirectory<Contents> {
  enum News {
    /// The directory exists (again) and is held.
    case arrived
    /// The directory was removed or replaced. These contents belong to the one that was held.
    case left(Contents)
    /// An event about the held directory, or about an entry of it.
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
  private let notify: @LoopActor (News) -> Void

  private var phase = Phase.absent(nil)
  private var tokens: [DirectoryWatch.Token] = []
  private var retry: Int?
  private var isOver = false

  /// How long the bridge leaves a directory alone after its own files were removed from it. Deleting the rest takes a
  /// moment.
  private nonisolated static var deletionPause: Duration { .seconds(2) }
  /// How soon the bridge retries a directory that it cannot serve.
  private nonisolated static var retryInterval: Duration { .seconds(10) }

  /// - Parameters:
  ///   - path: with every link resolved.
  ///   - label: begins messages about it, and is the key of its trouble.
  ///   - open: opens what the caller needs of a directory that exists and is watched; throws the reason when it
  ///     cannot be served.
  ///   - isHeld: whether the caller still holds it with locks of its own.
  ///   - tell: receives the events.
  init(
    _ path: FilePath, label: String, watch: DirectoryWatch, troubles: Troubles,
    open: @escaping @LoopActor (BridgeDirectory) throws(DirectoryRefusal) -> Contents,
    isHeld: @escaping @LoopActor (Contents) -> Bool = { _ in true },
    _ notify: @escaping @LoopActor (News) -> Void
  ) {
    self.path = path
    self.label = label
    self.watch = watch
    self.troubles = troubles
    self.open = open
    self.isHeld = isHeld
    self.notify = notify
  }

  /// The directory, while it is held.
  var directory: BridgeDirectory? { if case .held(let directory, _) = phase { directory } else { nil } }

  var contents: Contents? { if case .held(_, let contents) = phase { contents } else { nil } }

  /// The reason why it is not served; nil while it is.
  var refusal: DirectoryRefusal? { if case .absent(let refusal) = phase { refusal } else { nil } }

  /// Checks whether the directory exists, and follows it.
  ///
  /// - Parameter isStart: whether the caller reports the refusal itself.
  func look(isStart: Bool = false) {
    guard !isOver else { return }
    switch phase {
    case .held(let directory, let contents) where !directory.isInPlace || !isHeld(contents): leave(directory, contents)
    case .held: break
    case .absent: arrive(isStart: isStart)
    }
  }

  /// Releases the directory, and stops following it.
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
    notify(.left(contents))
    // The rest of the directory may be half deleted, and a new file would prevent its removal.
    lookAgain(after: isBeingDeleted ? Self.deletionPause : .zero)
  }

  private func arrive(isStart: Bool) {
    guard retry == nil else { return }
    unwatch()
    // Watch before looking, so that no change between the two is lost.
    let last = path.lastComponent.map { FilePath(root: nil, [$0]).bytes }
    let parent = try? watch.watch(path.removingLastComponent()) { [weak self] event in
      if event.name.isEmpty || event.name == last { self?.look() }
    }
    if let parent { tokens.append(parent) }
    do throws(DirectoryRefusal) {
      let directory = try BridgeDirectory(path)
      do throws(Errno) {
        tokens.append(try watch.watch(path) { [weak self] in self?.notify(.event($0)) })
      } catch {
        throw .system(EscapedText.forPeople(path), error)
      }
      phase = .held(directory, try open(directory))
      troubles.record(label, nil)
      notify(.arrived)
    } catch {
      phase = .absent(error)
      if !isStart { troubles.record(label, "\(label) is not served: \(error)") }
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
