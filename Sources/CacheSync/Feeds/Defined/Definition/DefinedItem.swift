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
    /// The day of a start without time, else the start.
    case unstated
  }

  package var id: String?
  /// In the order of ``ItemRules/fields``.
  package var values: [ItemValue] = []
  package var key: String?
  package var index = 0
  package var siblingCount = 0
  /// Nil: an item without times.
  package var start: Time?
  package var end = End.unstated
  package var rule: RecurrenceRule?
  /// Days or moments that are left out.
  package var except: [Time] = []

  package init() {}
}

/// What a definition reads from one session file.
package struct DefinedSession: Sendable, Equatable {
  /// When the file was written, by its own words.
  package var updated: Time?
  /// The zone of its local times; nil: the cache's.
  package var zone: TimeZoneRules?
  package var items: [DefinedItem] = []

  package typealias Time = DefinedItem.Time

  package init() {}
}
