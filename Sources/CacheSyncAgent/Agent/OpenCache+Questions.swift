import CacheSync
import CacheSyncPublishing
import CLinux
import CacheSyncSystem
import Logging

// The socket of a cache, and its part of the answers to `wait`, `sync` and `status`.

extension OpenCache {
  // MARK: Listening

  /// Opens the socket to which the commands connect, and replaces one that is open.
  func listen() {
    stopListening()
    guard let socket = ControlSocket(root: root, state: state) else {
      return reports.happen(
        "socket", at: .warning,
        "cannot open the socket of \(EscapedText.forPeople(path.bytes)): status and wait find no agent there")
    }
    listensInState = state != nil
    let answer = host.answer
    server = ControlServer.begin(at: socket, answer: answer)
  }

  var isSocketInPlace: Bool {
    (try? Directory.identity(of: CachePath("\(CacheLayout.state)/\(CacheLayout.socket)"), in: root.raw)) != nil
  }

  func stopListening() {
    guard let server else { return }
    // Returns only after the socket is closed, because the next one may have the same name.
    LoopActor.performAndWait { server.stop() }
    self.server = nil
  }

  // MARK: Waiting

  func addWaiter(_ id: Int, reportsFailure: Bool, reply: @escaping @Sendable ([UInt8]) -> Void) {
    waiters.add(
      id, for: contents, isRescanDue: rescan.isWaiting, reportsFailure: reportsFailure, reply: reply)
    settleWaiters()
  }

  /// Removes a request whose client disconnected.
  package func cancelWaiter(_ id: Int) { waiters.cancel(id) }

  /// Replies to the requests whose files are all published, with the durability that the settings require.
  func settleWaiters() {
    if waiters.isEmpty { return }
    if let error = publisher.lastError { waiters.report(error, in: path) }
    // Before a rescan the agent does not know which files the dropped events were about.
    guard state != nil, publisher.retryDue == nil, removed == nil, !rescan.isWaiting else { return }
    waiters.settle(in: contents, generation: store.generation)
  }

  // MARK: Status

  /// Returns what `status` prints, except the parts that access the disk (``CacheStatus/Inspection``).
  package func status() -> CacheStatus {
    let moment = contents.moment(at: environment.clock.now())
    return CacheStatus(
      directory: path, counters: counters, generation: store.generation, isHeard: isHearing(), polled: watcher.polled,
      watchCount: watcher.watchCount,
      nextBoundary: publisher.nextBoundary, timeZone: contents.calendar.rules.name,
      problems: problems(at: moment),
      failure: publisher.failure.map(CacheStatus.Note.init),
      removable: (contents.feeds.all.flatMap { $0.removable(at: moment) } + contents.retiredOutputs).sorted(),
      stale: publisher.staleFeeds,
      inspection: CacheStatus.Inspection(
        root: root, state: state, layout: contents.layout, writability: writability, clock: environment.clock))
  }

  private func problems(at moment: Moment) -> [CacheStatus.Note] {
    var notes = contents.allProblems(at: moment).map(CacheStatus.Note.init)
    let count = store.missing.count
    guard count > 0 else { return notes }
    let message =
      "another program removed \(counted(count, "file")) from \(CacheLayout.snapshots)/;"
      + " the agent makes \(count == 1 ? "it" : "them") again"
    let path = CachePath(CacheLayout.snapshots)
    let place = notes.firstIndex { path < $0.problem.path ?? .root } ?? notes.endIndex
    notes.insert(CacheStatus.Note(message, path: path, since: removed?.since ?? moment.instant), at: place)
    return notes
  }

  /// Touches the agent's own directory, and checks whether the watch of the cache directory reports it. A touch uses no
  /// space.
  private func isHearing() -> Bool {
    guard let state, watcher.polled[.root] == nil else { return true }
    let before = watcher.touchCount
    watcher.expectsTouch(true)
    defer { watcher.expectsTouch(false) }
    let deadline = environment.uptime.now().advanced(by: Self.hearingPatience)
    var overflows = InotifyWatcher.drainAndCountOverflows()
    // During an event storm the kernel may drop this event too; then the agent touches again.
    while clinux_touch(state.raw) == 0 {
      let latest = InotifyWatcher.drainAndCountOverflows()
      if watcher.touchCount > before { return true }
      guard latest > overflows, environment.uptime.now() < deadline else { return false }
      overflows = latest
    }
    return false
  }

  /// Below the 5 s that the asking command waits.
  private static let hearingPatience = Duration.seconds(3)
}
