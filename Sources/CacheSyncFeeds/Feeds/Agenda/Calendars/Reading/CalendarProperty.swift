/// The properties of a VEVENT or VTODO that are read; the others may be broken.
enum CalendarProperty: String, CaseIterable {
  case start = "DTSTART"
  case end = "DTEND"
  case summary = "SUMMARY"
  case uid = "UID"
  case stamp = "DTSTAMP"
  case location = "LOCATION"
  case rule = "RRULE"
  case sequence = "SEQUENCE"
  case status = "STATUS"
  case exclusions = "EXDATE"
  case duration = "DURATION"
  case original = "RECURRENCE-ID"
  case extras = "RDATE"
  case exceptions = "EXRULE"
  case created = "CREATED"
  case modified = "LAST-MODIFIED"
  case attendee = "ATTENDEE"
  // Of to-dos.
  case due = "DUE"
  case completed = "COMPLETED"
  case percent = "PERCENT-COMPLETE"
  case parent = "RELATED-TO"
  case categories = "CATEGORIES"
  case description = "DESCRIPTION"

  /// Whether a component is lost with one that cannot be read: it would not say what it is, or be on other days. All
  /// others only narrow or decorate.
  func isEssential(to component: CalendarComponent) -> Bool {
    switch self {
    case .uid, .rule: true
    // A to-do may have no start.
    case .start: component == .event
    default: false
    }
  }

  /// Whether other properties decide if a to-do needs it.
  var isSometimesNeeded: Bool {
    switch self {
    case .completed, .percent, .duration, .rule, .extras, .exclusions: true
    default: false
    }
  }

  /// The components in which it is read; nil: all.
  private var component: CalendarComponent? {
    switch self {
    case .end, .location, .sequence, .attendee: .event
    case .due, .completed, .percent, .parent, .categories, .description: .toDo
    default: nil
    }
  }

  /// Whether it is read even if the component is bad.
  var isIdentity: Bool {
    switch self {
    case .uid, .original, .sequence, .stamp: true
    default: false
    }
  }

  private typealias Names = [(bytes: [UInt8], property: CalendarProperty)]
  private static let ofEvents = names(of: .event)
  private static let ofToDos = names(of: .toDo)

  private static func names(of component: CalendarComponent) -> Names {
    allCases.filter { $0.component.map { $0 == component } ?? true }
      .map { (bytes: Array($0.rawValue.utf8), property: $0) }
  }

  /// In upper or lower case.
  init?(_ name: UnsafeBufferPointer<UInt8>, of component: CalendarComponent) {
    let names = component == .event ? Self.ofEvents : Self.ofToDos
    let entry = names.first { $0.bytes.count == name.count && name.isWord($0.bytes) }
    guard let entry else { return nil }
    self = entry.property
  }
}
