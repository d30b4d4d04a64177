import CacheSync
import NIOCore

extension LivePage {
  /// A listener that receives everything newer than a publication, and then every change.
  ///
  /// - Parameter generation: the publication that the page was drawn from; nil: none.
  func listen(since generation: Int?) async -> Listener {
    let listener = Listener()
    if let view = try? await present() {
      let parts = page(of: view, .system).parts
      if audience.listeners.isEmpty {
        audience.sent = Dictionary(uniqueKeysWithValues: parts.map { ($0.id, Audience.Sent($0.html)) })
      }
      for part in parts where view.isNewer(part.id, than: generation) {
        listener.send(audience.event(about: part), about: part.id)
      }
      listener.send(generation: view.generation)
    }
    audience.listeners[ObjectIdentifier(listener)] = listener
    if audience.following == nil { audience.following = Task { await follow() } }
    return listener
  }

  /// Removes a listener. After the last one, everything stops that only listeners need.
  func leave(_ listener: Listener) {
    listener.end()
    audience.listeners[ObjectIdentifier(listener)] = nil
    guard audience.listeners.isEmpty else { return }
    audience.following?.cancel()
    audience.alarm?.task.cancel()
    audience = Audience()
  }

  private func follow() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followPublications() }
      group.addTask { await self.followTime() }
    }
  }

  private func followPublications() async {
    // Follow before reading, so that no publication falls between the two.
    var updates = SnapshotUpdates(cache: cache).makeAsyncIterator()
    sendChanges()
    while let snapshot = await updates.next() {
      // One reading covers all snapshots of a publication.
      if snapshot.generation != audience.generation { sendChanges() }
    }
  }

  /// Sends comments at an interval. If the clock is set while the alarm sleeps, listeners get the change with the next
  /// comment.
  private func followTime() async {
    while true {
      try? await Task.sleep(for: Audience.commentInterval)
      guard !Task.isCancelled else { return }
      await askAgent()
      for listener in audience.listeners.values { listener.sendComment() }
      sendChanges()
    }
  }

  /// Sends listeners what changed on the page since the last time.
  func sendChanges() {
    guard !audience.listeners.isEmpty else { return }
    // Without one, the snapshots are being replaced, or a system error may be temporary.
    guard let view = presentNow() else { return sendChanges(after: .seconds(1)) }
    audience.generation = view.generation
    let parts = page(of: view, .system).parts
    if !Set(audience.sent.keys).isSubset(of: parts.map(\.id)) { audience.sendReload() }
    if let earliest = audience.send(parts, at: .now) {
      sendChanges(after: earliest - .now)
    } else {
      for listener in audience.listeners.values { listener.send(generation: view.generation) }
    }
    let rest = view.nextChange - now()
    if rest < Audience.commentInterval { sendChanges(after: rest + .milliseconds(1)) }
  }

  private func sendChanges(after pause: Duration) {
    let deadline = ContinuousClock.now + pause
    if let alarm = audience.alarm, alarm.deadline <= deadline { return }
    audience.alarm?.task.cancel()
    let task = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      guard !Task.isCancelled else { return }
      audience.alarm = nil
      sendChanges()
    }
    audience.alarm = (deadline, task)
  }
}

extension CacheView {
  /// Whether a part of the page may have changed since a publication.
  ///
  /// - The head, the problems and the status belong to every publication.
  /// - A card belongs to the publication of its snapshot, and may become newer by time.
  /// - The head and the status name moments relative to today, and the head shows the coming boundaries. So both become
  ///   newer by time once a boundary has passed.
  func isNewer(_ part: String, than generation: Int?) -> Bool {
    guard let generation, generation <= self.generation else { return true }
    guard let snapshot = snapshots.first(where: { "card-\($0.kind)" == part }) else {
      if [PageHead.id, StatusPanel.id].contains(part), snapshots.contains(where: isPastItsFirstEntry) { return true }
      return self.generation > generation
    }
    return snapshot.generation > generation || isPastItsFirstEntry(snapshot)
  }

  private func isPastItsFirstEntry(_ snapshot: Snapshot) -> Bool { snapshot.entry(at: moment) != snapshot.entries[0] }
}
