import CacheSync
import Glibc
package import SystemPackage

/// One cache of an `away`: the directory while it is there, held so that no agent serves it; what is dropped into it goes to
/// the engine, and the sets that come from there are shown in it.
@BridgeActor
package final class AwayCache {
  private struct Serving {
    var directory: BridgeDirectory
    var lock: CacheLock
    var tree: SessionTree
    var versions: KeptVersions
    var writer: SetWriter
    var sender: SessionSender?
  }

  private enum Phase {
    case absent(DirectoryRefusal?)
    case serving(Serving)
  }

  package let name: CacheName
  package let path: FilePath
  private let watch: DirectoryWatch
  private let troubles: Troubles

  private var phase = Phase.absent(nil)
  private var link: (engine: Engine, namespace: Namespace)?
  private var reader: SetReader?
  private var tokens: [DirectoryWatch.Token] = []
  private var arrival: Int?
  private var rewriting: Int?
  private var failedWrites = 0
  private var sweeping: Int?

  /// How long the bridge leaves a directory alone after its own files were taken from it: deleting the rest takes a moment.
  private nonisolated static let deletionPause = Duration.seconds(2)
  /// How soon it looks again at a directory that it cannot serve, when nothing tells that it changed.
  private nonisolated static let retryInterval = Duration.seconds(10)
  /// As often as the agent compares what is on disk with what it knows (CONTRACT, section 6).
  private nonisolated static let sweepInterval = Duration.seconds(900)
  /// The same where a directory cannot be watched: as the agent polls.
  private nonisolated static let pollInterval = Duration.seconds(2)

  /// - Parameter path: with every link resolved.
  package init(name: CacheName, path: FilePath, watch: DirectoryWatch, troubles: Troubles) {
    self.name = name
    self.path = path
    self.watch = watch
    self.troubles = troubles
  }

  private var label: String { "cache \(EscapedText.forPeople(name.bytes))" }

  private var serving: Serving? { if case .serving(let serving) = phase { serving } else { nil } }

  package var isServed: Bool { serving != nil }

  /// Why it is not served; nil while it is.
  package var refusal: DirectoryRefusal? { if case .absent(let refusal) = phase { refusal } else { nil } }

  /// How many session files are not in the engine yet.
  package var pendingCount: Int { serving?.sender?.pendingCount ?? 0 }

  package var generation: Int? { serving?.writer.shownGeneration }

  // MARK: Coming and going

  /// Looks whether the directory is there, and follows it.
  ///
  /// - Parameter isStart: whether the caller tells why it is not served.
  package func look(isStart: Bool = false) {
    switch phase {
    case .serving(let serving) where !serving.directory.isInPlace || !serving.lock.isLinked: leave(serving)
    case .serving: break
    case .absent: arrive(isStart: isStart)
    }
  }

  private func leave(_ serving: Serving) {
    let isBeingDeleted = serving.directory.isSameDirectory
    serving.sender?.close()
    serving.tree.close()
    phase = .absent(.missing(EscapedText.forPeople(path.string)))
    troubles.forget(prefix: "\(label):")
    troubles.note(label, "\(label) is not served: \(EscapedText.forPeople(path.string)) is gone")
    // What stands there may be half deleted, and a new file would be in the way.
    lookAgain(after: isBeingDeleted ? Self.deletionPause : .zero)
  }

  private func arrive(isStart: Bool) {
    guard arrival == nil else { return }
    for token in tokens { watch.unwatch(token) }
    tokens = []
    // Watched before it is looked at, so that nothing happens in between.
    let last = path.lastComponent.map { Array($0.string.utf8) }
    let parent = try? watch.watch(path.removingLastComponent()) { [weak self] event in
      if event.name.isEmpty || event.name == last { self?.look() }
    }
    if let parent { tokens.append(parent) }
    do throws(DirectoryRefusal) {
      let serving = try hold()
      phase = .serving(serving)
      troubles.note(label, nil)
      begin()
    } catch {
      phase = .absent(error)
      if !isStart { troubles.note(label, "\(label) is not served: \(error)") }
      if case .missing = error, !tokens.isEmpty { return }
      lookAgain(after: Self.retryInterval)
    }
  }

  private func lookAgain(after time: Duration) {
    if let arrival { BridgeActor.loop.cancel(arrival) }
    arrival = BridgeActor.loop.after(time) { [weak self] in
      self?.arrival = nil
      self?.look()
    }
  }

  /// Takes both locks, and finishes what an earlier run began.
  private func hold() throws(DirectoryRefusal) -> Serving {
    let directory = try BridgeDirectory(path)
    let lock = try takeLock(directory)
    do throws(Errno) {
      tokens.append(
        try watch.watch(path) { [weak self] event in
          if event.name.isEmpty || [".bridge", ".cachesync"].contains(String(decoding: event.name, as: UTF8.self)) {
            self?.look()
          }
        })
      // A home may have been killed here: its files must be in their places before their absence is looked at.
      _ = try SessionFiles(in: directory)
      let versions = try KeptVersions(in: directory)
      let writer = SetWriter(directory: directory)
      try writer.finish()
      let tree = SessionTree(at: path, directory.root, watch: watch) { [weak self] in self?.serving?.sender?.hear($0) }
      return Serving(directory: directory, lock: lock, tree: tree, versions: versions, writer: writer)
    } catch {
      throw .system(EscapedText.forPeople(path.string), error)
    }
  }

  private func takeLock(_ directory: BridgeDirectory) throws(DirectoryRefusal) -> CacheLock {
    let text = EscapedText.forPeople(path.string)
    let name = ".cachesync"
    let state: Int32
    do throws(Errno) {
      let made = FileCall.withName(Array(name.utf8)) { mkdirat(directory.root, $0, 0o700) }
      guard made == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
      state = try FileCall.directory(Array(name.utf8), in: directory.root)
    } catch {
      throw .system("\(text)/\(name)", error)
    }
    defer { close(state) }
    do throws(CacheLock.Failure) {
      return try CacheLock(in: state, as: .bridge)
    } catch {
      switch error {
      case .held(.agent): throw .heldByAgent(text)
      case .held(.bridge): throw .held(text)
      case .create(let reason), .system(let reason): throw .system("\(text)/\(name)", reason)
      }
    }
  }

  // MARK: Serving

  /// From now on files are sent, and sets are shown, whenever the engine can be reached.
  package func start(_ engine: Engine, _ namespace: Namespace) {
    link = (engine, namespace)
    let reader = SetReader(engine, namespace, name) { [weak self] _, _ in self?.show() }
    self.reader = reader
    reader.start(shown: generation)
    engine.observe { [weak self] event in if event == .connected { self?.serving?.sender?.compareEverything() } }
    begin()
  }

  private func begin() {
    guard let link, var serving else { return }
    let sender = SessionSender(
      link.engine, link.namespace, name, serving.directory, serving.tree, serving.versions, troubles, label: label)
    serving.sender = sender
    phase = .serving(serving)
    sender.compareEverything()
    show()
    sweepLater()
  }

  private func sweepLater() {
    let failure = serving?.tree.failure
    let text = failure.map { "\(label): cannot watch a directory: \($0): raise fs.inotify.max_user_watches; polling" }
    troubles.note("\(label): watching", text)
    if let sweeping { BridgeActor.loop.cancel(sweeping) }
    sweeping = BridgeActor.loop.after(failure == nil ? Self.sweepInterval : Self.pollInterval) { [weak self] in
      guard let self else { return }
      sweeping = nil
      look()
      serving?.sender?.sweep()
      show()
      sweepLater()
    }
  }

  /// The kernel dropped events.
  package func lookAtEverything() {
    look()
    serving?.sender?.sweep()
  }

  /// Shows the newest set that is known. What another program took from it comes back so.
  private func show() {
    if let rewriting { BridgeActor.loop.cancel(rewriting) }
    rewriting = nil
    guard let set = reader?.current, let serving, serving.directory.isInPlace else { return }
    do throws(Errno) {
      try serving.writer.write(set)
      failedWrites = 0
      troubles.note("\(label): snapshots", nil)
    } catch {
      troubles.note("\(label): snapshots", "\(label): cannot write its snapshots: \(error); trying on")
      // As the agent tries (CONTRACT, section 6).
      let seconds = min(10, 1 << min(failedWrites, 4))
      failedWrites += 1
      rewriting = BridgeActor.loop.after(.seconds(seconds)) { [weak self] in self?.show() }
    }
  }
}
