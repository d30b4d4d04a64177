/// A component of an iCalendar file that is read or written (RFC 5545, 3.6).
package enum CalendarComponent: String, CaseIterable, Sendable {
  case event = "VEVENT"
  case toDo = "VTODO"
}
