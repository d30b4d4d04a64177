/// One item of a session file, read by a definition.
package struct DefinedItem: Sendable {
  /// A time as the file gives it.
  package struct Time: Sendable, Equatable {
    package enum Point: Sendable, Equatable {
      case instant(Instant)
      /// A local time in the file's zone, or in the cache's zone if the file names none.
      case wall(WallTime)
    }

    package var point: Point
    /// Whether the file gives a time of day. If not, the point is the day's midnight.
    package var hasTime: Bool
    /// Set only until ``FeedDefinition/settled(_:in:)`` has run: the point is then a moment that means a day, and the
    /// cache's zone decides which one (``MeantDay``).
    package var shift: Shift?

    /// A number of days after a day, and a time of day. Few bytes, because there are many items.
    package struct Shift: Sendable, Equatable {
      package let days: Int32
      package let secondOfDay: Int32
      /// Whether an item ends with the day, so that a midnight means the day before.
      package let isEnd: Bool
      /// How many days the day in the zone that the file names is after that of UTC, -1...1; nil: the file names no
      /// zone.
      package let zoneDay: Int8?

      init(days: Int, secondOfDay: Int, isEnd: Bool, zoneDay: Int?) {
        // Clamping changes nothing: the calendar has fewer days than `Int32` can count.
        (self.days, self.secondOfDay) = (Int32(clamping: days), Int32(clamping: secondOfDay))
        (self.isEnd, self.zoneDay) = (isEnd, zoneDay.map { Int8(clamping: $0) })
      }

      /// The day that contains a moment in the zone that the file names; nil: it names none.
      func zoneDay(of moment: Instant) -> LocalDay? {
        zoneDay.map { CivilCalendar(.utc).day(of: moment).advanced(by: Int($0)) }
      }
    }

    package init(_ point: Point, hasTime: Bool) {
      self.point = point
      self.hasTime = hasTime
    }
  }

  /// The calendar of an item's local times.
  package enum Frame: Sendable, Equatable {
    /// The file's zone; the cache's if the file names none.
    case file
    /// The cache's zone, in which whole days count: 24 November is the same day everywhere.
    case cache
    /// The zone that the item names.
    case zone(TimeZoneRules)
  }

  package enum End: Sendable, Equatable {
    case time(Time)
    /// Days on the wall clock, then exact seconds.
    case lasts(days: Int, seconds: Int)
    /// The earliest later start in the file, in exact time. ``DefinedItems`` finds it, because it knows the cache's
    /// zone.
    case next
    /// The file gives no end: the item ends with the day of a start without time, otherwise at its start.
    case unstated
  }

  package var id: String?
  /// In the order of ``ItemRules/fields``.
  package var values: [ItemValue] = []
  package var key: String?
  // Four bytes each, because there are many items. A file has fewer than 2^31 values.
  package var index: Int32 = 0
  package var siblingCount: Int32 = 0
  /// Nil for an item without times.
  package var start: Time?
  package var end = End.unstated
  /// The calendar of the start, of the rule, and of an end that is local.
  package var frame = Frame.file
  /// How the item repeats; nil if it does not. Items whose rules have the same text share one object, because a rule is
  /// as large as the rest of an item.
  package var repetition: Repetition?
  /// Days or moments to leave out.
  package var except: [Time] = []

  package final class Repetition: Sendable {
    package let rule: RecurrenceRule

    /// The rules of an item. If it starts on a 29 February that alone gives the rule's day, and the rule has no SKIP, it
    /// is on the 28th in the years without a 29th.
    func rules(from start: WallTime, isAllDay: Bool) -> [RecurrenceRule] {
      let isFromLeapDay = start.day.isLeapDay && rule.isYearlyByStart && rule.skip == nil
      var rule = isAllDay ? rule.ofDays : rule
      if isFromLeapDay { rule.skip = .backward }
      return [rule]
    }

    package init(_ rule: RecurrenceRule) { self.rule = rule }
  }

  package var rule: RecurrenceRule? {
    get { repetition?.rule }
    set { repetition = newValue.map { Repetition($0) } }
  }

  package var repeats: Bool { repetition != nil }

  /// Whether the item is in force for whole days: its start has no time of day.
  package var isAllDay: Bool { start.map { !$0.hasTime } ?? false }
}

extension RecurrenceRule {
  /// Whether it repeats every so many years on the day of a start in February.
  fileprivate var isYearlyByStart: Bool {
    frequency == .yearly && (months.isEmpty || months == NumberSet(only: 2)) && monthDays.isEmpty && yearDays.isEmpty
      && weekNumbers.isEmpty && weekdays.isEmpty && weekdayOrdinals.isEmpty
  }
}

/// The calendars of the times in one session file.
struct ItemCalendars {
  let cache: CivilCalendar
  /// That of the file's zone; the cache's if the file names none.
  let file: CivilCalendar

  init(of session: DefinedSession, cache: CivilCalendar) {
    self.cache = cache
    file = session.zone.map { CivilCalendar($0) } ?? cache
  }

  func of(_ item: DefinedItem) -> CivilCalendar {
    switch item.frame {
    case .file: file
    case .cache: cache
    case .zone(let rules): CivilCalendar(rules)
    }
  }
}

/// What a definition reads from one session file.
package struct DefinedSession: Sendable {
  /// When the file was written, according to its content.
  package var updated: DefinedItem.Time?
  /// The zone of the file's local times; nil for the cache's zone.
  package var zone: TimeZoneRules?
  /// In the file's order.
  package var items: [DefinedItem] = []
  /// Ids whose last item in the file was dropped by the definition's `where`. Items with such an id do not count,
  /// neither in this file nor in a file with an earlier date.
  package var droppedIDs: Set<RecordID> = []
  /// Whether ``FeedDefinition/settled(_:in:)`` has times to resolve in the cache's zone.
  package var isOpen = false
}
