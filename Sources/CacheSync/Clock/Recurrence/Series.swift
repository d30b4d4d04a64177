/// Something that recurs: at a start, by rules and on further dates, except where an exception removes it.
///
/// An occurrence is identified by its original start, which comes from the start, a rule or a date. Exceptions name
/// that, even if the occurrence is moved.
struct Series {
  struct Original {
    /// The intended time on the series' clocks, which may skip it.
    var wall: WallTime
    /// Seconds since 1970.
    var second: Int64
  }

  struct Occurrence {
    var original: Original
    /// Seconds since 1970.
    var start: Int64
    /// Never before the start.
    var end: Int64

    var times: Range<Instant> { Instant(seconds: start).clamped..<Instant(seconds: end).clamped }
  }

  var clock: SeriesClock
  /// Its second is exact: for a repeated wall time it may be the later one.
  var start: Original
  /// The end of the occurrence at the start; nil: after `length`, as for the others.
  var end: Int64?
  /// Whether the start is an occurrence even if no rule gives it.
  var isStartSure = false
  var length: OccurrenceLength
  var rules: [RecurrenceRule]
  /// Further starts. If a date has its own length, that overrides what a rule gives at the same time, even if only the
  /// rule's occurrence would be in the window.
  var dates: [(original: Original, length: OccurrenceLength?)] = []
  var exceptions: SeriesExceptions
  /// The range of original starts that have an occurrence.
  var originals = Int64.min ..< .max
  /// How far occurrences are moved on the wall clock, in seconds. They then start by ``movedClock``; nil: by the same
  /// clock.
  var shift: Int64 = 0
  var movedClock: SeriesClock?
}
