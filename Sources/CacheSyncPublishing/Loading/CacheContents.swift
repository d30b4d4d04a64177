package import CacheSync
package import CacheSyncSystem

/// The contents of one cache as read so far: settings, session files, problems, and the feeds with their sessions.
///
/// It reads and validates files, and watches nothing. It writes the log of last good versions, and for the owner of the cache
/// it removes what killed writers left behind. The agent, `sync`, `show`, `next` and `check` all use it to read a cache, so
/// their results agree.
package final class CacheContents {
  package let root: CacheRoot
  package let environment: CacheEnvironment
  package var registry: FeedRegistry { feeds.registry }
  package var layout: CacheLayout { registry.layout }

  package private(set) var settingsFile: SettingsFile
  package let feeds: FeedSet
  package internal(set) var files = FileIndex()
  /// The feeds that have ever had a session file; their kinds have snapshots.
  package internal(set) var present: Set<FeedName> = []
  /// The kinds that were published before. They keep their snapshots; the snapshots of removed kinds become empty.
  package internal(set) var publishedKindNames: Set<KindName> = []
  package internal(set) var counters = LoadCounters()
  /// Feeds whose sessions, problems or presence changed since the last ``claimChanges()``.
  package internal(set) var changedFeeds: Set<FeedName> = []
  /// The inodes of files with several names that were written since the last ``loadOtherNames()``.
  var changedInodes: Set<UInt64> = []
  /// Whether the zone or another setting changed since the last ``claimChanges()``.
  package internal(set) var settingsChanged = false
  package internal(set) var problems = CacheProblems()
  package let lastGood = LastGoodVersions()
  /// The definitions for all caches, as last read for this cache.
  var shared = SharedDefinitions.Found()
  /// Whether every file must be judged again, because the settings changed, or because the log needs its version.
  package internal(set) var needsReading = false
  /// The count of ``TimeZones/refresh()`` at the last full reading.
  private var zoneChangeCount: Int

  let reading: SessionReading
  let pool: WorkerPool

  /// How long a file must be still before it counts as bad, or missing before it counts as deleted
  /// (contract.md section 6).
  package static let stillness = Duration.milliseconds(250)

  package init(root: CacheRoot, environment: CacheEnvironment, pool: WorkerPool = WorkerPool()) {
    self.root = root
    self.environment = environment
    self.pool = pool
    reading = SessionReading(root: root)
    shared = environment.shared?.current ?? shared
    settingsFile = SettingsFile(root: root, environment: environment)
    feeds = FeedSet(environment.registries.registry([]))
    zoneChangeCount = environment.zones.refresh()
  }

  package var settings: CacheSettings { settingsFile.settings }

  package var calendar: CivilCalendar { settingsFile.calendar }

  package var maximumFileBytes: Int { settingsFile.maximumFileBytes }

  package var durability: Durability { environment.overrides.durability ?? settings.durability ?? .flush }

  package var sweepInterval: Duration { settings.sweep ?? CacheSettings.defaultSweep }

  /// Reads the settings, which then apply to session files.
  package func loadSettings(isPatient: Bool = true) { record(settingsFile.load(isPatient: isPatient)) }

  /// Applies changed zone data, or a changed system time zone. Everything that depends on time zone rules is read
  /// again.
  package func updateZones() {
    let count = environment.zones.refresh()
    guard count != zoneChangeCount else { return }
    zoneChangeCount = count
    record(settingsFile.updateCalendar())
    needsReading = true
  }

  private func record(_ changes: SettingsFile.Changes) {
    if changes.days { feeds.rebuild(in: calendar) }
    if changes.settings { feeds.adopt(me: Set(settings.me)) }
    if changes.settings || changes.days { settingsChanged = true }
    // A file that was too large may be within the new limit, and vice versa.
    if changes.limit { needsReading = true }
  }

  package func moment(at instant: Instant) -> Moment {
    Moment(instant, calendar: calendar, firstWeekday: settings.firstWeekday, locale: settingsFile.locale)
  }

  /// Falls back to the last good versions of earlier runs. Call it before the first file is checked.
  package func fallBack(to earlier: LastGoodLog.Loaded) {
    lastGood.fallBack(to: earlier)
    present.formUnion(earlier.feeds)
    recallShared(from: earlier)
  }

  /// Reads every file again, to store it in a log that lost its contents.
  package func refillLog() {
    for feed in present { lastGood.log?.keep(present: feed) }
    lastGood.definitions.mustKeepAll()
    needsReading = true
  }

  /// Releases the last good versions of earlier runs, once every file is judged.
  package func closeLastGoodOnceJudged() { lastGood.closeOnceJudged(&files) }

  /// Records which outputs exist: a kind that was published once keeps its snapshot.
  package func recordOutputs(named names: Set<String>) {
    publishedKindNames.formUnion(names.compactMap { KindName(fileName: $0) })
  }

  /// Returns what changed since the last call, for the publisher to compute.
  package func claimChanges() -> (feeds: Set<FeedName>, settings: Bool) {
    defer {
      changedFeeds = []
      settingsChanged = false
    }
    return (changedFeeds, settingsChanged)
  }

  /// The kinds that have snapshots, sorted by name.
  private var presentKinds: [Kind] {
    registry.kinds.filter { publishedKindNames.contains($0.name) || $0.presentWith.contains(where: present.contains) }
  }

  /// The published kinds that no feed has any more, sorted by name.
  package var retiredKindNames: [KindName] {
    publishedKindNames.filter { registry.kind(named: $0) == nil }.sorted()
  }

  /// The existing snapshots of ``retiredKindNames``. Users may delete them.
  package var retiredOutputs: [CachePath] {
    retiredKindNames.map { CachePath(CacheLayout.snapshots).appending($0.fileName.utf8) }.filter {
      (try? Directory.identity(of: $0, in: root.raw)) != nil
    }
  }

  /// A projector that computes the snapshots of what has been read so far.
  package var projector: CacheProjector {
    var problemsByFeed: [FeedName: [Problem]] = [:]
    for (path, rejection) in files.rejections {
      guard case .session(let feed) = layout.role(of: path) else { continue }
      var problem = rejection.note.problem
      if feed == DefinitionsFeed.name { problem.scope = DefinitionsFeed.feed(definedBy: path) }
      for feed in registry.receivers(of: path, in: feed) { problemsByFeed[feed, default: []].append(problem) }
    }
    for (path, notes) in files.warnings {
      guard case .session(let feed) = layout.role(of: path) else { continue }
      for feed in registry.receivers(of: path, in: feed) { problemsByFeed[feed, default: []] += notes.map(\.problem) }
    }
    for (path, note) in problems.conflictCopies {
      guard let original = layout.original(ofCopy: path, isDirectory: true),
        let feed = layout.feed(ofOriginal: original)
      else { continue }
      problemsByFeed[feed, default: []].append(note.problem)
    }
    problemsByFeed[DefinitionsFeed.name, default: []] += sharedProblems
    return CacheProjector(
      feeds: feeds, kinds: presentKinds, retired: retiredKindNames.map { Kind(retired: $0) }, problems: problemsByFeed,
      staleAfter: settings.staleAges)
  }

  /// Returns every current problem, with its beginning and its count, sorted by path.
  package func allProblems(at moment: Moment) -> [ProblemNote] {
    var notes = files.rejections.values.map(\.note) + [settingsFile.problem, lastGood.problem].compactMap(\.self)
    notes += files.warnings.values.joined()
    recordCurrentProblems(at: moment)
    notes += problems.all
    return notes.sorted { ($0.problem.path ?? .root) < ($1.problem.path ?? .root) }
  }

  /// Records since when each problem exists that concerns more than one file. Called with every publication.
  package func recordCurrentProblems(at moment: Moment) {
    problems.recordStanding(
      feeds.all.flatMap { $0.currentProblems(at: moment, feeds: feeds) }.filter { problem in
        problem.severity == .error || problem.path.flatMap { files.rejections[$0] } == nil
      } + sharedProblems
        + settings.warnings(knowing: registry), at: moment.instant)
  }

  /// The next moment at which a file must be checked again.
  package var nextDeadline: Uptime? {
    [files.nextDeadline, settingsFile.retryDue, settingsFile.absenceDue].compactMap(\.self).min()
  }

  /// When each current wait ends. The agent waits for a file in the middle of a write to be still, and for a missing
  /// file to return.
  package var waits: [CachePath: Uptime] {
    var waits = files.waits
    waits[CacheLayout.settings] = settingsFile.absenceDue
    return waits
  }

  /// Returns when the wait for a path ends; nil when there is none.
  package func waitDue(of path: CachePath) -> Uptime? {
    path == CacheLayout.settings ? settingsFile.absenceDue : files[path]?.waitDue
  }

  /// The paths that the system does not let the agent read, with the reason. The agent retries them.
  package var unreadable: [CachePath: ProblemNote] {
    var unreadable = problems.unreadableDirectories
    for (path, rejection) in files.rejections where rejection.retry != nil { unreadable[path] = rejection.note }
    if settingsFile.isUnreadable { unreadable[CacheLayout.settings] = settingsFile.problem }
    return unreadable
  }

  /// A file that is refused: it has no effect, or only that of its last good version.
  package struct Refusal: Equatable {
    package var problem: Problem
    /// Whether the last good version replaces it.
    package var isHeld: Bool
  }

  /// The files and links that are refused, each with its first error. Those of ``unreadable`` are not among them.
  package var refusals: [CachePath: Refusal] {
    var refusals: [CachePath: Refusal] = [:]
    for problem in problems.refusals {
      if let path = problem.path, refusals[path] == nil { refusals[path] = Refusal(problem: problem, isHeld: false) }
    }
    for problem in shared.problems {
      guard let path = problem.path, refusals[path]?.problem == problem else { continue }
      // Without a scope it is the directory of the definitions, which stay in force.
      refusals[path]?.isHeld =
        problem.scope.map { name in sharedDocuments.contains { $0.definition.name == name } } ?? true
    }
    for (path, rejection) in files.rejections {
      refusals[path] =
        rejection.retry == nil ? Refusal(problem: rejection.note.problem, isHeld: rejection.isHeld) : nil
    }
    if let note = settingsFile.problem, !settingsFile.isUnreadable {
      refusals[CacheLayout.settings] = Refusal(problem: note.problem, isHeld: settings != CacheSettings())
    }
    return refusals
  }
}

