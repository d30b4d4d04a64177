import CacheSync
package import CacheSyncSystem
package import Logging

/// Logs what begins and ends. What comes and goes again and again gets a line when it begins, one when it ends, and
/// then one an hour with a count (contract.md section 6).
///
/// It needs no timer: the owner calls ``remind()`` whenever it does something.
package final class RecurringReport {
  private struct Subject {
    /// The latest line about it.
    var line: String
    var level: Logger.Level
    var isOn = true
    /// Whether a line has reported its end.
    var hasEnded = false
    /// Whether to repeat the line every hour while it lasts.
    var isRepeated: Bool
    /// Until when it gets no further lines, except the first about its end.
    var due: Uptime
    /// How often it began since the last line.
    var count = 0
  }

  private let logger: Logger
  private let uptime: any UptimeClock
  private var subjects: TextMap<Subject> = [:]
  private var nextDue: Uptime?

  private static let interval = Duration.seconds(3600)
  /// The most lines of one reminder. More would name more, but a whole unreadable tree must not fill a journal.
  package static let maximumLines = 20

  package init(_ logger: Logger, uptime: any UptimeClock) {
    self.logger = logger
    self.uptime = uptime
  }

  /// Reports that something begins. While it lasts, a further call only replaces its line.
  ///
  /// - Parameters:
  ///   - subject: identifies what it is about.
  ///   - isRepeated: whether to repeat the line every hour while it lasts.
  ///   - isSilent: whether to leave out the first line.
  package func begin(
    _ subject: String, at level: Logger.Level = .warning, isRepeated: Bool = false, isSilent: Bool = false,
    _ line: @autoclosure () -> String
  ) {
    if var known = subjects[subject] {
      (known.line, known.level) = (line(), level)
      if !known.isOn { known.count += 1 }
      known.isOn = true
      subjects[subject] = known
    } else {
      let line = line()
      if !isSilent { logger.log(level: level, "\(line)") }
      let due = uptime.now().advanced(by: Self.interval)
      subjects[subject] = Subject(line: line, level: level, isRepeated: isRepeated, due: due)
      nextDue = nextDue ?? due
    }
    remind()
  }

  /// Reports that something ends; without effect if it has not begun.
  ///
  /// - Parameter isSilent: whether to leave out the line.
  package func end(
    _ subject: String, at level: Logger.Level = .notice, isSilent: Bool = false, _ line: @autoclosure () -> String
  ) {
    guard var known = subjects[subject], known.isOn else { return }
    (known.line, known.level, known.isOn) = (line(), level, false)
    if !known.hasEnded, !isSilent { logger.log(level: level, "\(known.line)") }
    known.hasEnded = true
    subjects[subject] = known
    remind()
  }

  /// Reports something that has no duration, such as a swapped link.
  package func happen(_ subject: String, at level: Logger.Level = .notice, _ line: @autoclosure () -> String) {
    begin(subject, at: level, line())
    subjects[subject]?.isOn = false
    subjects[subject]?.hasEnded = true
  }

  /// The subjects with a prefix that have begun and not ended, in order.
  package func standing(_ prefix: String) -> [String] {
    subjects.filter { $0.value.isOn && $0.key.utf8.starts(with: prefix.utf8) }.map(\.key)
      .sorted { isOrdered($0, before: $1) }
  }

  /// Whether nothing is remembered.
  package var isEmpty: Bool { subjects.isEmpty }

  /// Ends everything without a line, because whatever it was about is no longer looked at.
  package func endAll() {
    for (name, subject) in subjects where subject.isOn {
      subjects[name]?.isOn = false
      subjects[name]?.hasEnded = true
    }
  }

  /// Logs what is due: what came and went in the last hour, and what lasts. Forgets what has ended.
  package func remind() {
    guard let nextDue, case let now = uptime.now(), nextDue <= now else { return }
    var lines: [(Logger.Level, String)] = []
    for (name, known) in subjects.sorted(by: { isOrdered($0.key, before: $1.key) }) where known.due <= now {
      var subject = known
      if known.count > 0 {
        lines.append((known.level, "\(known.line) (\(counted(known.count, "more time")) in the last hour)"))
      } else if !known.isOn {
        subjects[name] = nil
        continue
      } else {
        // It has lasted for an hour, so its end is news.
        subject.hasEnded = false
        if known.isRepeated { lines.append((known.level, known.line)) }
      }
      subject.count = 0
      subject.due = now.advanced(by: Self.interval)
      subjects[name] = subject
    }
    for (level, line) in lines.prefix(Self.maximumLines) { logger.log(level: level, "\(line)") }
    if lines.count > Self.maximumLines { logger.warning("and \(lines.count - Self.maximumLines) more such lines") }
    self.nextDue = subjects.values.map(\.due).min()
  }
}
