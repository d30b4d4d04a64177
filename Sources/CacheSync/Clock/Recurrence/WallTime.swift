/// What a clock on the wall shows, to the second, without a zone.
package struct WallTime: Hashable, Comparable, Sendable {
  package var day: LocalDay
  /// 0..<86,400
  package var secondOfDay: Int

  package init(_ day: LocalDay, secondOfDay: Int = 0) {
    self.day = day
    self.secondOfDay = secondOfDay
  }

  package static func < (a: WallTime, b: WallTime) -> Bool {
    a.day == b.day ? a.secondOfDay < b.secondOfDay : a.day < b.day
  }
}
