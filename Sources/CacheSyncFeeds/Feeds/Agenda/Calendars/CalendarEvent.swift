/// An event of a calendar, or one occurrence of a series.
package struct CalendarEvent: Sendable, Equatable {
  /// The UID. For an occurrence it includes the original start: `UID#20261123T080000Z`, or `UID#20261123` if that is a
  /// day.
  package var id: String
  package var title: String
  package var start: Instant
  /// Never before the start.
  package var end: Instant
  package var location: String?
  /// Whether it lasts from the first instant of its first day to that of the day after its last.
  package var isAllDay: Bool
  /// When it was last written, in seconds since 1970: LAST-MODIFIED, else DTSTAMP; nil: it does not say.
  package var stamp: Int64?
}

/// The occurrences of a series in a period.
package struct CalendarOccurrences: Sendable {
  /// In no order; empty if the series exceeds the limits.
  package var events: [CalendarEvent] = []
  /// Why the series is left out in that period.
  package var excess: CalendarDefect?
  /// The work of following the rules, with some more for each occurrence; see ``CalendarLimits/stepsOfFile``.
  package var steps = 0
}
