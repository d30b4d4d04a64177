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
  package var seconds: Int64 { Int64(day.ordinal) &* Gregorian.secondsPerDay &+ Int64(clampedSecondOfDay) }

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

extension WallTime {
  /// Reads the beginning of a date as it is written: `2026-11-22T09:30`, with or without seconds and a fraction. An
  /// offset may follow; it has no effect here.
  ///
  /// - Parameter end: where the reading ended.
  init?(isoPrefix bytes: UnsafeBufferPointer<UInt8>, end: inout Int) {
    guard bytes.count >= 16, bytes[10] | 0x20 == UInt8(ascii: "t"), let day = LocalDay(isoPrefix: bytes),
      let hour = ASCIIDigits.number(bytes, at: 11, count: 2), hour <= 23, bytes[13] == UInt8(ascii: ":"),
      let minute = ASCIIDigits.number(bytes, at: 14, count: 2), minute <= 59
    else { return nil }
    var second = 0
    end = 16
    if bytes.count > end, bytes[end] == UInt8(ascii: ":") {
      guard let number = ASCIIDigits.number(bytes, at: 17, count: 2), number <= 60 else { return nil }
      second = number
      end = 19
      if bytes.count > end + 1, bytes[end] == UInt8(ascii: "."), bytes[end + 1] &- 0x30 < 10 {
        end = bytes[(end + 1)...].firstIndex { $0 &- 0x30 >= 10 } ?? bytes.count
      }
    }
    // Leap seconds are of UTC, so only a date with an offset can have one.
    if second == 60, end == bytes.count { return nil }
    self.init(day, secondOfDay: hour * 3_600 + minute * 60 + min(second, 59))
  }

  /// Reads such a date as a whole text without an offset; nil for anything else.
  package init?(withoutOffset text: String) {
    let wall = text.withUTF8Bytes { bytes in
      var end = 0
      let wall = WallTime(isoPrefix: bytes, end: &end)
      return end == bytes.count ? wall : nil
    }
    guard let wall else { return nil }
    self = wall
  }
}

extension CivilCalendar {
  /// The first moment at which the wall shows that time. A skipped local time counts as the first moment after it, a
  /// repeated one as its first time (kinds.md: skipped and repeated local times).
  package func firstInstant(at wall: WallTime) -> Instant {
    let second = Int64(wall.day.ordinal) * Gregorian.secondsPerDay + Int64(min(max(wall.secondOfDay, 0), 86_399))
    return Instant(seconds: rules.table.firstSecond(wall: second)).clamped
  }

  /// The wall time at a moment, to the second.
  package func wall(at moment: Instant) -> WallTime {
    let (day, secondOfDay) = wallTime(of: moment)
    return WallTime(day, secondOfDay: secondOfDay)
  }
}
