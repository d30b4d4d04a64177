package import CacheSyncSystem

/// When a session file was written and when it arrived, by which the stamps inside it are judged: a device whose clock is
/// ahead would otherwise override every correct file until that day comes (feeds.md: common rules).
package struct FileTimes: Sendable, Equatable {
  /// When the file was written (``FileIdentity/modified``).
  package var modified: Instant
  /// When the system last changed the file, or a later moment that was given instead of the clock's.
  package var arrived: Instant

  /// How far a stamp may lie after the arrival: a day, because a device may be in another time zone.
  private static let tolerance = Duration.seconds(Gregorian.secondsPerDay)

  package init(modified: Instant, arrived: Instant) {
    self.modified = modified
    self.arrived = arrived
  }

  /// The times of a file.
  ///
  /// - Parameter moment: the moment that was given instead of the clock's; nil: none was.
  package init(of file: FileIdentity, given moment: Instant?) {
    let changed = Instant(microseconds: file.changedNanoseconds / 1000)
    self.init(modified: file.modified, arrived: moment.map { max(changed, $0) } ?? changed)
  }

  /// Returns how many whole days after the arrival a stamp lies, if that is too late to be true; else nil.
  package func daysAhead(of stamp: Instant) -> Int? {
    guard stamp > arrived.advanced(by: Self.tolerance) else { return nil }
    return Int((stamp.microseconds - arrived.microseconds) / (Gregorian.secondsPerDay * Instant.microsecondsPerSecond))
  }

  /// The warning about a stamp.
  package static func warning(_ name: String, daysAhead days: Int) -> String {
    "\(name) is \(counted(days, "day")) in the future: is the device's clock right?"
  }
}

extension FileIdentity {
  /// When the file was written: the earlier of the modification time, which a program can set to any time, and the
  /// change time, which the system sets. So a file from a device whose clock is ahead counts from its arrival.
  package var modified: Instant { Instant(microseconds: min(modifiedNanoseconds, changedNanoseconds) / 1000) }
}
