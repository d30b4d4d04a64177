/// A zone in the form of a POSIX TZ string ("EST5EDT,M3.2.0,M11.1.0"), with what RFC 8536, 3.3.1, adds for the footer
/// of TZif files: quoted names, and hours -167...167 in the times of a change.
struct PosixZone: Equatable {
  /// Seconds east. POSIX writes west as positive; reading inverts the sign.
  var standardOffset: Int
  var daylight: Daylight?

  struct Daylight: Equatable {
    /// Seconds east; may be less than the standard offset (Dublin's winter time).
    var offset: Int
    var start: Change
    var end: Change
  }

  /// When a change happens in every year: a date, and seconds since its midnight on the wall clock before the change.
  struct Change: Equatable {
    var date: DateRule
    var time: Int
  }

  enum DateRule: Equatable {
    /// `Jn`: 1...365, 29 February never counted.
    case julianWithoutLeapDay(Int)
    /// `n`: 0...365, 29 February counted.
    case dayOfYear(Int)
    /// `Mm.w.d`: the w-th weekday d (0 = Sunday) of month m, week 5 the last.
    case weekdayOfMonth(month: Int, week: Int, weekday: Int)
  }

  /// Both offsets, in seconds east.
  var offsets: Set<Int> { Set([standardOffset] + (daylight.map { [$0.offset] } ?? [])) }

  /// A period's offset, with the first second of the period.
  typealias Step = (time: Int64, offset: Int)

  /// All changes of these years in ascending order: each daylight time's beginning and end, as seconds since 1970.
  ///
  /// Years whose daylight times touch or overlap are merged: that is how "all year" is written (RFC 8536, 3.3.1).
  func steps(years: ClosedRange<Int>) -> [Step] {
    guard let daylight, daylight.offset != standardOffset else { return [] }
    var steps: [Step] = []
    steps.reserveCapacity(2 * years.count)
    for year in years {
      let start = daylight.start.time(year: year, offset: standardOffset)
      var end = daylight.end.time(year: year, offset: daylight.offset)
      if end <= start { end = daylight.end.time(year: year + 1, offset: daylight.offset) }
      guard end > start else { continue }
      if let last = steps.last, last.time >= start {
        steps[steps.count - 1].time = max(last.time, end)
      } else {
        steps.append((start, daylight.offset))
        steps.append((end, standardOffset))
      }
    }
    return steps
  }
}

extension PosixZone.Change {
  /// Seconds since 1970 of the change in a year; `offset` is that of the clock before it, in seconds east.
  func time(year: Int, offset: Int) -> Int64 {
    Int64(date.ordinal(year: year)) * Gregorian.secondsPerDay + Int64(time - offset)
  }
}

extension PosixZone.DateRule {
  func ordinal(year: Int) -> Int {
    switch self {
    case .julianWithoutLeapDay(let number):
      let leapDay = Gregorian.isLeap(year: year) && number >= 60 ? 1 : 0
      return Gregorian.ordinal(year: year, month: 1, day: 1) + number - 1 + leapDay
    case .dayOfYear(let number):
      return Gregorian.ordinal(year: year, month: 1, day: 1) + number
    case .weekdayOfMonth(let month, let week, let weekday):
      let first = Gregorian.ordinal(year: year, month: month, day: 1)
      // POSIX counts from Sunday, this library from Monday.
      let wanted = (weekday + 6) % 7
      let day = (wanted - Gregorian.weekday(ordinal: first) + 7) % 7 + 7 * (week - 1)
      return first + (day < Gregorian.dayCount(year: year, month: month) ? day : day - 7)
    }
  }
}
