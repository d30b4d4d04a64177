/// An item whose times are moments: of local times, in the file's zone, or in the cache's where the file names none.
///
/// An object, because an item is a few hundred bytes, and is in the list of its file and in that of the feed.
final class ResolvedItem: Sendable {
  let item: DefinedItem
  let path: CachePath
  /// Its place in the file, from 0.
  let place: Int
  /// In whose zone the item's rule counts.
  let calendar: CivilCalendar
  /// Nil: an item without times. Both are nil or none; the end is not before the start.
  let start: Instant?
  let end: Instant?
  /// Whether `except` takes out the item itself, which then still hides those of the same id.
  let isExcluded: Bool

  private init(
    _ item: DefinedItem, path: CachePath, place: Int, in calendar: CivilCalendar, start: Instant?, _ next: NextStarts
  ) {
    self.item = item
    self.path = path
    self.place = place
    self.calendar = calendar
    self.start = start
    end = start.map { max($0, item.end(from: $0, next, in: calendar)) }
    isExcluded = !item.repeats && start.map { item.excludes($0, in: calendar) } ?? false
  }

  /// The items of a session, in its order.
  ///
  /// - Parameter calendar: the cache's.
  static func all(of session: DefinedSession, path: CachePath, in calendar: CivilCalendar) -> [ResolvedItem] {
    let calendar = session.zone.map { CivilCalendar($0) } ?? calendar
    let starts = session.items.map { $0.start?.instant(in: calendar) }
    let next = NextStarts(session.items.contains { $0.end == .next } ? starts.compactMap(\.self) : [])
    return session.items.indices.map { place in
      ResolvedItem(session.items[place], path: path, place: place, in: calendar, start: starts[place], next)
    }
  }
}

/// The starts of a file, to find for each the one after it.
struct NextStarts {
  /// Ascending, each once.
  private var starts: [Instant] = []

  init(_ starts: [Instant]) {
    for start in starts.sorted() where start != self.starts.last { self.starts.append(start) }
  }

  /// The least later start. The last lasts as long as the one before; one alone has no length.
  func end(from start: Instant) -> Instant {
    let index = starts.partitioningIndex { $0 > start }
    if index < starts.count { return starts[index] }
    guard starts.count > 1 else { return start }
    return (start + (starts[starts.count - 1] - starts[starts.count - 2])).clamped
  }
}

extension DefinedItem.Time {
  /// In whole seconds, or the day's first instant.
  func instant(in calendar: CivilCalendar) -> Instant {
    switch point {
    case .instant(let instant): Instant(seconds: instant.clamped.seconds)
    case .wall(let wall): calendar.firstInstant(at: wall)
    }
  }

  /// What an end says: the moment, or the end of the day.
  func end(in calendar: CivilCalendar) -> Instant {
    hasTime ? instant(in: calendar) : calendar.interval(of: day(in: calendar)).upperBound
  }

  /// What the wall shows, as it was written.
  func wall(in calendar: CivilCalendar) -> WallTime {
    switch point {
    case .instant: calendar.wall(at: instant(in: calendar))
    case .wall(let wall): wall
    }
  }

  func day(in calendar: CivilCalendar) -> LocalDay { wall(in: calendar).day }
}

extension DefinedItem {
  /// The end of the item itself, not of what repeats.
  fileprivate func end(from start: Instant, _ next: NextStarts, in calendar: CivilCalendar) -> Instant {
    switch end {
    case .time(let time): return time.end(in: calendar)
    case .next: return next.end(from: start)
    case .lasts(let days, let seconds):
      let last = days == 0 ? start : self.start?.wall(in: calendar).advanced(byDays: days).instant(in: calendar)
      return ((last ?? start) + .seconds(seconds)).clamped
    case .unstated:
      guard let time = self.start, !time.hasTime else { return start }
      return time.end(in: calendar)
    }
  }

  /// Whether `except` takes out what starts at a moment.
  func excludes(_ start: Instant, in calendar: CivilCalendar) -> Bool {
    if except.isEmpty { return false }
    let day = calendar.day(of: start)
    return except.contains { $0.hasTime ? $0.instant(in: calendar) == start : $0.day(in: calendar) == day }
  }
}

extension WallTime {
  func instant(in calendar: CivilCalendar) -> Instant { calendar.firstInstant(at: self) }
}
