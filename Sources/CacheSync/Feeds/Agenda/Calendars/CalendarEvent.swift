/// An event of a calendar, or one occurrence of a series.
package struct CalendarEvent: Sendable, Equatable {
  /// The UID; of an occurrence with its original start, `UID#20261123T080000Z`, or `UID#20261123` when that is a day.
  package var id: String
  package var title: String
  package var start: Instant
  /// Never before the start.
  package var end: Instant
  package var location: String?
  /// From the first instant of its first day to that of the day after its last.
  package var isAllDay: Bool
}

/// What a series gives in a stretch of time.
package struct CalendarOccurrences: Sendable {
  /// In no order; none when the series is beyond the limits.
  package var events: [CalendarEvent] = []
  /// Why the series is left out there.
  package var excess: CalendarDefect?
  /// What following the rules took, with some more for each occurrence; see ``CalendarLimits/stepsOfFile``.
  package var steps = 0
}
