import CacheSync
package import CacheSyncSystem
package import Logging

/// Logs what begins and ends. What comes and goes again and again gets a line when it begins, one when it ends, and
/// then one an hour, or one a minute, with a count (contract.md section 6).
///
/// It has no timer: the owner calls ``remind()`` whenever it does something. At ``nextLine`` a line is due.
package final class RecurringReport {
  /// How often there is a line about what comes and goes.
  package enum Interval: String {
    case hour, minute

    fileprivate var duration: Duration { self == .hour ? .seconds(3600) : .seconds(60) }

    /// The most lines of one reminder. More would name more, but a whole unreadable tree must not fill a journal. What
    /// is reported every minute is in doubt until its line comes, so it has no limit.
    fileprivate var maximumLines: Int { self == .hour ? RecurringReport.maximumLines : .max }
  }

  private struct Subject {
    /// The latest line about it.
    var line: String
    var level: Logger.Level
    var isOn = true
    /// Whether it was on by the last line about it.
    var wasOn = true
    /// Whether a line has reported its end.
    var hasEnded = false
    /// Whether to repeat the line in every interval while it lasts.
    var isRepeated: Bool
    /// Until when it gets no further lines, except the first about its end; nil: it has lasted for an interval, so
    /// whatever happens next is logged at once.
    var due: Uptime?
    /// How often it began since the last line.
    var count = 0

    /// Whether there is something to log once it is due.
    var isPending: Bool { count > 0 || isOn != wasOn }
  }

  private let logger: Logger
  private let uptime: any UptimeClock
  private var subjects: TextMap<Subject> = [:]
  private var nextDue: Uptime?
  private let interval: Interval

  /// The most hourly lines of one reminder.
  package static let maximumLines = 20

  package init(_ logger: Logger, uptime: any UptimeClock, every interval: Interval = .hour) {
    self.logger = logger
    self.uptime = uptime
    self.interval = interval
  }

  /// When the next line is due about what came and went, or changed; nil: nothing did.
  package var nextLine: Uptime? {
    nextDue == nil ? nil : subjects.values.lazy.filter(\.isPending).compactMap(\.due).min()
  }

  /// Reports that something begins. While it lasts, a further call only replaces its line.
  ///
  /// - Parameters:
  ///   - subject: identifies what it is about.
  ///   - isRepeated: whether to repeat the line in every interval while it lasts.
  ///   - isSilent: whether to leave out the first line.
  ///   - isAnother: whether it begins once more if it lasts, because it is something else by now.
  package func begin(
    _ subject: String, at level: Logger.Level = .warning, isRepeated: Bool = false, isSilent: Bool = false,
    isAnother: Bool = false, _ line: @autoclosure () -> String
  ) {
    let line = line()
    var known = subjects[subject] ?? Subject(line: line, level: level, isRepeated: isRepeated)
    let begins = subjects[subject] == nil || !known.isOn || isAnother
    (known.line, known.level, known.isOn) = (line, level, true)
    guard begins else {
      subjects[subject] = known
      return remind()
    }
    if known.due == nil {
      if !isSilent { logger.log(level: level, "\(line)") }
      (known.wasOn, known.hasEnded) = (true, false)
    } else {
      known.count += 1
    }
    wait(for: subject, known)
  }

  /// Reports that something ends; without effect if it has not begun.
  ///
  /// - Parameter isSilent: whether to leave out the line.
  package func end(
    _ subject: String, at level: Logger.Level = .notice, isSilent: Bool = false, _ line: @autoclosure () -> String
  ) {
    guard var known = subjects[subject], known.isOn else { return }
    (known.line, known.level, known.isOn) = (line(), level, false)
    if !known.hasEnded {
      if !isSilent { logger.log(level: level, "\(known.line)") }
      known.wasOn = false
    }
    known.hasEnded = true
    wait(for: subject, known)
  }

  private func wait(for subject: String, _ known: Subject) {
    var known = known
    let due = known.due ?? uptime.now().advanced(by: interval.duration)
    known.due = due
    subjects[subject] = known
    nextDue = min(nextDue ?? due, due)
    remind()
  }

  /// Reports something that has no duration, such as a swapped link.
  package func happen(_ subject: String, at level: Logger.Level = .notice, _ line: @autoclosure () -> String) {
    begin(subject, at: level, line())
    endSilently(subject)
  }

  /// The subjects with a prefix that have begun and not ended, in order.
  package func standing(_ prefix: String) -> [String] {
    subjects.filter { $0.value.isOn && $0.key.utf8.starts(with: prefix.utf8) }.map(\.key)
      .sorted { isOrdered($0, before: $1) }
  }

  package var isEmpty: Bool { subjects.isEmpty }

  /// Ends everything without a line, because whatever it was about is no longer looked at.
  package func endAll() {
    for (name, subject) in subjects where subject.isOn { endSilently(name) }
  }

  private func endSilently(_ subject: String) {
    guard var known = subjects[subject] else { return }
    (known.isOn, known.wasOn, known.hasEnded) = (false, false, true)
    wait(for: subject, known)
  }

  /// Logs what is due: what came and went in the last interval, and what lasts. Forgets what has ended.
  package func remind() {
    guard let nextDue, case let now = uptime.now(), nextDue <= now else { return }
    var lines: [(Logger.Level, String)] = []
    for (name, known) in subjects.sorted(by: { isOrdered($0.key, before: $1.key) }) {
      guard let due = known.due, due <= now else { continue }
      var subject = known
      subject.due = now.advanced(by: interval.duration)
      if known.isPending {
        let more = known.count > 0 ? " (\(counted(known.count, "more time")) in the last \(interval.rawValue))" : ""
        lines.append((known.level, known.line + more))
        subject.wasOn = known.isOn
      } else if !known.isOn {
        subjects[name] = nil
        continue
      } else {
        // It has lasted for the whole interval, so its end is news.
        subject.hasEnded = false
        if known.isRepeated { lines.append((known.level, known.line)) } else { subject.due = nil }
      }
      subject.count = 0
      subjects[name] = subject
    }
    for (level, line) in lines.prefix(interval.maximumLines) { logger.log(level: level, "\(line)") }
    if lines.count > interval.maximumLines {
      logger.warning("and \(lines.count - interval.maximumLines) more such lines")
    }
    self.nextDue = subjects.values.compactMap(\.due).min()
  }
}
