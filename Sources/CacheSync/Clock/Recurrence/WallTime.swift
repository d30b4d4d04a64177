/// What a clock on the wall shows, to the second, without a zone.
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
  /// A second since 1970-01-01T00:00:00 on the wall.
  var wallSecond: Int { day.ordinal * Int(Gregorian.secondsPerDay) + clampedSecondOfDay }

  /// Beyond 0..<86,400 the nearest second inside.
  var clampedSecondOfDay: Int { min(max(secondOfDay, 0), Int(Gregorian.secondsPerDay) - 1) }

  init(wallSecond: Int) {
    let day = Gregorian.floorDivide(wallSecond, Int(Gregorian.secondsPerDay))
    self.init(LocalDay(ordinal: day), secondOfDay: wallSecond - day * Int(Gregorian.secondsPerDay))
  }
}
