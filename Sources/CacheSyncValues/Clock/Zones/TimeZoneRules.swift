/// The rules of one zone's clocks: a name and the offsets from UTC at any moment, which never change once made.
///
/// The rules come from the system's TZif files, which administrators update, and not from the ICU data in Foundation:
/// the two can differ, and ICU makes the program three times as large. They are right for the years 1...9999, as far as
/// the file knows.
package final class TimeZoneRules: Sendable {
  /// The name as written in the settings or found in the system: "Europe/Berlin", "UTC", "GMT+03:37".
  package let name: String
  let table: OffsetTable

  init(name: String, table: OffsetTable) {
    self.name = name
    self.table = table
  }

  /// Reads a TZif file (RFC 8536, versions 1 to 4). Nil if it is malformed, or if it counts leap seconds as the files
  /// under `right/` do. Any bytes are safe.
  package convenience init?(name: String, tzif bytes: [UInt8]) {
    guard let file = TZifFile(bytes) else { return nil }
    self.init(name: name, table: OffsetTable(file))
  }

  /// Reads a POSIX TZ string ("EST5EDT,M3.2.0,M11.1.0", "<+0545>-5:45"). Nil if it is malformed, or if it has a
  /// daylight time without its dates.
  package convenience init?(posix text: String, name: String) {
    guard let zone = PosixZone(text) else { return nil }
    self.init(name: name, table: OffsetTable(rule: zone))
  }

  /// A zone's changes of offset in ascending order, in seconds since 1970 and seconds east; the last applies for ever.
  package convenience init(name: String, initialOffset: Int, changes: [(time: Int64, offset: Int)]) {
    self.init(name: name, table: OffsetTable(initialOffset: initialOffset, changes: changes))
  }

  /// The same offset for all time, in seconds east of UTC, limited to about a day.
  package static func fixed(offsetSeconds: Int, name: String) -> TimeZoneRules {
    let range = TZifFile.plausibleOffsets
    let offset = min(max(offsetSeconds, range.lowerBound), range.upperBound)
    return TimeZoneRules(name: name, table: OffsetTable(offset: offset))
  }

  /// Coordinated universal time, under the name "UTC".
  package static let utc = TimeZoneRules.fixed(offsetSeconds: 0, name: "UTC")

  /// The offset of the clocks at a moment, in seconds east of UTC.
  package func offset(at moment: Instant) -> Int { table.offset(at: moment.clamped.seconds) }

  /// The next moment, strictly later, at which the offset changes; nil if it does not change again before the
  /// year 10000. Changes of name or daylight flag alone do not count.
  package func nextTransition(after moment: Instant) -> Instant? {
    guard let next = table.nextChange(after: moment.clamped.seconds) else { return nil }
    let transition = Instant(seconds: next)
    return transition > moment && transition <= Instant.validRange.upperBound ? transition : nil
  }

  /// Whether its clocks always show UTC.
  package var isUTC: Bool { constantOffset == 0 }

  /// The offset, if it is the same for all time.
  var constantOffset: Int? { table.times.isEmpty ? table.offsets.first : nil }
}

extension TimeZoneRules: Equatable {
  /// Same name and same offsets.
  package static func == (lhs: TimeZoneRules, rhs: TimeZoneRules) -> Bool {
    lhs === rhs || (lhs.name == rhs.name && lhs.table == rhs.table)
  }
}
