import CacheSync
import NIOCore

extension LivePage {
  /// A listener that receives everything newer than a publication, and then every change.
  ///
  /// - Parameters:
  ///   - shown: what the page shows.
  ///   - generation: the publication that the page was drawn from; nil: none.
  ///   - server: the one that drew the page (``Alive/server``); nil: unknown.
  func listen(to shown: Shown = .gallery, since generation: Int?, server: String? = nil) async -> Listener {
    let listener = Listener()
    let generation = server ?? Alive.server == Alive.server ? generation : nil
    if shown != .gallery { _ = await currentScreens() }
    var view = try? await present()
    // Listeners may have been sent a newer one meanwhile.
    if let newest, newest.generation > view?.generation ?? 0 {
      view = newest
      view?.moment = now()
    }
    // Not before, because others may have come and gone meanwhile.
    var audience = audiences[shown] ?? Audience()
    if let view {
      let parts = parts(of: shown, view)
      if audience.listeners.isEmpty {
        audience.sent = Dictionary(uniqueKeysWithValues: parts.map { ($0.id, Audience.Sent($0.html)) })
      }
      for part in parts where view.isNewer(part.id, than: generation) {
        listener.send(audience.event(about: part), about: part.id)
      }
      newest = view
      sendAlive(to: [listener], generation: view.generation, layout(of: shown, parts.map(\.id)), isDue: true)
    } else {
      sendAlive(to: [listener], isDue: true)
    }
    audience.listeners[ObjectIdentifier(listener)] = listener
    audiences[shown] = audience
    if following == nil { following = Task { await follow() } }
    if shown != .gallery, followingScreens == nil { followingScreens = Task { await followScreens() } }
    return listener
  }

  /// The parts of a page that change, by the id of the element.
  private func parts(of shown: Shown, _ view: CacheView) -> [(id: String, html: HTML)] {
    switch shown {
    case .gallery: page(of: view, .system).parts
    case .screen(let name, let window): [(ScreenPage.id, part(of: name, in: window, view).html(clock: nil))]
    }
  }

  private func layout(of shown: Shown, _ parts: [String]) -> String {
    switch shown {
    case .gallery: Page.layout(of: parts)
    case .screen(let name, _): ScreenPage.layout(of: screens.plans[name], newest)
    }
  }

  /// Removes a listener. After the last one, everything stops that only listeners need.
  func leave(_ listener: Listener, _ shown: Shown = .gallery) {
    listener.end()
    audiences[shown]?.listeners[ObjectIdentifier(listener)] = nil
    if audiences[shown]?.listeners.isEmpty == true { audiences[shown] = nil }
    if !audiences.keys.contains(where: { $0 != .gallery }) {
      followingScreens?.cancel()
      followingScreens = nil
    }
    guard audiences.isEmpty else { return }
    following?.cancel()
    alarm?.task.cancel()
    (following, alarm, newest) = (nil, nil, nil)
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
      // One reading covers all snapshots of a publication. It waits for the manifest, which comes last.
      guard snapshot.generation != newest?.generation else { continue }
      let set = try? await reader.consistentWithoutBlocking()
      // Listeners may have been sent a newer one meanwhile.
      if let set, set.generation > newest?.generation ?? 0 {
        keep(set)
        sendChanges(of: CacheView(set, moment: now()))
      } else {
        sendChanges()
      }
    }
  }

  /// Tells listeners at an interval that they are connected. If the clock is set while the alarm sleeps, they get the
  /// change then.
  private func followTime() async {
    while true {
      try? await Task.sleep(for: Audience.aliveInterval)
      guard !Task.isCancelled else { return }
      await askAgent()
      _ = await currentScreens()
      sendChanges(isDue: true)
    }
  }

  /// Sends listeners what changed on the page since the last time.
  ///
  /// - Parameter isDue: whether they also learn that they are connected.
  func sendChanges(isDue: Bool = false) {
    guard !audiences.isEmpty else { return }
    // Without one, the snapshots are being replaced, or a system error may be temporary.
    guard let view = presentNow() else {
      if isDue { for audience in audiences.values { sendAlive(to: audience.listeners.values, isDue: true) } }
      return sendChanges(after: .seconds(1))
    }
    sendChanges(of: view, isDue: isDue)
  }

  private func sendChanges(of view: CacheView, isDue: Bool = false) {
    newest = view
    for shown in audiences.keys { sendChanges(to: shown, view, isDue: isDue) }
    let rest = view.nextChange - now()
    if rest < Audience.aliveInterval { sendChanges(after: rest + .milliseconds(1)) }
  }

  private func sendChanges(to shown: Shown, _ view: CacheView, isDue: Bool) {
    guard var audience = audiences[shown] else { return }
    let parts = parts(of: shown, view)
    let names = parts.map(\.id)
    audience.sent = audience.sent.filter { names.contains($0.key) }
    let earliest = audience.send(parts, at: .now)
    audiences[shown] = audience
    if let earliest {
      if isDue { sendAlive(to: audience.listeners.values, isDue: true) }
      sendChanges(after: earliest - .now)
    } else {
      sendAlive(to: audience.listeners.values, generation: view.generation, layout(of: shown, names), isDue: isDue)
    }
  }

  /// - Parameters:
  ///   - generation: the publication that they now show; nil: unknown.
  ///   - layout: of the page; nil: unknown.
  private func sendAlive(
    to listeners: some Collection<Listener>, generation: Int? = nil, _ layout: String? = nil, isDue: Bool
  ) {
    var view = newest ?? .empty(moment: now())
    view.moment = now()
    let event = Alive.event(of: view, generation: generation, layout: layout)
    for listener in listeners { listener.send(alive: event, generation: generation, layout, isDue: isDue) }
  }

  private func sendChanges(after pause: Duration) {
    let deadline = ContinuousClock.now + pause
    if let alarm, alarm.deadline <= deadline { return }
    alarm?.task.cancel()
    let task = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      guard !Task.isCancelled else { return }
      alarm = nil
      sendChanges()
    }
    alarm = (deadline, task)
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
    // The file of a screen belongs to no publication.
    guard part != ScreenPage.id, let generation, generation <= self.generation else {
      return true
    }
    guard let snapshot = snapshots.first(where: { "card-\($0.kind)" == part }) else {
      if [PageHead.id, StatusPanel.id].contains(part), snapshots.contains(where: isPastItsFirstEntry) { return true }
      return self.generation > generation
    }
    return snapshot.generation > generation || isPastItsFirstEntry(snapshot)
  }

  private func isPastItsFirstEntry(_ snapshot: Snapshot) -> Bool { snapshot.entry(at: moment) != snapshot.entries[0] }
}
