/// What EXDATE takes out of a series, by its original starts.
package struct CalendarExclusions: Sendable {
  /// Ascending, all three.
  private var seconds: [Int64] = []
  private var walls: [WallTime] = []
  private var days: [LocalDay] = []

  init(_ moments: [CalendarMoment] = []) { insert(moments) }

  mutating func insert(_ moments: [CalendarMoment]) {
    if moments.isEmpty { return }
    for moment in moments {
      if moment.isDay {
        days.append(moment.wall.day)
      } else if let second = moment.knownSecond {
        seconds.append(second)
      } else {
        walls.append(moment.wall)
      }
    }
    seconds.sort()
    walls.sort()
    days.sort()
  }

  /// Whether an occurrence is taken out: at its moment, or with all of its day.
  ///
  /// - Parameter wall: what the clocks of the series' zone show at its original start.
  func contain(second: Int64, wall: WallTime, of zone: CalendarMoment.Zone, _ calendar: CivilCalendar) -> Bool {
    if seconds.containsSorted(second) || days.containsSorted(wall.day) { return true }
    if walls.isEmpty { return false }
    // Times without zone are those of the cache's; a series of such may have one that its zone skips.
    if case .floating = zone, walls.containsSorted(wall) { return true }
    return walls.containsSorted(calendar.rules.wall(atSecond: second))
  }
}

extension Array where Element: Comparable {
  /// Whether the array, which is ascending, has an element.
  func containsSorted(_ element: Element) -> Bool {
    if isEmpty { return false }
    let index = partitioningIndex { $0 >= element }
    return index < count && self[index] == element
  }
}
