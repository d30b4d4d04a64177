/// What comes again: at a start, whenever rules say, and on further dates, less what is taken out.
///
/// An occurrence is known by its original start, which the start, a rule or a date gives it: exceptions name that, wherever
/// the occurrence is moved.
struct Series {
  struct Original {
    /// What the series' clocks show, as it was meant: they may skip it.
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
  /// Its second is exact: it may be the later one of a wall time that comes twice.
  var start: Original
  /// When the occurrence at the start ends; nil: after `length`, as the others.
  var end: Int64?
  /// Whether the start is an occurrence even if no rule gives it.
  var isStartSure = false
  var length: OccurrenceLength
  var rules: [RecurrenceRule]
  /// Further starts. A length of its own counts before what a rule gives at the same time, also where only that would be in
  /// the window.
  var dates: [(original: Original, length: OccurrenceLength?)] = []
  var exceptions: SeriesExceptions
  /// Which original starts have an occurrence.
  var originals = Int64.min ..< .max
  /// How far occurrences are moved on the wall clock, in seconds, and by which clocks they start then; nil: by the same.
  var shift: Int64 = 0
  var movedClock: SeriesClock?
}
