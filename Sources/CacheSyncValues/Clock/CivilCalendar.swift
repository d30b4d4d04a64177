/// Local days and wall times of one zone, as the contract counts them.
///
/// Days divide the UTC time line without gap or overlap: a day lasts from `start(of:)` to the start of the next
/// existing day. `day(of:)` never goes back while time goes on, even if the clock does. Lengths come from the zone's
/// rules, never from 86,400. At the ends of the years 1...9999 results stay inside; nothing traps.
package struct CivilCalendar: Sendable, Equatable {
  /// The zone's rules.
  package let rules: TimeZoneRules

  /// A calendar of a zone.
  package init(_ rules: TimeZoneRules) { self.rules = rules }

  private var table: OffsetTable { rules.table }

  /// The local day that contains the moment: the last day whose start is not after it.
  ///
  /// If a clock falls back over midnight (St John's, 00:01 to 23:01, until 2011), the repeated hour belongs to the day
  /// that has begun, though the wall shows the previous date again; see `wallTime(of:)`.
  package func day(of moment: Instant) -> LocalDay {
    LocalDay(ordinal: ordinal(ofSecond: moment.clamped.seconds))
  }

  /// The first moment whose local date is this one or a later one. That is midnight, or the first moment after it if
  /// midnight is skipped. For a date that occurs twice it is the first time.
  package func start(of day: LocalDay) -> Instant {
    Instant(seconds: startSecond(ordinal: day.ordinal)).clamped
  }

  /// Whether the zone has that day: 2011-12-30 was skipped in Pacific/Apia.
  package func exists(_ day: LocalDay) -> Bool {
    startSecond(ordinal: day.ordinal) < startSecond(ordinal: day.ordinal + 1)
  }

  /// The next existing day. For 9999-12-31 it is that day itself.
  package func day(after day: LocalDay) -> LocalDay {
    LocalDay(ordinal: ordinal(after: day.ordinal))
  }

  /// The previous existing day. For 0001-01-01 it is that day itself.
  package func day(before day: LocalDay) -> LocalDay {
    LocalDay(ordinal: ordinal(ofSecond: startSecond(ordinal: day.ordinal) - 1))
  }

  /// From the day's start to the start of the next existing day; empty for a day that does not exist.
  package func interval(of day: LocalDay) -> Range<Instant> {
    let start = start(of: day)
    let end = Instant(seconds: startSecond(ordinal: ordinal(after: day.ordinal))).clamped
    return start..<max(start, end)
  }

  /// The real length of the day, such as 23, 24, 24.5 or 25; 0 for a day that does not exist.
  package func hours(of day: LocalDay) -> Double {
    let start = startSecond(ordinal: day.ordinal)
    let end = startSecond(ordinal: ordinal(after: day.ordinal))
    return Double(end - start) / 3_600
  }

  /// The first moment at which the wall shows that time of that day. A skipped local time counts as the first moment
  /// after it, a repeated one as its first time (kinds.md: skipped and repeated local times). Hours beyond 0...24 and
  /// minutes beyond 0...59 count as the nearest inside; 24:00 is the next date's 00:00.
  package func firstInstant(of day: LocalDay, hour: Int, minute: Int = 0) -> Instant {
    let secondOfDay = min(max(hour, 0), 24) * 3_600 + min(max(minute, 0), 59) * 60
    return Instant(seconds: table.firstSecond(wall: wall(day.ordinal, secondOfDay))).clamped
  }

  /// The moment at which the wall shows the same time, that many dates later, or earlier if the count is negative. A
  /// time that is skipped there counts as the first moment after it, a repeated one as its first time. With 0 it is the
  /// moment itself.
  package func sameWallTime(as moment: Instant, addingDays count: Int) -> Instant {
    let moment = moment.clamped
    guard count != 0 else { return moment }
    let (day, secondOfDay) = wallTime(of: moment)
    let wall = wall(day.advanced(by: count).ordinal, secondOfDay)
    let second = table.firstSecond(wall: wall)
    let isSkipped = second + Int64(table.offset(at: second)) != wall
    return Instant(microseconds: Instant(seconds: second).microseconds + (isSkipped ? 0 : moment.fraction)).clamped
  }

  /// The wall time, to the second. In an hour repeated across midnight its date is the day before `day(of:)`.
  package func wallTime(of moment: Instant) -> (day: LocalDay, secondOfDay: Int) {
    let second = moment.clamped.seconds
    let wall = second + Int64(table.offset(at: second))
    let day = LocalDay(ordinal: Int(Gregorian.floorDivide(wall, Gregorian.secondsPerDay)))
    return (day, Int(Gregorian.floorRemainder(wall, Gregorian.secondsPerDay)))
  }

  /// The wall time as text: "09:30", or with seconds "09:30:00".
  package func clock(at moment: Instant, withSeconds: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8)
    ASCIIDigits.appendTime(secondOfDay: wallTime(of: moment).secondOfDay, to: &bytes)
    return String(decoding: bytes.prefix(withSeconds ? 8 : 5), as: UTF8.self)
  }

  // Day numbers and seconds below may be a few days beyond the years 1...9999, so that the last day has an end.

  private func startSecond(ordinal: Int) -> Int64 { table.firstSecond(wall: wall(ordinal, 0)) }

  private func ordinal(ofSecond second: Int64) -> Int {
    Int(Gregorian.floorDivide(table.furthestWall(upTo: second), Gregorian.secondsPerDay))
  }

  /// The day that begins at the start of the next date, which may be a skipped one.
  private func ordinal(after ordinal: Int) -> Int {
    self.ordinal(ofSecond: startSecond(ordinal: ordinal + 1))
  }

  private func wall(_ ordinal: Int, _ secondOfDay: Int) -> Int64 {
    Int64(ordinal) * Gregorian.secondsPerDay + Int64(secondOfDay)
  }
}
