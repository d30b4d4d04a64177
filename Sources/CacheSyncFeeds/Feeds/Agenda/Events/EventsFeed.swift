package import CacheSyncSystem

/// Events: the coming ones, and those of each day (feeds.md: tasks and events).
package final class EventsFeed: BuiltInFeed {
  package static let name: FeedName = "events"
  package static let heading: Phrase? = .eventsFeed

  package static let claims = CacheLayout.Claims(
    directories: ["events"], files: ["cachedEvents.json"], endings: [.calendar])

  package static let kinds = EventKinds.all

  package static let links = DeepLink.Form.events

  private(set) var files = DatedFiles()
  private var union = RecordUnion<StoredEvent>()
  /// All events by start, in the order of ``StoredEvent``.
  private(set) var ordered = SortedList<StoredEvent>()
  /// The zone of the days below; nil before the first file.
  private var calendar: CivilCalendar?
  private var spans = DaySpans<RecordKey>()
  let calendars = CalendarEvents()
  /// The calendars' events that have the id of an app's event; nil after a change.
  private var knownShared: [RecordID: RecordOrigin]?

  package init() {}

  /// The content of one file.
  package enum Session: Sendable {
    case list(EventsSession)
    case calendar(CalendarFile)
  }

  package static func decode(_ json: inout JSONReader) -> Session? {
    EventsSession.decode(&json, list: .events) { EventsSession(events: $0) }.map(Session.list)
  }

  package static var schema: JSONSchema { EventsSession.schema(listOf: EventsSession.Event.self) }

  package func put(_ session: Session, from file: SessionFile, in calendar: CivilCalendar) {
    knownShared = nil
    if self.calendar != calendar { rebuild(in: calendar) }
    switch session {
    case .list(let list):
      calendars.remove(file.path)
      let date = files.put(file, written: list.lastUpdate)
      apply(union.put(list.events.map(StoredEvent.init), from: file.path, dated: date, in: calendar), calendar)
    case .calendar(let calendarFile):
      apply(union.remove(file.path), calendar)
      _ = files.put(file, written: nil)
      calendars.put(calendarFile, from: file.path)
    }
  }

  package func remove(_ path: CachePath) {
    knownShared = nil
    files.remove(path)
    calendars.remove(path)
    // Without a calendar there has been no file.
    if let calendar { apply(union.remove(path), calendar) }
  }

  package func mark(_ path: CachePath, unusable: Bool) { files.mark(path, unusable: unusable) }

  package func adopt(me: Set<ExactText>) { calendars.adopt(me: me) }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    spans = DaySpans()
    union.rebuild(in: calendar)
    for event in union.records {
      let days = Self.days(of: event, calendar)
      spans.insert(event.key, from: days.lowerBound, through: days.upperBound)
    }
  }

  private func apply(_ changes: [RecordUnion<StoredEvent>.Change], _ calendar: CivilCalendar) {
    for change in changes {
      if let event = change.before {
        ordered.remove(event)
        let days = Self.days(of: event, calendar)
        spans.remove(event.key, from: days.lowerBound, through: days.upperBound)
      }
      if let event = change.after {
        ordered.insert(event)
        let days = Self.days(of: event, calendar)
        spans.insert(event.key, from: days.lowerBound, through: days.upperBound)
      }
    }
  }

  /// The days that an event overlaps. An event that ends at midnight does not overlap the day that begins then. A
  /// zero-length event is on the day of its start.
  private static func days(of event: StoredEvent, _ calendar: CivilCalendar) -> ClosedRange<LocalDay> {
    let first = calendar.day(of: event.start)
    guard event.end > event.start else { return first...first }
    return first...max(first, calendar.day(of: Instant(microseconds: event.end.microseconds - 1)))
  }

  /// The days of each event that overlaps one of some days.
  func days(ofEventsFrom first: LocalDay, through last: LocalDay, _ calendar: CivilCalendar) -> [ClosedRange<LocalDay>]
  {
    let range = calendar.start(of: first)..<max(calendar.start(of: first), calendar.interval(of: last).upperBound)
    let begun = spans.covering(first).compactMap { union[$0] }.filter { $0.start < range.lowerBound }
    let starting = ordered.elements(
      from: ordered.position { $0.start < range.lowerBound }, to: ordered.position { $0.start < range.upperBound })
    return (begun + starting + calendars.overlapping(range, calendar)).map { Self.days(of: $0, calendar) }
      .filter { $0.overlaps(first...last) }
  }

  /// The events that overlap a range of at most a day, in order; one without length if it starts in the range.
  func overlapping(_ range: Range<Instant>, _ calendar: CivilCalendar) -> [StoredEvent] {
    let days = Set([range.lowerBound, range.upperBound].map(calendar.day))
    let own = Set(days.flatMap(spans.covering)).compactMap { union[$0] }
      .filter { range.overlaps(itemFrom: $0.start, to: $0.end) }
    return (own + calendars.overlapping(range, calendar)).sorted()
  }

  /// The events that have begun at a moment and not ended, in order.
  func underWay(at moment: Instant, _ calendar: CivilCalendar) -> [StoredEvent] {
    let own = spans.covering(calendar.day(of: moment)).compactMap { union[$0] }
    let others = calendars.overlapping(moment..<Instant(microseconds: moment.microseconds + 1), calendar)
    return (own + others).filter { $0.start <= moment && moment < $0.end }.sorted()
  }

  /// The moments in a range of at most a day at which events end, ascending, each with the ids of those events.
  func ends(in range: Range<Instant>, _ calendar: CivilCalendar) -> [(moment: Instant, ids: [RecordID])] {
    // An event that ends at midnight covers the day before.
    let reach = Instant(microseconds: range.lowerBound.microseconds - 1)..<range.upperBound
    let days = Set([reach.lowerBound, range.lowerBound, range.upperBound].map(calendar.day))
    let own = Set(days.flatMap(spans.covering)).compactMap { union[$0] }
    let ending = (own + calendars.overlapping(reach, calendar)).filter { range.contains($0.end) && $0.end > $0.start }
    return Self.grouped(ending.sorted { $0.end == $1.end ? $0 < $1 : $0.end < $1.end }, by: \.end)
  }

  /// The moments in a range at which events start, ascending, each with the ids of those events.
  func starts(in range: Range<Instant>, _ calendar: CivilCalendar) -> [(moment: Instant, ids: [RecordID])] {
    Self.grouped(starting(in: range, calendar), by: \.start)
  }

  private static func grouped(_ events: [StoredEvent], by moment: KeyPath<StoredEvent, Instant>)
    -> [(moment: Instant, ids: [RecordID])]
  {
    var groups: [(moment: Instant, ids: [RecordID])] = []
    for event in events {
      if groups.last?.moment == event[keyPath: moment] {
        groups[groups.count - 1].ids.append(event.id)
      } else {
        groups.append((event[keyPath: moment], [event.id]))
      }
    }
    return groups
  }

  private func starting(in range: Range<Instant>, _ calendar: CivilCalendar) -> [StoredEvent] {
    let events = ordered.elements(
      from: ordered.position { $0.start < range.lowerBound }, to: ordered.position { $0.start < range.upperBound })
    let others = calendars.starting(in: range, calendar)
    if others.isEmpty { return Array(events) }
    return ordered.isEmpty ? others : (Array(events) + others).sorted()
  }

  /// The events that overlap a range, or start in it, in order.
  func events(in range: Range<Instant>, _ calendar: CivilCalendar) -> [StoredEvent] {
    let own = ordered.all.filter { range.overlaps(itemFrom: $0.start, to: $0.end) }
    return (own + calendars.overlapping(range, calendar)).sorted()
  }

  var hasCalendars: Bool { !calendars.isEmpty }

  /// When the next event after a moment starts, in the files' lists.
  func firstStart(after moment: Instant) -> Instant? {
    var coming = ordered.elements(from: ordered.position { $0.start <= moment })
    return coming.next()?.start
  }

  /// The upcoming events of calendars at a moment: those that start later, up to another moment, and those of whole
  /// days that have not ended. It returns their number, the first ones in order and some more, and the first that
  /// starts at a time of day.
  func upcomingOfCalendars(
    after moment: Instant, through last: Instant, first maximum: Int, _ calendar: CivilCalendar
  ) -> (count: Int, first: [StoredEvent], timed: StoredEvent?) {
    let range = Instant(microseconds: moment.microseconds + 1)..<Instant(microseconds: last.microseconds + 1)
    if calendars.isEmpty || range.isEmpty { return (0, [], nil) }
    let underWay = calendars.overlapping(moment..<range.lowerBound, wholeDays: true, calendar).filter {
      $0.start <= moment && $0.end > moment
    }
    let starting = calendars.starting(in: range, first: maximum, calendar)
    let timed = calendars.firstTimed(in: range, calendar)
    return (underWay.count + starting.count, underWay + starting.first, timed)
  }

  /// Whether several events have an id, so that their files tell them apart.
  func isShared(_ id: RecordID) -> Bool { union.isShared(id) || sharedWithApps[id] != nil }

  /// The places of the calendars' events that have the id of an app's event. An app's event is never a version of one.
  private var sharedWithApps: [RecordID: RecordOrigin] {
    if let knownShared { return knownShared }
    var shared: [RecordID: RecordOrigin] = [:]
    if !ordered.isEmpty, !calendars.isEmpty {
      for event in union.records { shared[event.id] = calendars.places[event.id] }
    }
    knownShared = shared
    return shared
  }

  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    if calendars.isEmpty { return union.problems("events") }
    let today = moment.calendar.start(of: moment.day)
    let before = moment.calendar.sameWallTime(as: today, addingDays: -Moment.indexedDaysBefore)
    let after = moment.calendar.sameWallTime(as: today, addingDays: 2 * UpcomingEvents.days)
    return union.problems("events", beside: sharedWithApps)
      + calendars.problems(in: before..<max(before, after), moment.calendar)
      + calendars.sharedUIDs
  }

  package func nextProblemChange(after instant: Instant) -> Instant? {
    guard let calendar, !calendars.isEmpty else { return nil }
    return calendar.interval(of: calendar.day(of: instant)).upperBound
  }

  /// How many ids of a day are listed (contract.md section 4).
  private static let mostIDs = 1_000

  /// Writes `{ ids, more? }`: the events that overlap the day, by start, then id.
  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let own = spans.covering(moment.day).compactMap { union[$0] }
    let events = (own + calendars.overlapping(moment.calendar.interval(of: moment.day), moment.calendar))
      .sorted { $0.start == $1.start ? $0.key < $1.key : $0.start < $1.start }
    guard !events.isEmpty else { return false }
    json.array("ids") { json in
      for event in events.prefix(Self.mostIDs) { json.value(event.id) }
    }
    let more = max(0, events.count - Self.mostIDs) + calendars.leftOut(on: moment.day, moment.calendar)
    if more > 0 { json.member("more", more) }
    return true
  }
}
