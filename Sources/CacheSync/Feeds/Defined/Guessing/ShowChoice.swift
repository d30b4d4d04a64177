/// Which items a guessed kind shows, chosen so that the sample shows something now.
struct ShowChoice {
  enum Order { case byStart, newestFirst }

  var show: DefinedKind.Show
  var within = 7
  var order = Order.byStart
  /// Whether rows are apart by days rather than by times: a countdown.
  var isCountdown = false
  /// For a person.
  var reason: String

  /// For items without times, and for times that could not be tried.
  static let all = ShowChoice(show: .all, reason: "all of them, because they have no times")

  static let withins = [7, 14, 31, 92, 183, 366]

  /// - Parameters:
  ///   - items: when each item of the sample is in force; nil for an item without times.
  ///   - isValue: whether one value is shown, not a list.
  static func of(
    _ times: GuessedTimes, _ items: [Range<Instant>], titles: [String?], isValue: Bool, at moment: Moment
  ) -> ShowChoice {
    let now = moment.instant
    let calendar = moment.calendar
    let tomorrow = calendar.interval(of: calendar.day(of: now)).upperBound
    if times.repeats != nil { return repeating(times, items, at: moment) }
    let starts = items.map(\.lowerBound)
    let coming = items.filter { $0.upperBound > now }
    if isValue {
      if items.contains(where: { $0.contains(now) }) {
        return ShowChoice(show: DefinedKind.Show.now, reason: "the value in force now")
      }
      if coming.isEmpty, !items.isEmpty {
        return ShowChoice(
          show: .all, order: .newestFirst,
          reason: "all, the newest first, because every time in the sample is past; for a forecast use now")
      }
      if var next = choice(coming, at: moment, isDay: false) {
        next.reason = "the next value, because none is in force now; for the one in force use now"
        return next
      }
      return ShowChoice(show: .all, reason: "all of them, because none is in force now")
    }
    // Departures are due too, but people do not wait for those of the past.
    if times.isDue, starts.contains(where: { $0 < (times.hasTime ? now : tomorrow) }) {
      return ShowChoice(show: .due, reason: "what is due today or earlier, because of the name")
    }
    let isOfThePast = times.rank == .past || coming.count * 4 < items.count && !times.isDue
    if isOfThePast, times.rank == .past, starts.contains(where: { $0 < tomorrow }) {
      return ShowChoice(
        show: .due, order: .newestFirst,
        reason: "everything up to today, the newest first, because the name of the time is about the past")
    }
    if !times.hasTime, times.end != nil, items.contains(where: { $0.contains(now) }) {
      return ShowChoice(show: .today, reason: "what is in force today, because items last for days")
    }
    let isCountdown = !times.hasTime && isEachOnce(coming, titles, calendar)
    if let choice = choice(coming, at: moment, isDay: !times.hasTime && !isCountdown, isCountdown: isCountdown) {
      return choice
    }
    if coming.isEmpty {
      return ShowChoice(
        show: .all, order: .newestFirst,
        reason: "all, the newest first, because every time in the sample is past; for future items use coming")
    }
    return ShowChoice(show: .all, reason: "all of them, because the next is more than a year away")
  }

  /// What comes within the fewest days.
  private static func choice(
    _ coming: [Range<Instant>], at moment: Moment, isDay: Bool, isCountdown: Bool = false
  ) -> ShowChoice? {
    func last(_ within: Int) -> Instant { moment.calendar.sameWallTime(as: moment.instant, addingDays: within) }
    if isDay, coming.contains(where: { $0.lowerBound <= last(14) }) {
      return ShowChoice(show: .nextDay, within: 14, reason: "those of the next day that has any, within 14 days")
    }
    let withins = withins
    let fits =
      isCountdown
      ? withins.first { within in coming.allSatisfy { $0.lowerBound <= last(within) } } ?? withins.last
      : withins.first { within in coming.contains { $0.lowerBound <= last(within) } }
    guard let within = fits, coming.contains(where: { $0.lowerBound <= last(within) }) else { return nil }
    if isDay {
      return ShowChoice(
        show: .nextDay, within: within, reason: "those of the next day that has any, within \(within) days")
    }
    return ShowChoice(
      show: .coming, within: within, isCountdown: isCountdown, reason: "what is on or starts within \(within) days")
  }

  /// Whether every item has a day and a name of its own, as in a list of birthdays, and the days are far apart.
  private static func isEachOnce(_ coming: [Range<Instant>], _ titles: [String?], _ calendar: CivilCalendar) -> Bool {
    let names = titles.compactMap(\.self).map { ExactText($0) }
    guard names.count == titles.count, Set(names).count == names.count,
      let first = coming.map(\.lowerBound).min(), let last = coming.map(\.lowerBound).max()
    else { return false }
    let days = Set(coming.map { calendar.day(of: $0.lowerBound) })
    return days.count == coming.count && calendar.day(of: first).distance(to: calendar.day(of: last)) > 31
  }

  private static func repeating(_ times: GuessedTimes, _ items: [Range<Instant>], at moment: Moment) -> ShowChoice {
    switch times.repeats {
    case "FREQ=YEARLY"?:
      return ShowChoice(show: .coming, within: 366, isCountdown: true, reason: "what comes within 366 days")
    case "FREQ=DAILY"?:
      return ShowChoice(show: .coming, within: 1, reason: "what comes within a day, because it repeats every day")
    default:
      let today = moment.calendar.day(of: moment.instant).weekday
      let words = times.weekday?.words.compactMap { WeekdayWords.rule(of: $0) } ?? []
      if words.contains(String(today.name.prefix(2)).uppercased()) {
        return ShowChoice(show: .today, reason: "today's")
      }
      return ShowChoice(
        show: .nextDay,
        reason: "those of the next day that has any, because today has none; for today's alone use today")
    }
  }
}
