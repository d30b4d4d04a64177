/// A time on the wall clock, to the second, without a zone.
package struct WallTime: Hashable, Comparable, Sendable {
  package var day: LocalDay
  /// Four bytes, because sessions have many times.
  private let second: Int32

  /// 0..<86,400
  package var secondOfDay: Int { Int(second) }

  package init(_ day: LocalDay, secondOfDay: Int = 0) {
    self.day = day
    second = Int32(clamping: secondOfDay)
  }

  package static func < (a: WallTime, b: WallTime) -> Bool {
    a.day == b.day ? a.secondOfDay < b.secondOfDay : a.day < b.day
  }
}

extension WallTime {
  /// Seconds since 1970-01-01T00:00:00 on the wall.
  var seconds: Int64 { Int64(day.ordinal) &* Gregorian.secondsPerDay &+ Int64(clampedSecondOfDay) }

  /// Limited to 0..<86,400.
  var clampedSecondOfDay: Int { min(max(secondOfDay, 0), Int(Gregorian.secondsPerDay) - 1) }

  /// The wall time at that second; beyond the years 1...9999 the first or the last second.
  init(seconds: Int64) {
    let seconds = min(max(seconds, WallTime(.first).seconds), WallTime(.last).seconds + Gregorian.secondsPerDay - 1)
    let day = Gregorian.floorDivide(seconds, Gregorian.secondsPerDay)
    self.init(LocalDay(ordinal: Int(day)), secondOfDay: Int(seconds - day * Gregorian.secondsPerDay))
  }

  /// The wall time that many seconds later, as if the clock were never changed.
  package func advanced(bySeconds count: Int64) -> WallTime {
    let (sum, overflow) = seconds.addingReportingOverflow(count)
    return WallTime(seconds: overflow ? (count < 0 ? .min : .max) : sum)
  }

  /// The same time, that many dates later.
  package func advanced(byDays days: Int) -> WallTime { WallTime(day.advanced(by: days), secondOfDay: secondOfDay) }
}
