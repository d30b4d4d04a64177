package import CacheSync
import CacheSyncPictures
import FoundationEssentials
package import SystemPackage

/// The page of one cache: its content now and at other moments, its listeners, and the actions of its buttons.
package actor LivePage {
  nonisolated let reader: SnapshotReader
  nonisolated let questions: CacheQuestions
  let now: @Sendable () -> Instant
  var cards = DrawnCards()
  var screens = KnownScreens()
  /// The reading in progress.
  var screenReading: Task<Void, Never>?
  /// The agent's status at the last check.
  private var agent = StatusPanel.Agent.unknown("not asked yet")
  /// The check in progress, which all callers share.
  private var question: Task<Void, Never>?
  /// Moments are computed one at a time, because each reads the whole cache.
  private var lastComputation: Task<Void, Never>?
  /// The last reading, in progress or done, and the manifest from before. All who find that manifest share it.
  private var reading: (manifest: [UInt8]?, task: Task<Result<SnapshotReader.Consistent, SnapshotError>, Never>)?
  var audiences: [Shown: Audience] = [:]
  /// Follows publications and the time. nil without listeners.
  var following: Task<Void, Never>?
  /// Follows the files of screens. nil without listeners to one.
  var followingScreens: Task<Void, Never>?
  /// Checks for changes at a moment: when a pause ends, or when the page changes by time alone.
  var alarm: (deadline: ContinuousClock.Instant, task: Task<Void, Never>)?
  /// The newest publication that listeners were sent.
  var newest: CacheView?

  /// The zone of days in addresses: the one that was given, or that of the publication.
  nonisolated var timeZone: String { zone ?? (try? reader.dayIndex()["timeZone"]?.string) ?? "UTC" }
  private nonisolated let zone: String?

  /// - Parameter timeZone: the one of moments that are computed; nil: the cache's own.
  package init(
    cache: FilePath, timeZone: String? = nil, questions: CacheQuestions, now: @escaping @Sendable () -> Instant
  ) {
    zone = timeZone
    reader = SnapshotReader(cache: cache)
    self.questions = questions
    self.now = now
  }

  var cache: FilePath { reader.cache }

  /// The published snapshots at the current time. Empty without a publication.
  ///
  /// - Throws: ``SnapshotError`` when a publication exists but cannot be read.
  func present() async throws(SnapshotError) -> CacheView {
    // At midnight hundreds of panels ask for the same publication, and after a restart every page. A publication ends
    // with its manifest.
    let manifest = try? reader.published(Self.manifest)
    let shared = reading.flatMap { $0.manifest == manifest ? $0.task : nil }
    let task =
      shared
      ?? Task { [reader] in
        do throws(SnapshotError) {
          return .success(try await reader.consistentWithoutBlocking())
        } catch {
          return .failure(error)
        }
      }
    reading = (manifest, task)
    let result = await task.value
    if manifest == nil || (try? result.get()) == nil, reading?.task == task { reading = nil }
    do throws(SnapshotError) {
      return CacheView(try result.get(), moment: now())
    } catch .missing {
      return .empty(moment: now())
    }
  }

  /// Keeps a publication that was read for listeners, so that there are not two in memory. Not if a newer one has come.
  func keep(_ set: SnapshotReader.Consistent) {
    guard let manifest = try? reader.published(Self.manifest),
      JSONValue(manifest)?["generation"]?.int == set.generation
    else { return }
    reading = (manifest, Task { .success(set) })
  }

  private static let manifest = "manifest.json"

  /// The same without waiting; nil if a file may be in the middle of its replacement, or cannot be read.
  func presentNow() -> CacheView? {
    do {
      return try reader.consistentNow().map { CacheView($0, moment: now()) }
    } catch {
      if case .missing = error { return .empty(moment: now()) }
      return nil
    }
  }

  /// The page for the current time.
  func page(_ appearance: PageAppearance) async -> Page {
    await askAgent()
    _ = await currentScreens()
    do {
      return page(of: try await present(), appearance)
    } catch {
      return page(of: .empty(moment: now()), appearance, error: "\(error)")
    }
  }

  func page(of view: CacheView, _ appearance: PageAppearance, error: String? = nil) -> Page {
    Page(
      appearance: appearance, head: PageHead(present: view), sections: cards.sections(of: view),
      problems: view.problems, status: StatusPanel(agent: agent, present: view), error: error, screens: screenTitles)
  }

  /// The screens that can be shown, by name.
  private var screenTitles: [(name: String, title: String)] {
    screens.plans.filter { !$0.value.cards.isEmpty }.sorted { $0.key < $1.key }.map {
      ($0.key, $0.value.title ?? $0.key)
    }
  }

  /// The page for another moment, computed from the current files.
  func page(at moment: Instant, _ appearance: PageAppearance) async -> Page {
    await askAgent()
    let view = (try? await present()) ?? .empty(moment: now())
    var page = Page(
      appearance: appearance, head: PageHead(present: view, asked: moment), sections: [], problems: [],
      status: StatusPanel(agent: agent, present: view), screens: screenTitles)
    do {
      let past = try await past(moment, of: view)
      page.sections = cards.pastSections(of: past)
      page.problems = past.problems
    } catch {
      page.error = "\(error)"
    }
    return page
  }

  /// The view of the requested moment, or of the present.
  func view(at moment: Instant?) async throws -> CacheView {
    let view = try await present()
    return if let moment { try await past(moment, of: view) } else { view }
  }

  private func past(_ moment: Instant, of view: CacheView) async throws -> CacheView {
    let earlier = lastComputation
    let questions = questions
    let computation = Task {
      await earlier?.value
      try Task.checkCancellation()
      return try await questions.snapshots(at: moment)
    }
    lastComputation = Task { _ = try? await computation.value }
    let snapshots = try await withTaskCancellationHandler {
      try await computation.value
    } onCancel: {
      computation.cancel()
    }
    return view.replacing(with: snapshots, at: moment)
  }

  func askAgent() async {
    let question =
      question
      ?? Task {
        agent = await questions.agent()
        // Here and not after the wait, because another caller may have asked again by then.
        self.question = nil
      }
    self.question = question
    await question.value
  }
}

extension LivePage {
  /// The result of a pressed button.
  enum Press {
    /// The intent exists, from this press or an earlier one. The value is the button's element on the page.
    case done(on: String)
    case unknownToken
    /// Why the intent was not written, in one line.
    case failed(String)
  }

  /// Drops the intent of a button.
  ///
  /// - Parameter typed: what a person typed, by the fields' names.
  func press(type: String, token: String, number: Int, typed: [String: String]) -> Press {
    switch cards.tokens.redeem(token, number, typed: typed) {
    case .unknown: return .unknownToken
    case .again(let element): return .done(on: element)
    case .first(let action, let id, let element):
      guard action.type == type else { return .unknownToken }
      do {
        let texts = typed.merging(action.fields) { $1 }
        let intent = Intent(id: id, at: now(), action: Intent.Action(type: type, texts: texts))
        let bytes = Array(try JSONEncoder().encode(intent))
        try SessionWriter(cache: cache).write(bytes, feed: Intent.feed, name: id)
      } catch {
        return .failed("\(error)")
      }
      cards.press(token, number, typed: typed)
      sendChanges()
      return .done(on: element)
    }
  }
}
