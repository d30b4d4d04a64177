/// The day that a moment means where a file should give a day.
///
/// Programs write a day as a midnight: that of UTC for all the world, or that of their own zone in UTC. The first of
/// these rules that applies counts:
///
/// 1. The moment is a midnight as it is written, by its own offset: the written day.
/// 2. It is a midnight in the zone that the file names for it: that zone's day.
/// 3. It is a midnight in the cache's zone: that day.
/// 4. The day that contains it, in the first of these zones.
///
/// A midnight is 00:00, the first moment of a day that has none, and 23:59 with any seconds, which is the end of its own
/// day. A date without offset is not a moment: it is the written day, in every zone.
package struct MeantDay: Equatable, Sendable {
  /// Which part of the day the moment is.
  package enum Part: Equatable, Sendable {
    /// Its midnight.
    case begin
    /// Not a midnight.
    case within
    /// 23:59.
    case end
  }

  package var day: LocalDay
  package var part: Part

  package init(_ day: LocalDay, _ part: Part) {
    self.day = day
    self.part = part
  }

  /// The last day of something that ends with this moment. A midnight is exclusive.
  package var last: LocalDay { part == .begin ? day.advanced(by: -1) : day }
}

extension MeantDay {
  /// - Parameters:
  ///   - wall: the moment as it is written, by its own offset; a number by UTC.
  ///   - zone: the calendar of the zone that the file names, if it names one.
  ///   - cache: that of the cache's zone.
  package init(_ moment: Instant, writtenAs wall: WallTime, in zone: CivilCalendar?, cache: CivilCalendar) {
    self =
      MeantDay(moment, writtenAs: wall, in: zone)
      ?? MeantDay(moment, in: cache, otherwise: zone?.day(of: moment))
  }

  /// By the rules 1 and 2, which do not need the cache's zone; nil if neither applies.
  package init?(_ moment: Instant, writtenAs wall: WallTime, in zone: CivilCalendar?) {
    guard let meant = MeantDay(midnight: wall) ?? zone.flatMap({ MeantDay(midnight: moment, in: $0) }) else {
      return nil
    }
    self = meant
  }

  /// By the rules 3 and 4, for a moment to which the others do not apply.
  ///
  /// - Parameter day: the day that contains the moment in the zone that the file names, if it names one.
  package init(_ moment: Instant, in cache: CivilCalendar, otherwise day: LocalDay?) {
    self = MeantDay(midnight: moment, in: cache) ?? MeantDay(day ?? cache.day(of: moment), .within)
  }

  /// A time of a day as it is written, whatever its zone. Also that of a date without offset.
  package init(written wall: WallTime) {
    self = MeantDay(midnight: wall) ?? MeantDay(wall.day, .within)
  }

  private init?(midnight wall: WallTime) {
    switch wall.secondOfDay {
    case 0: self.init(wall.day, .begin)
    case (Int(Gregorian.secondsPerDay) - 60)...: self.init(wall.day, .end)
    default: return nil
    }
  }

  private init?(midnight moment: Instant, in calendar: CivilCalendar) {
    let (day, second) = calendar.wallTime(of: moment)
    if let midnight = MeantDay(midnight: WallTime(day, secondOfDay: second)) {
      self = midnight
    } else if calendar.start(of: day).seconds == moment.clamped.seconds {
      self.init(day, .begin)
    } else {
      return nil
    }
  }
}

/// A day as a file gives it: `YYYY-MM-DD`, a date without offset, or a moment, which means a day by ``MeantDay``.
package enum WrittenDay: Sendable, Hashable {
  case day(LocalDay)
  /// It is not a midnight as it is written.
  case moment(Instant)

  /// Reads the text of a day; nil for anything else.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var end = 0
    if let day = LocalDay(iso: bytes) {
      self = .day(day)
    } else if let wall = WallTime(isoPrefix: bytes, end: &end) {
      guard end < bytes.count else {
        self = .day(wall.day)
        return
      }
      guard let moment = Instant(rfc3339: bytes) else { return nil }
      self.init(moment, writtenAs: wall)
    } else {
      return nil
    }
  }

  package init(_ moment: Instant, writtenAs wall: WallTime) {
    self = MeantDay(moment, writtenAs: wall, in: nil).map { .day($0.day) } ?? .moment(moment)
  }

  /// - Parameter cache: the calendar of the cache's zone.
  package func day(in cache: CivilCalendar) -> LocalDay {
    switch self {
    case .day(let day): day
    case .moment(let moment): MeantDay(moment, in: cache, otherwise: nil).day
    }
  }
}

extension WrittenDay: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self), let day = text.withUTF8Bytes({ WrittenDay($0) }) {
      self = day
    } else {
      let moment = try container.decode(Instant.self)
      self.init(moment, writtenAs: CivilCalendar(.utc).wall(at: moment))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .day(let day): try container.encode(day)
    case .moment(let moment): try container.encode(moment)
    }
  }
}
