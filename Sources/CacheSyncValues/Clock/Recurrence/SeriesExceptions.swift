/// The occurrences to leave out of a series, by their original starts.
package struct SeriesExceptions: Sendable {
  /// All three are ascending: seconds since 1970, wall times of the zone `local`, and days by the series' clocks. A day
  /// leaves out all of its occurrences.
  private var seconds: [Int64] = []
  private var walls: [WallTime] = []
  private var days: [LocalDay] = []
  package var local = TimeZoneRules.utc

  package init() {}

  package mutating func insert(seconds: [Int64] = [], walls: [WallTime] = [], days: [LocalDay] = []) {
    if !seconds.isEmpty { self.seconds = (self.seconds + seconds).sorted() }
    if !walls.isEmpty { self.walls = (self.walls + walls).sorted() }
    if !days.isEmpty { self.days = (self.days + days).sorted() }
  }

  /// Near what they leave out, to two days: seconds since 1970, ascending.
  fileprivate var moments: [Int64] {
    (seconds + walls.map(\.seconds) + days.map { WallTime($0).seconds }).sorted()
  }

  func contain(_ original: Series.Original, of clock: SeriesClock) -> Bool {
    if seconds.containsSorted(original.second) || days.containsSorted(original.wall.day) { return true }
    if clock.isOfDays { return containTime(on: original.wall.day, of: clock) }
    if walls.isEmpty { return false }
    // A series in the same zone may have a time that the zone skips.
    if clock.rules == local, walls.containsSorted(original.wall) { return true }
    return walls.containsSorted(local.wall(atSecond: original.second))
  }

  /// Whether a moment excludes a day: one on that day in UTC. But one with which another day of the series' clocks
  /// begins excludes that.
  private func containTime(on day: LocalDay, of clock: SeriesClock) -> Bool {
    if seconds.isEmpty { return false }
    let first = WallTime(day).seconds
    let last = first + Gregorian.secondsPerDay
    let next = min(max(clock.firstSecond(of: day, advancedBy: 1), first), last)
    return seconds.containsSorted(in: first..<next) || seconds.containsSorted(in: min(next + 1, last)..<last)
  }
}

extension Series {
  /// The original starts that the exceptions leave out, ascending; nil if finding them takes too long.
  package func excluded(mostSteps: Int) -> [Original]? {
    let margin = 2 * Gregorian.secondsPerDay
    var windows: [Range<Int64>] = []
    for moment in exceptions.moments {
      if let last = windows.last, moment - margin <= last.upperBound {
        windows[windows.count - 1] = last.lowerBound..<(moment + margin)
      } else {
        windows.append((moment - margin)..<(moment + margin))
      }
    }
    var whole = self
    whole.exceptions = SeriesExceptions()
    var excluded: [Original] = []
    var steps = mostSteps
    for window in windows {
      let found = whole.occurrences(in: window, mostOccurrences: .max, mostSteps: steps)
      if found.excess != nil { return nil }
      steps -= found.steps
      for original in found.occurrences.map(\.original)
      where exceptions.contain(original, of: clock) && original.second > excluded.last?.second ?? .min {
        excluded.append(original)
      }
    }
    return excluded
  }
}

extension Array where Element: Comparable {
  /// Whether the ascending array contains an element.
  fileprivate func containsSorted(_ element: Element) -> Bool {
    if isEmpty { return false }
    let index = partitioningIndex { $0 >= element }
    return index < count && self[index] == element
  }

  /// Whether the ascending array contains an element of a range.
  fileprivate func containsSorted(in range: Range<Element>) -> Bool {
    let index = partitioningIndex { $0 >= range.lowerBound }
    return index < count && self[index] < range.upperBound
  }
}
