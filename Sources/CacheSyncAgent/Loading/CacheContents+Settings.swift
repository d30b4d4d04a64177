import CacheSync
import SystemPackage

extension CacheContents {
  /// No settings file is larger; one that is was put there by mistake.
  private static let maximumSettingsBytes = 1 << 20

  /// Reads `cachesync.json`. A file that is wrong becomes a problem and leaves the settings as they were, one that cannot be
  /// read is tried again like a session file; one that is gone for good leaves the defaults.
  package func loadSettings(isPatient: Bool = true) {
    let path = CacheLayout.settings
    switch reading.look(at: path, limit: Self.maximumSettingsBytes) {
    case .absent:
      if isPatient, settings != CacheSettings() || problems[path] != nil {
        if vanished[path] == nil { vanished[path] = environment.uptime.now().advanced(by: Self.stillness) }
      } else {
        vanished[path] = nil
        settle(path)
        take(CacheSettings())
      }
    case .unusable(_, let failure): refuseSettings(because: failure)
    case .file: readSettings()
    }
  }

  private func readSettings() {
    let path = CacheLayout.settings
    vanished[path] = nil
    let result: (settings: CacheSettings?, problem: Problem?)?
    do throws(Errno) {
      result = try reading.read(path, limit: Self.maximumSettingsBytes) { bytes, _ in
        let document = CacheSettings.read(bytes) { (try? environment.zones.rules(named: $0)) != nil }
        let problem = document.defects.first.map { Problem(path: path, $0, at: JSONPlace.of($0, in: bytes)) }
        return (document.value, problem)
      }
    } catch {
      return refuseSettings(because: .system(error))
    }
    settle(path)
    guard let result else { return }
    if let settings = result.settings {
      take(settings)
    } else if let problem = result.problem {
      refuseSettings(problem)
    }
  }

  private func refuseSettings(because failure: SessionReading.Failure) {
    if failure.mayPass { retryLater(CacheLayout.settings) } else { settle(CacheLayout.settings) }
    refuseSettings(Problem(path: CacheLayout.settings, message: failure.message))
  }

  private func refuseSettings(_ problem: Problem) {
    if let note = problems[CacheLayout.settings] {
      note.count += 1
      note.problem = problem
    } else {
      problems[CacheLayout.settings] = ProblemNote(problem, since: environment.clock.now())
    }
  }

  private func take(_ new: CacheSettings) {
    problems[CacheLayout.settings] = nil
    let old = settings
    settings = new
    updateCalendar()
    if old != new { settingsChanged = true }
    // Files that were too large may be no longer, and the other way round.
    if old.maximumFileBytes != new.maximumFileBytes { needsReading = true }
  }

  /// Takes the zone that applies now: the command line's, the settings', or the system's.
  package func updateCalendar() {
    var rules = environment.systemRules
    if environment.overrides.timeZone == nil, let name = settings.timeZone,
      let named = try? environment.zones.rules(named: name)
    {
      rules = named
    }
    guard rules !== calendar.rules else { return }
    let isSame = rules == calendar.rules
    calendar = CivilCalendar(rules)
    if isSame { return }
    settingsChanged = true
    for feed in feeds.all { feed.rebuild(in: calendar) }
  }
}
