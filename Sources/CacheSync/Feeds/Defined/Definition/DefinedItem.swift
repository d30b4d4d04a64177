/// One item of a session file, read by a definition.
package struct DefinedItem: Sendable, Equatable {
  /// When something is, as the file says it.
  package struct Time: Sendable, Equatable {
    package enum Point: Sendable, Equatable {
      case instant(Instant)
      /// What the wall shows in the file's zone, or in the cache's when the file names none.
      case wall(WallTime)
    }

    package var point: Point
    /// Whether a time of day was written; if not, the point is a day's midnight.
    package var hasTime: Bool
    /// Only until ``FeedDefinition/settled(_:in:)``: the point is a moment that stands for the local day that holds it.
    package var shift: Shift?

    /// So many dates after a day, at a time of day.
    package struct Shift: Sendable, Equatable {
      private let dayCount: Int32
      private let second: Int32

      package var days: Int { Int(dayCount) }
      package var secondOfDay: Int { Int(second) }

      package init(days: Int, secondOfDay: Int) {
        // More than all days of the calendar is as good as that many.
        dayCount = Int32(clamping: days)
        second = Int32(clamping: secondOfDay)
      }
    }

    package init(_ point: Point, hasTime: Bool) {
      self.point = point
      self.hasTime = hasTime
    }
  }

  /// How an item ends.
  package enum End: Sendable, Equatable {
    case time(Time)
    /// Days on the wall clock, then exact seconds.
    case lasts(days: Int, seconds: Int)
    /// The least later start in the file, in exact time. ``DefinedItems`` finds it, because it knows the cache's zone.
    case next
    /// The day of a start without time, else the start.
    case unstated
  }

  package var id: String? {
    get { exactID?.wrappedValue }
    set { exactID = newValue.map { ExactText($0) } }
  }
  private var exactID: ExactText?
  /// In the order of ``ItemRules/fields``.
  package var values: [ItemValue] = []
  package var key: String? {
    get { exactKey?.wrappedValue }
    set { exactKey = newValue.map { ExactText($0) } }
  }
  private var exactKey: ExactText?
  package var index = 0
  package var siblingCount = 0
  /// Nil: an item without times.
  package var start: Time?
  package var end = End.unstated
  /// How it repeats; nil: it does not. Items whose rules have the same text share one, because a rule is as large as all the
  /// rest of an item.
  package var repetition: Repetition?
  /// Days or moments that are left out.
  package var except: [Time] = []

  package init() {}

  package final class Repetition: Sendable, Equatable {
    /// The rule alone, in a list as a series has it.
    package let rules: [RecurrenceRule]

    package var rule: RecurrenceRule { rules[0] }

    package init(_ rule: RecurrenceRule) { rules = [rule] }

    package static func == (a: Repetition, b: Repetition) -> Bool { a === b || a.rule == b.rule }
  }

  package var rule: RecurrenceRule? {
    get { repetition?.rule }
    set { repetition = newValue.map { Repetition($0) } }
  }

  package var repeats: Bool { repetition != nil }
}

/// What a definition reads from one session file.
package struct DefinedSession: Sendable, Equatable {
  /// When the file was written, by its own words.
  package var updated: Time?
  /// The zone of its local times; nil: the cache's.
  package var zone: TimeZoneRules?
  /// In the file's order.
  package var items: [DefinedItem] = []
  /// Ids whose last item in the file was dropped by the definition's `where`. No item with such an id counts, here or in a file
  /// with a smaller date.
  package var droppedIDs: Set<RecordID> = []
  /// Whether ``FeedDefinition/settled(_:in:)`` has something to settle in the cache's zone.
  package var isOpen = false

  package typealias Time = DefinedItem.Time

  package init() {}
}
