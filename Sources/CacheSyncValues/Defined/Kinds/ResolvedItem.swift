package import CacheSyncSystem

/// An item with its times as moments. Local times are in the file's zone, or in the cache's zone if the file names
/// none.
///
/// A class, because an item takes a few hundred bytes and is in two lists: that of its file and that of the feed.
package final class ResolvedItem: Sendable {
  package let item: DefinedItem
  package let path: CachePath
  /// Its index in the file, from 0.
  package let place: Int
  /// The calendar in which the item's rule counts.
  package let calendar: CivilCalendar
  /// Nil for an item without times, and then `end` is nil too. The end is not before the start.
  let start: Instant?
  let end: Instant?
  /// Whether an end was ignored that is before the start in the cache's zone. What is so in every zone has a warning of
  /// its file.
  let hasEarlyEnd: Bool
  /// What `except` leaves out.
  let exceptions: SeriesExceptions

  private init(
    _ item: DefinedItem, path: CachePath, place: Int, in calendar: CivilCalendar, start: Instant?, _ next: NextStarts,
    _ exceptions: SeriesExceptions
  ) {
    var item = item
    var end = start.map { item.end(from: $0, next, in: calendar) }
    var hasEarlyEnd = false
    // An end before the start is ignored. A whole day stays one.
    if let start, let early = end, early < start || early == start && item.isAllDay {
      hasEarlyEnd = early < start
      item.end = .unstated
      end = item.end(from: start, next, in: calendar)
    }
    self.item = item
    self.path = path
    self.place = place
    self.calendar = calendar
    self.start = start
    self.exceptions = exceptions
    self.end = end
    self.hasEarlyEnd = hasEarlyEnd
  }

  /// The start for a series, with the wall time that was meant.
  var original: Series.Original? {
    guard let start, let wall = item.start?.wall(in: calendar) else { return nil }
    return Series.Original(wall: wall, second: start.seconds)
  }

  /// Whether `except` leaves out the item itself. The item still hides others with the same id.
  var isExcluded: Bool {
    guard !item.repeats, !item.except.isEmpty, let original else { return false }
    return exceptions.contain(original, of: calendar.clock)
  }

  /// The items of a session, in its order.
  ///
  /// - Parameter calendar: the cache's calendar.
  static func all(of session: DefinedSession, path: CachePath, in calendar: CivilCalendar) -> [ResolvedItem] {
    let calendars = ItemCalendars(of: session, cache: calendar)
    let starts = session.items.map { $0.start?.instant(in: calendars.of($0)) }
    let next = NextStarts(session.items.contains { $0.end == .next } ? starts.compactMap(\.self) : [])
    // Items often share a list of exceptions, which may be long, so it is sorted once.
    var latest = (except: [DefinedItem.Time](), calendar: calendars.file, exceptions: SeriesExceptions())
    return session.items.indices.map { place in
      let item = session.items[place]
      let calendar = calendars.of(item)
      if item.except != latest.except || calendar != latest.calendar {
        latest = (item.except, calendar, SeriesExceptions(item.except, in: calendar))
      }
      return ResolvedItem(
        item, path: path, place: place, in: calendar, start: starts[place], next, latest.exceptions)
    }
  }
}

/// The starts in a file, to find the next one after each.
struct NextStarts {
  /// Ascending, each start once.
  private let starts: [Instant]

  init(_ starts: [Instant]) { self.starts = Set(starts).sorted() }

  /// The earliest later start. The last item lasts as long as the one before; a single item has no length.
  func end(from start: Instant) -> Instant {
    let index = starts.partitioningIndex { $0 > start }
    if index < starts.count { return starts[index] }
    guard starts.count > 1 else { return start }
    return (start + (starts[starts.count - 1] - starts[starts.count - 2])).clamped
  }
}

extension DefinedItem.Time {
  /// In whole seconds; for a day, its first instant.
  func instant(in calendar: CivilCalendar) -> Instant {
    Instant(seconds: preciseInstant(in: calendar).clamped.seconds)
  }

  /// The moment of an end: its time, or the end of its day.
  func end(in calendar: CivilCalendar) -> Instant {
    hasTime ? instant(in: calendar) : calendar.interval(of: day(in: calendar)).upperBound
  }

  /// The wall time as it was written.
  func wall(in calendar: CivilCalendar) -> WallTime {
    switch point {
    case .instant: calendar.wall(at: instant(in: calendar))
    case .wall(let wall): wall
    }
  }

  func day(in calendar: CivilCalendar) -> LocalDay { wall(in: calendar).day }
}

extension DefinedItem {
  /// The end of the item itself, not of its occurrences.
  fileprivate func end(from start: Instant, _ next: NextStarts, in calendar: CivilCalendar) -> Instant {
    switch end {
    case .time(let time): return time.end(in: calendar)
    case .next: return next.end(from: start)
    case .lasts(let days, let seconds):
      let last = days == 0 ? nil : self.start?.wall(in: calendar).advanced(byDays: days)
      return ((last.map { calendar.firstInstant(at: $0) } ?? start) + .seconds(seconds)).clamped
    case .unstated:
      guard let time = self.start, !time.hasTime else { return start }
      return time.end(in: calendar)
    }
  }
}

extension SeriesExceptions {
  /// The times of an item's `except`, in the item's zone.
  init(_ except: [DefinedItem.Time], in calendar: CivilCalendar) {
    self.init()
    insert(
      seconds: except.filter(\.hasTime).map { $0.instant(in: calendar).seconds },
      days: except.filter { !$0.hasTime }.map { $0.day(in: calendar) })
  }
}

extension CivilCalendar {
  /// The clock for the rules of a definition (definitions.md section 2).
  var clock: SeriesClock { SeriesClock(rules, .firstMomentAfter) }
}
