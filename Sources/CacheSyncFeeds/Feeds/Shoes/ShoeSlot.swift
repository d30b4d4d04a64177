/// The part of a day for which the agent suggests shoes (feeds.md: smart-suggestions).
enum ShoeSlot: String, Sendable {
  case morning, midday, evening

  /// Local hours at which the slot changes.
  static let hours = [7, 12, 18]
}

/// A slot on a kind of day: habits of one weekend morning apply to the next one too.
struct ShoeOccasion: Equatable, Sendable {
  var slot: ShoeSlot
  var isWeekend: Bool

  /// How often a shoe was worn on such occasions.
  var wornOn: Phrase {
    switch slot {
    case .morning: isWeekend ? .wornOnWeekendMornings : .wornOnWeekdayMornings
    case .midday: isWeekend ? .wornOnWeekendMiddays : .wornOnWeekdayMiddays
    case .evening: isWeekend ? .wornOnWeekendEvenings : .wornOnWeekdayEvenings
    }
  }
}

/// The parts of a local day between its midnights and the hours at which the slot changes.
enum ShoePart: UInt8, Sendable {
  /// Before 07:00: the previous day's evening continues.
  case night
  case morning, midday, evening

  init(of moment: Instant, on day: LocalDay, in calendar: CivilCalendar) {
    // Not by the wall clock: a skipped or repeated hour counts as it does for boundaries.
    let passed = ShoeSlot.hours.count { calendar.firstInstant(of: day, hour: $0) <= moment }
    self = [.night, .morning, .midday, .evening][passed]
  }

  func occasion(on day: LocalDay, in calendar: CivilCalendar) -> ShoeOccasion {
    switch self {
    case .night: ShoeOccasion(slot: .evening, isWeekend: calendar.day(before: day).weekday.isWeekend)
    case .morning: ShoeOccasion(slot: .morning, isWeekend: day.weekday.isWeekend)
    case .midday: ShoeOccasion(slot: .midday, isWeekend: day.weekday.isWeekend)
    case .evening: ShoeOccasion(slot: .evening, isWeekend: day.weekday.isWeekend)
    }
  }
}
