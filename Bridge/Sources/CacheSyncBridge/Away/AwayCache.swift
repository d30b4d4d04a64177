package import CacheSyncSystem
import Glibc
package import SystemPackage

/// One cache of an `away`. It holds the directory while that exists, so that no agent serves it. It sends dropped files
/// to the engine, and shows the sets that come from there.
@LoopActor
package final class AwayCache {
  private struct Serving {
    var lock: CacheLock
    var tree: SessionTree
    var versions: KeptVersions
    var writer: SetWriter
  }

  package let name: CacheName
  package let path: FilePath
  private let watch: DirectoryWatch
  private let troubles: Troubles

  private lazy var followed = FollowedDirectory<Serving>(
    path, label: label, watch: watch, troubles: troubles,
    open: { [unowned self] directory throws(DirectoryRefusal) in try hold(directory) },
    isHeld: { $0.lock.isLinked }
  ) { [weak self] in self?.receive($0) }
  private var sender: SessionSender?
  private var link: (engine: Engine, namespace: Namespace)?
  private var reader: SetReader?
  private var rewriting: Int?
  /// The pauses after failed writes, as the agent makes them (contract.md section 6).
  private var rewrites = Backoff(from: .seconds(1), to: .seconds(10))
  private var sweeping: Int?

  /// The interval at which the agent compares its state with the disk (contract.md section 6).
  private nonisolated static let sweepInterval = Duration.seconds(900)
  /// The interval where a directory cannot be watched. The agent polls at the same one.
  private nonisolated static let pollInterval = Duration.seconds(2)

  /// - Parameter path: with every link resolved.
  package init(name: CacheName, path: FilePath, watch: DirectoryWatch, troubles: Troubles) {
    self.name = name
    self.path = path
    self.watch = watch
    self.troubles = troubles
  }

  private var label: String { name.label }

  private var serving: Serving? { followed.contents }

  package var isServed: Bool { serving != nil }

  /// The reason why it is not served; nil while it is.
  package var refusal: DirectoryRefusal? { followed.refusal }

  /// How many session files the engine does not have yet.
  package var pendingCount: Int { sender?.pendingCount ?? 0 }

  package var generation: Int? { serving?.writer.shownGeneration }

  // MARK: Coming and going

  /// Checks whether the directory exists, and follows it.
  ///
  /// - Parameter isStart: whether the caller reports the refusal itself.
  package func look(isStart: Bool = false) { followed.look(isStart: isStart) }

  private func receive(_ news: FollowedDirectory<Serving>.News) {
    switch news {
    case .arrived: begin()
    case .left(let serving):
      sender?.close()
      sender = nil
      serving.tree.close()
      troubles.remove(prefix: "\(label):")
      troubles.record(label, "\(label) is not served: \(EscapedText.forPeople(path)) is gone")
    case .event(let event):
      let name = String(decoding: event.name, as: UTF8.self)
      if ["", BridgeDirectory.name, ".cachesync"].contains(name) { look() }
    }
  }

  /// Also takes the agent's lock, and finishes what an earlier run began.
  private func hold(_ directory: BridgeDirectory) throws(DirectoryRefusal) -> Serving {
    let lock = try claimLock(directory)
    do throws(Errno) {
      // A home may have been killed here. Its files must be in place before a missing file counts as deleted.
      _ = try SessionFiles(in: directory)
      let versions = try KeptVersions(in: directory)
      let writer = SetWriter(directory: directory)
      try writer.finish()
      let tree = SessionTree(at: path, directory.root, watch: watch) { [weak self] in self?.sender?.receive($0) }
      return Serving(lock: lock, tree: tree, versions: versions, writer: writer)
    } catch {
      throw .system(EscapedText.forPeople(path), error)
    }
  }

  private func claimLock(_ directory: BridgeDirectory) throws(DirectoryRefusal) -> CacheLock {
    let text = EscapedText.forPeople(path)
    let name = ".cachesync"
    let state: Int32
    do throws(Errno) {
      state = try FileCall.directory(Array(name.utf8), in: directory.root, makingWith: 0o700)
    } catch {
      throw .system("\(text)/\(name)", error)
    }
    defer { close(state) }
    do throws(CacheLock.Failure) {
      return try CacheLock(in: state, as: .bridge)
    } catch {
      switch error {
      case .held(.agent): throw .heldByAgent(text)
      case .held(.sync): throw .heldBySync(text)
      case .held(.bridge): throw .held(text)
      case .create(let reason), .system(let reason): throw .system("\(text)/\(name)", reason)
      }
    }
  }

  // MARK: Serving

  /// Begins to send files and to show sets whenever the engine can be reached.
  package func start(_ engine: Engine, _ namespace: Namespace) {
    link = (engine, namespace)
    let reader = SetReader(engine, namespace, name) { [weak self] _, _ in self?.show() }
    self.reader = reader
    reader.start(shown: generation)
    engine.observe { [weak self] event in if event == .connected { self?.sender?.compareEverything() } }
    begin()
  }

  private func begin() {
    guard let link, let serving, let directory = followed.directory else { return }
    let sender = SessionSender(
      link.engine, link.namespace, name, directory, serving.tree, serving.versions, troubles, label: label)
    self.sender = sender
    sender.compareEverything()
    show()
    sweepLater()
  }

  private func sweepLater() {
    let failure = serving?.tree.failure
    let text = failure.map { "\(label): cannot watch a directory: \($0): raise fs.inotify.max_user_watches; polling" }
    troubles.record("\(label): watching", text)
    if let sweeping { Alarms.shared.cancel(sweeping) }
    sweeping = Alarms.shared.set(after: failure == nil ? Self.sweepInterval : Self.pollInterval) { [weak self] in
      guard let self else { return }
      sweeping = nil
      look()
      sender?.sweep()
      show()
      sweepLater()
    }
  }

  /// Called when the kernel has dropped events.
  package func lookAtEverything() {
    look()
    sender?.sweep()
  }

  /// Shows the newest known set. This also restores files that another program removed.
  private func show() {
    if let rewriting { Alarms.shared.cancel(rewriting) }
    rewriting = nil
    guard let set = reader?.current, let serving, followed.directory?.isInPlace == true else { return }
    do throws(Errno) {
      try serving.writer.write(set)
      rewrites.reset()
      troubles.record("\(label): snapshots", nil)
    } catch {
      troubles.record("\(label): snapshots", "\(label): cannot write its snapshots: \(error); trying on")
      rewriting = Alarms.shared.set(after: rewrites.next()) { [weak self] in self?.show() }
    }
  }
}