/// Counters of the files read, for `status`.
package struct LoadCounters: Sendable {
  package var rejected = 0
  package var retries = 0
}

/// What the content of a cache depends on besides its files: clocks, time zones, the settings of the command line, and
/// the definitions for all caches.
package struct CacheEnvironment: Sendable {
  package var clock: any WallClock
  package var uptime: any UptimeClock
  package let registries: SharedRegistries
  package var overrides: SettingsOverrides
  /// The definitions for all caches; nil without `--feeds`.
  package var shared: SharedDefinitions?
  /// The moment that a command was given; nil: none was. Stamps in files are judged by it.
  package var moment: Instant?
  /// What session files are read for.
  package var wanted = JSONReader.Wanted.needed

  package init(
    clock: any WallClock = SystemWallClock(), uptime: any UptimeClock = SystemUptimeClock(), zones: TimeZones,
    overrides: SettingsOverrides = SettingsOverrides(), shared: SharedDefinitions? = nil
  ) {
    self.clock = clock
    self.uptime = uptime
    registries = SharedRegistries(zones: zones)
    self.overrides = overrides
    self.shared = shared
  }

  package var zones: TimeZones { registries.zones }

  /// The warning that TZ is not a valid zone and is ignored. Nil when it is valid or not set, or when the command line
  /// overrides it.
  package var zoneWarning: String? {
    if overrides.timeZone != nil { return nil }
    return zones.unusableVariable.map { value in
      "TZ is ignored: '\(EscapedText.forPeople(value))' is not a time zone of this system"
        + "\(zones.advice(for: "\(value)")), whose own zone is "
        + "\(zones.system().name); use an IANA name such as Europe/Berlin"
    }
  }

  /// The rules of the zone that the command line names; by default, those of the system's zone. The command rejected an
  /// unknown name at its start.
  package var systemRules: TimeZoneRules {
    guard let name = overrides.timeZone, let rules = try? zones.rules(named: name) else { return zones.system() }
    return rules
  }
}
