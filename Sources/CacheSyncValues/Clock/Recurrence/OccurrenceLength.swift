/// How long an occurrence of a series lasts, whenever it starts.
package enum OccurrenceLength {
  /// That many seconds on the wall clock.
  case wall(seconds: Int64)
  /// Days on the wall clock, then exact seconds.
  case lasting(CalendarDuration)
  /// From the first instant of a day to the first instant of the day that many days later; at least 1.
  case days(Int)

  /// A length that no occurrence exceeds, except through changes of clocks.
  package var longestSeconds: Int64 {
    switch self {
    case .wall(let seconds): seconds
    case .lasting(let duration): Int64(duration.days) * Gregorian.secondsPerDay + Int64(duration.seconds)
    case .days(let days): Int64(days) * Gregorian.secondsPerDay
    }
  }

  /// The end of something that starts at a wall time, which is the given second; never before it.
  package func end(after wall: WallTime, second: Int64, by clock: SeriesClock) -> Int64 {
    switch self {
    case .wall(0): second
    case .wall(let seconds): max(second, clock.second(atWall: wall.advanced(bySeconds: seconds)))
    case .days(let days): max(second, clock.firstSecond(of: wall.day, advancedBy: days))
    case .lasting(let duration):
      duration.days == 0
        ? second + Int64(duration.seconds)
        : max(second, clock.second(atWall: wall.advanced(byDays: duration.days)) + Int64(duration.seconds))
    }
  }
}
