/// What is taken out of a series, by its original starts.
package struct SeriesExceptions: Sendable {
  /// Ascending, all three: seconds since 1970, wall times of the zone `local`, and days by the series' clocks, which take all
  /// occurrences of the day.
  private var seconds: [Int64] = []
  private var walls: [WallTime] = []
  private var days: [LocalDay] = []
  var local = TimeZoneRules.utc

  mutating func insert(seconds: [Int64] = [], walls: [WallTime] = [], days: [LocalDay] = []) {
    if !seconds.isEmpty { self.seconds = (self.seconds + seconds).sorted() }
    if !walls.isEmpty { self.walls = (self.walls + walls).sorted() }
    if !days.isEmpty { self.days = (self.days + days).sorted() }
  }

  func contain(_ original: Series.Original, of clock: SeriesClock) -> Bool {
    if seconds.containsSorted(original.second) || days.containsSorted(original.wall.day) { return true }
    if walls.isEmpty { return false }
    // A series of the same zone may have a time that the zone skips.
    if clock.rules == local, walls.containsSorted(original.wall) { return true }
    return walls.containsSorted(local.wall(atSecond: original.second))
  }
}

extension Array where Element: Comparable {
  /// Whether the array, which is ascending, has an element.
  fileprivate func containsSorted(_ element: Element) -> Bool {
    if isEmpty { return false }
    let index = partitioningIndex { $0 >= element }
    return index < count && self[index] == element
  }
}
