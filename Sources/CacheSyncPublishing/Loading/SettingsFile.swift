package import CacheSync
package import CacheSyncSystem
import SystemPackage

/// The settings file of one cache, `cachesync.json`: the settings that apply, the problem with the file, and the
/// resulting calendar.
package struct SettingsFile {
  /// The settings that apply: those of the last good version, or the defaults when there is no file.
  package private(set) var settings = CacheSettings() {
    didSet { locale = settings.cacheLocale }
  }
  /// How the cache's texts are written. Kept, because each pass needs it and parsing the tag takes 4 % of a drop.
  package private(set) var locale = CacheLocale.english
  package private(set) var calendar: CivilCalendar

  private let environment: CacheEnvironment
  private let reading: SessionReading
  private var phase = Phase.inForce

  private enum Phase {
    /// The settings are those of the file, or the defaults when there is no file.
    case inForce
    /// The file is invalid or unreadable; the settings do not change.
    case rejected(Rejection)
    /// The file is missing and may return. Meanwhile the settings do not change.
    case vanished(until: Uptime, Rejection?)
  }

  private struct Rejection {
    var note: ProblemNote
    /// When to retry reading the file; nil for a readable one.
    var retry: Retry?
  }

  /// What a call changed.
  package struct Changes {
    package var settings = false
    /// Where local days begin and end.
    package var days = false
    /// Which session files are too large.
    package var limit = false
  }

  /// Reads nothing yet: the defaults apply.
  package init(root: CacheRoot, environment: CacheEnvironment) {
    self.environment = environment
    reading = SessionReading(root: root)
    calendar = CivilCalendar(environment.systemRules)
  }

  package var maximumFileBytes: Int { settings.maximumFileBytes ?? CacheSettings.defaultMaximumFileBytes }

  package var problem: ProblemNote? { rejection?.note }

  /// When to retry an unreadable file.
  package var retryDue: Uptime? {
    if case .rejected(let rejection) = phase { rejection.retry?.due } else { nil }
  }

  /// When the missing file counts as deleted.
  package var absenceDue: Uptime? {
    if case .vanished(let due, _) = phase { due } else { nil }
  }

  package var isUnreadable: Bool { rejection?.retry != nil }

  private var rejection: Rejection? {
    switch phase {
    case .inForce: nil
    case .rejected(let rejection): rejection
    case .vanished(_, let rejection): rejection
    }
  }

  /// Reads the file.
  ///
  /// An invalid file becomes a problem and does not change the settings. An unreadable one is retried like a session
  /// file. When the file is missing for good, the defaults apply.
  ///
  /// - Parameter isPatient: whether a missing file gets 250 ms to return.
  package mutating func load(isPatient: Bool) -> Changes {
    switch reading.look(at: CacheLayout.settings, limit: CacheSettings.maximumBytes) {
    case .absent:
      guard isPatient, settings != CacheSettings() || rejection != nil else { return adopt(CacheSettings()) }
      if absenceDue == nil {
        phase = .vanished(until: environment.uptime.now().advanced(by: CacheContents.stillness), rejection)
      }
      return Changes()
    case .unusable(_, let failure): return reject(because: failure)
    case .file: return read()
    }
  }

  private mutating func read() -> Changes {
    let path = CacheLayout.settings
    let zones = environment.zones
    let result: (settings: CacheSettings?, problem: Problem?)?
    do throws(Errno) {
      result = try reading.read(path, limit: CacheSettings.maximumBytes) { bytes, _ in
        let document = CacheSettings.read(bytes) { (try? zones.rules(named: $0)) != nil }
        let problem = document.defects.first.map { Problem(path: path, $0, at: JSONPlace.of($0, in: bytes)) }
        return (document.value, problem)
      }
    } catch {
      return reject(because: .system(error))
    }
    if let settings = result?.settings { return adopt(settings) }
    if let problem = result?.problem { return reject(problem, retry: nil) }
    // The file changed its type or disappeared between two calls; an event about that is pending.
    phase = rejection.map { .rejected(Rejection(note: $0.note)) } ?? .inForce
    return Changes()
  }

  private mutating func reject(because failure: SessionReading.Failure) -> Changes {
    reject(
      Problem(path: CacheLayout.settings, message: failure.message),
      retry: failure.mayPass ? Retry(after: rejection?.retry, at: environment.uptime.now()) : nil)
  }

  private mutating func reject(_ problem: Problem, retry: Retry?) -> Changes {
    let note = rejection?.note.recurring(as: problem) ?? ProblemNote(problem, since: environment.clock.now())
    phase = .rejected(Rejection(note: note, retry: retry))
    return Changes()
  }

  private mutating func adopt(_ new: CacheSettings) -> Changes {
    phase = .inForce
    let old = settings
    settings = new
    var changes = updateCalendar()
    changes.settings = old != new
    changes.limit = old.maximumFileBytes != new.maximumFileBytes
    return changes
  }

  /// Applies the current zone: the command line's, the settings', or the system's.
  package mutating func updateCalendar() -> Changes {
    var rules = environment.systemRules
    if environment.overrides.timeZone == nil, let name = settings.timeZone,
      let named = try? environment.zones.rules(named: name)
    {
      rules = named
    }
    guard rules !== calendar.rules else { return Changes() }
    let isSame = rules == calendar.rules
    calendar = CivilCalendar(rules)
    return Changes(days: !isSame)
  }
}
