/// Something that recurs: at a start, by rules and on further dates, except where an exception removes it.
///
/// An occurrence is identified by its original start, which comes from the start, a rule or a date. Exceptions name
/// that, even if the occurrence is moved.
package struct Series {
  package struct Original {
    /// The intended time on the series' clocks, which may skip it.
    package var wall: WallTime
    /// Seconds since 1970.
    package var second: Int64

    package init(wall: WallTime, second: Int64) { (self.wall, self.second) = (wall, second) }
  }

  package struct Occurrence {
    package var original: Original
    /// Seconds since 1970.
    package var start: Int64
    /// Never before the start.
    package var end: Int64

    package init(original: Original, start: Int64, end: Int64) {
      (self.original, self.start, self.end) = (original, start, end)
    }

    package var times: Range<Instant> { Instant(seconds: start).clamped..<Instant(seconds: end).clamped }
  }

  package var clock: SeriesClock
  /// Its second is exact: for a repeated wall time it may be the later one.
  package var start: Original
  /// The end of the occurrence at the start; nil: after `length`, as for the others.
  package var end: Int64?
  /// Whether the start is an occurrence even if no rule gives it.
  package var isStartSure = false
  package var length: OccurrenceLength
  package var rules: [RecurrenceRule]
  /// Further starts. If a date has its own length, that overrides what a rule gives at the same time, even if only the
  /// rule's occurrence would be in the window.
  package var dates: [(original: Original, length: OccurrenceLength?)] = []
  package var exceptions: SeriesExceptions
  /// The range of original starts that have an occurrence.
  package var originals = Int64.min ..< .max
  /// How far occurrences are moved on the wall clock, in seconds. They then start by ``movedClock``; nil: by the same
  /// clock.
  package var shift: Int64 = 0
  package var movedClock: SeriesClock?

  package init(
    clock: SeriesClock, start: Original, end: Int64? = nil, isStartSure: Bool = false, length: OccurrenceLength,
    rules: [RecurrenceRule], dates: [(original: Original, length: OccurrenceLength?)] = [],
    exceptions: SeriesExceptions
  ) {
    (self.clock, self.start, self.end, self.isStartSure) = (clock, start, end, isStartSure)
    (self.length, self.rules, self.dates, self.exceptions) = (length, rules, dates, exceptions)
  }
}
