import CLinux
import Glibc
import SystemPackage

/// Somebody who waits until everything that was there when they asked is published.
struct Waiter {
  /// The waits for stillness that were under way then. One that a later write began anew is not waited for.
  var unsettled: [CachePath: Uptime]
  var vanished: [CachePath: Uptime]
  /// Whether to reply too when nothing can be written.
  var hearsOfFailure: Bool
  var reply: @AgentActor ([UInt8]) -> Void

  /// Whether every wait that was under way is over, or was begun anew by a later write.
  func isSettled(in contents: CacheContents) -> Bool {
    unsettled.allSatisfy { contents.unsettled[$0.key] != $0.value }
      && vanished.allSatisfy { contents.vanished[$0.key] != $0.value }
  }
}

extension ServedCache {
  /// Replies with the generation once everything that was written before is published.
  ///
  /// - Parameter hearingOfFailure: whether what keeps the agent from publishing is a reply too; else it is waited for.
  func wait(sweeping: Bool, hearingOfFailure: Bool = false, _ reply: @escaping @AgentActor ([UInt8]) -> Void) {
    // The kernel queues an event before the write that caused it returns: what was written before the request is here.
    InotifyWatcher.shared.drain()
    attached?.publisher.retryNow()
    if sweeping { sweepNow() } else { pollNow() }
    guard let contents = attached?.contents else { return }
    waiters.append(
      Waiter(
        unsettled: contents.unsettled.all, vanished: contents.vanished.all, hearsOfFailure: hearingOfFailure,
        reply: reply))
    settleWaiters()
    deadlineChanged(self)
  }

  func settleWaiters() {
    if !waiters.isEmpty, let error = attached?.publisher.lastError { tellWaiters(of: error) }
    guard !waiters.isEmpty, let attached, attached.state != nil, attached.publisher.retryDue == nil,
      !attached.store.needsDirectoryFlush
    else { return }
    let settled = waiters.filter { $0.isSettled(in: attached.contents) }
    waiters.removeAll { $0.isSettled(in: attached.contents) }
    guard !settled.isEmpty else { return }
    var json = JSONWriter()
    json.object { $0.member("generation", attached.store.generation) }
    for waiter in settled { waiter.reply(json.bytes) }
  }

  private func tellWaiters(of error: PublishError) {
    var json = JSONWriter()
    json.object { json in
      json.member("failure", error.description)
      json.member("status", Int(error.status.rawValue))
    }
    let told = waiters.filter(\.hearsOfFailure)
    waiters.removeAll(where: \.hearsOfFailure)
    for waiter in told { waiter.reply(json.bytes) }
  }

  /// What `status --json` prints (CONTRACT section 7).
  func status() -> [UInt8] {
    let isHeard = provesHearing()
    guard let attached else { return [] }
    let contents = attached.contents
    let moment = contents.moment(at: environment.clock.now())
    let obstacle = attached.publisher.failure ?? writingObstacle(attached)
    self.attached?.obstacle = obstacle
    var problems = contents.allProblems(at: moment)
    if let obstacle { problems.insert(obstacle, at: 0) }
    let removable = contents.feeds.all.flatMap { $0.removable(at: moment) }.sorted()
    var json = JSONWriter()
    json.object { json in
      json.member("alive", true)
      json.member(
        "counters",
        object: { json in
          json.member("batches", counters.batches)
          json.member("events", InotifyWatcher.shared.eventCount)
          json.member("overflows", InotifyWatcher.shared.overflowCount)
          json.member("publications", attached.publisher.publicationCount)
          json.member("rejected", contents.counters.rejected)
          json.member("rescans", counters.rescans)
          json.member("retries", contents.counters.retries + attached.publisher.retryCount)
        })
      json.member("generation", attached.store.generation)
      json.member("hearing", isHeard || obstacle != nil)
      json.member("mode", mode(attached.watcher))
      json.member("nextBoundary", attached.publisher.nextBoundary)
      json.member("pid", Int(getpid()))
      json.member(
        "polled",
        array: { json in
          for (path, reason) in attached.watcher.polled.sorted(by: { $0.key < $1.key }) {
            json.object { json in
              json.member("path", path.isRoot ? "." : path.description)
              json.member("reason", reason)
            }
          }
        })
      json.member("problems", array: { json in for note in problems { json.problem(note) } })
      json.member("removable", removable.map(\.description))
      json.member("unclaimed", contents.unclaimed().map(\.description))
      json.member("watches", attached.watcher.watchCount)
      json.member("writable", obstacle == nil)
    }
    return json.bytes
  }

  private func mode(_ watcher: CacheWatcher) -> String {
    if watcher.polled.isEmpty { return "inotify" }
    return watcher.watchCount == 0 ? "polling" : "mixed"
  }

  /// Sends a change through the watched directory and listens for it: a touch of the agent's own directory, which its
  /// watched parent reports, and which costs no space.
  private func provesHearing() -> Bool {
    guard let attached else { return false }
    InotifyWatcher.shared.drain()
    guard let state = attached.state, attached.watcher.polled[.root] == nil else { return true }
    let overflows = InotifyWatcher.shared.overflowCount
    let before = attached.watcher.heardTouches
    let deadline = Uptime.now().advanced(by: Self.hearingPatience)
    // Under a storm the kernel may drop this event among others; it is heard as long as one of several arrives.
    repeat {
      guard clinux_touch(state.raw) == 0 else { return false }
      InotifyWatcher.shared.drain()
      if attached.watcher.heardTouches > before { return true }
    } while overflows < InotifyWatcher.shared.overflowCount && Uptime.now() < deadline
    return false
  }

  /// Within the 5 s that whoever asks has.
  private static let hearingPatience = Duration.seconds(3)

  /// Whether a publication would fail now, tried with a file that nobody sees.
  private func writingObstacle(_ attached: Attached) -> ProblemNote? {
    guard let state = attached.state else { return nil }
    do throws(Errno) {
      let probe = try AtomicFile(in: state.raw, mode: 0o600)
      try probe.write([UInt8](repeating: 0x20, count: 4096))
      return nil
    } catch {
      let problem = Problem(path: nil, message: PublishError(.write, CacheLayout.snapshots, error).description)
      guard let known = attached.obstacle else { return ProblemNote(problem, since: environment.clock.now()) }
      known.problem = problem
      known.count += 1
      return known
    }
  }
}

extension JSONWriter {
  /// A problem as `status` tells it: with since when, and how often it was met.
  package mutating func problem(_ note: ProblemNote) {
    object { json in
      json.member("column", note.problem.column)
      json.member("count", note.count)
      json.member("line", note.problem.line)
      json.member("message", note.problem.message)
      json.member("path", note.problem.path?.description)
      json.member("pointer", note.problem.pointer)
      json.member("since", note.since)
    }
  }
}
