package import CacheSync
package import CacheSyncSystem
import SystemPackage

/// The settings file of one cache, `cachesync.json`: the settings in force, what is wrong with the file, and the calendar that
/// follows from it.
package struct SettingsFile {
  /// The settings in force: the last good version's, or the defaults when there is no file.
  package private(set) var settings = CacheSettings()
  package private(set) var calendar: CivilCalendar

  private let environment: CacheEnvironment
  private let reading: SessionReading
  private var phase = Phase.inForce

  private enum Phase {
    /// The settings are the file's, or the defaults when there is no file.
    case inForce
    /// The file is wrong or cannot be read; the settings stay as they were.
    case rejected(Rejection)
    /// The file is gone and may be about to come back. Meanwhile the settings stay as they were.
    case vanished(until: Uptime, Rejection?)
  }

  private struct Rejection {
    var note: ProblemNote
    /// When to read the file again; nil for one that could be read.
    var retry: Retry?
  }

  /// What a call has changed.
  package struct Changes {
    package var settings = false
    /// Where local days begin and end.
    package var days = false
    /// Which session files are too large.
    package var limit = false
  }

  /// Reads nothing yet: the defaults are in force.
  package init(root: CacheRoot, environment: CacheEnvironment) {
    self.environment = environment
    reading = SessionReading(root: root)
    calendar = CivilCalendar(environment.systemRules)
  }

  package var maximumFileBytes: Int { settings.maximumFileBytes ?? CacheSettings.defaultMaximumFileBytes }

  /// What is wrong with the file.
  package var problem: ProblemNote? { rejection?.note }

  /// When a file that cannot be read is tried again.
  package var retryDue: Uptime? {
    if case .rejected(let rejection) = phase { rejection.retry?.due } else { nil }
  }

  /// When the absence of the file counts.
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
  /// A file that is wrong becomes a problem and leaves the settings as they were. One that cannot be read is retried like a
  /// session file. One that is gone for good leaves the defaults.
  ///
  /// - Parameter isPatient: whether a missing file gets 250 ms to come back.
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
    // The file became something else between two calls: an event about that is on its way.
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

  /// Adopts the zone that applies now: the command line's, the settings', or the system's.
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
