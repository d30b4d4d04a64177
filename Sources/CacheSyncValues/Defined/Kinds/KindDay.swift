/// What a kind may show on one local day: the candidates that satisfy its `where`, in its order. Which of them it shows
/// depends on the moment.
final class KindDay {
  let day: LocalDay
  let interval: Range<Instant>
  let calendar: CivilCalendar
  let firstWeekday: Weekday
  /// The range in which `all` and `due` take occurrences: from six days before this day to the end of reach.
  private let seriesWindow: Range<Instant>
  let candidates: [Candidate]
  /// The items left out because of a limit, with the reason.
  let leftOut: [DefinedProblem]
  /// What is chosen at all moments of the day.
  private var chosenAllDay: [ValueRule.Choice: [Candidate]] = [:]
  /// Values that are the same at all moments of the day, by the index of the rule in the kind.
  private var valuesAllDay: [Int: ItemValue] = [:]

  init(
    _ kind: DefinedKind, _ day: LocalDay, _ lookup: ItemLookup, _ occurrences: DayOccurrences,
    in calendar: CivilCalendar, firstWeekday: Weekday
  ) {
    self.day = day
    self.calendar = calendar
    self.firstWeekday = firstWeekday
    interval = calendar.interval(of: day)
    let window = Self.window(of: kind, on: day, in: calendar, firstWeekday)
    let takesAll = kind.shows.contains { $0 == .all || $0 == .due }
    seriesWindow = Self.seriesWindow(of: kind, on: day, in: calendar)

    var candidates: [Candidate] = []
    var leftOut: [DefinedProblem] = []
    for (index, item) in lookup.items.enumerated() {
      guard let start = item.start, let end = item.end else {
        if takesAll { candidates.append(Candidate(item: index, times: nil, repeats: false)) }
        continue
      }
      guard item.item.repeats else {
        if takesAll || window.overlaps(itemFrom: start, to: end) {
          candidates.append(Candidate(item: index, times: start..<end, repeats: false))
        }
        continue
      }
      switch occurrences.of(item, at: index, overlapping: window) {
      case .occurrences(let found):
        for times in found { candidates.append(Candidate(item: index, times: times, repeats: true)) }
      case .tooMany: leftOut.append(.tooManyOccurrences(of: item))
      case .tooLong: leftOut.append(.ruleWithoutEnd(of: item))
      case .tooMuchTogether: continue
      }
    }
    leftOut += occurrences.leftOut
    self.candidates = lookup.filter(candidates, kind.condition).sorted(by: kind.order, lookup)
    self.leftOut = leftOut
  }

  /// The range of time that an item must overlap, so that any of the kind's shows may choose it on a day.
  static func window(
    of kind: DefinedKind, on day: LocalDay, in calendar: CivilCalendar, _ firstWeekday: Weekday
  ) -> Range<Instant> {
    let today = calendar.interval(of: day)
    let periods = kind.periods.map { calendar.interval(of: $0, around: day, firstWeekday) }
    let shows = kind.shows.map { show in
      switch show {
      case .today, .now: return today
      case .all, .due: return seriesWindow(of: kind, on: day, in: calendar)
      case .next, .coming, .nextDay:
        // A skipped wall time counts at the first moment after it, which may be the first moment of the next day.
        let last = day.advanced(by: kind.within + 2)
        return today.lowerBound..<max(today.upperBound, calendar.start(of: last))
      }
    }
    return ([today] + periods + shows).hull
  }

  private static func seriesWindow(
    of kind: DefinedKind, on day: LocalDay, in calendar: CivilCalendar
  ) -> Range<Instant> {
    calendar.window(around: day, daysBefore: 6, daysFrom: kind.reach == .midnight ? 2 : 7)
  }

  /// The candidates that a show or a period chooses at a moment of the day, in the kind's order.
  func chosen(by choice: ValueRule.Choice, at moment: Instant, within: Int) -> [Candidate] {
    if let known = chosenAllDay[choice] { return known }
    let found: [Candidate]
    switch choice {
    case .show(let show): found = chosen(by: show, at: moment, within: within)
    case .period(let period):
      let interval = calendar.interval(of: period, around: day, firstWeekday)
      found = chosen { interval.contains($0.lowerBound) }
    }
    if choice.isSameAllDay { chosenAllDay[choice] = found }
    return found
  }

  /// The value of a kind's rule, computed from what its show or period chooses at a moment of the day.
  func value(
    of rule: ValueRule, at place: Int, in kind: DefinedKind, _ lookup: ItemLookup,
    chosen: (ValueRule.Choice) -> [Candidate]
  ) -> ItemValue {
    if let known = valuesAllDay[place] { return known }
    let choice = rule.of ?? .show(kind.show)
    let value = rule.value(of: chosen(choice), lookup)
    if choice.isSameAllDay { valuesAllDay[place] = value }
    return value
  }

  private func chosen(by show: DefinedKind.Show, at moment: Instant, within: Int) -> [Candidate] {
    let last = calendar.sameWallTime(as: moment, addingDays: within)
    switch show {
    case .all: return candidates.filter { isInReach($0) }
    case .today: return chosen { interval.overlaps(itemFrom: $0.lowerBound, to: $0.upperBound) }
    case .now: return chosen { $0.lowerBound <= moment && moment < $0.upperBound }
    case .next: return chosen { moment < $0.lowerBound && $0.lowerBound <= last }
    case .coming: return chosen { $0.upperBound > moment && $0.lowerBound <= last }
    case .due:
      return candidates.filter { isInReach($0) && $0.times.map { $0.lowerBound < interval.upperBound } ?? false }
    case .nextDay:
      let coming = chosen { $0.upperBound > moment && $0.lowerBound <= last }
      let days = coming.map { $0.times.map { max(day, calendar.day(of: $0.lowerBound)) } }
      let first = days.compactMap(\.self).min()
      return zip(coming, days).filter { $1 == first }.map(\.0)
    }
  }

  private func chosen(_ isChosen: (Range<Instant>) -> Bool) -> [Candidate] {
    candidates.filter { $0.times.map(isChosen) ?? false }
  }

  private func isInReach(_ candidate: Candidate) -> Bool {
    guard candidate.repeats, let times = candidate.times else { return true }
    return seriesWindow.overlaps(itemFrom: times.lowerBound, to: times.upperBound)
  }
}

extension [Range<Instant>] {
  /// From the first beginning to the last end of some ranges; there is at least one.
  var hull: Range<Instant> {
    reduce(self[0]) { Swift.min($0.lowerBound, $1.lowerBound)..<Swift.max($0.upperBound, $1.upperBound) }
  }
}

extension ValueRule.Choice {
  /// Whether it chooses the same items at all moments of a day.
  fileprivate var isSameAllDay: Bool {
    switch self {
    case .show(.all), .show(.today), .show(.due), .period: true
    case .show: false
    }
  }
}

extension DefinedKind {
  /// The kind's own `show`, and those of its values.
  var shows: [Show] {
    [show] + values.compactMap { if case .show(let show) = $0.of { show } else { nil } }
  }

  var periods: [ValueRule.Period] {
    values.compactMap { if case .period(let period) = $0.of { period } else { nil } }
  }
}

extension [Candidate] {
  /// Sorted by an order, then by start, end, path and place in the file. Items without times are last.
  fileprivate func sorted(by order: [DefinedKind.Order], _ lookup: ItemLookup) -> [Candidate] {
    // A repeated name decides nothing more.
    var names: Set<ExactText> = []
    let order = order.filter { names.insert(ExactText($0.name)).inserted }
    // Each candidate has a row with its ranks by the names of the order, so two candidates are compared by numbers
    // alone.
    let width = order.count
    var keys = [Int32](repeating: 0, count: count * width)
    for (column, order) in order.enumerated() {
      for (row, rank) in lookup.ranks(of: order.name, among: self).enumerated() {
        // Null comes last in both directions.
        keys[row * width + column] = order.isDescending && rank != .max ? -rank : rank
      }
    }
    return indices.sorted { a, b in
      for column in 0..<width {
        let (x, y) = (keys[a * width + column], keys[b * width + column])
        if x != y { return x < y }
      }
      let (x, y) = (self[a], self[b])
      guard let xTimes = x.times, let yTimes = y.times else {
        return (x.times == nil) == (y.times == nil) ? x.item < y.item : x.times != nil
      }
      if xTimes.lowerBound != yTimes.lowerBound { return xTimes.lowerBound < yTimes.lowerBound }
      return xTimes.upperBound == yTimes.upperBound ? x.item < y.item : xTimes.upperBound < yTimes.upperBound
    }.map { self[$0] }
  }
}

extension CivilCalendar {
  /// The day, week, month or year that a day is in.
  func interval(of period: ValueRule.Period, around day: LocalDay, _ firstWeekday: Weekday) -> Range<Instant> {
    let first: LocalDay
    let next: LocalDay
    switch period {
    case .day: return interval(of: day)
    case .week:
      first = day.advanced(by: -((day.weekday.rawValue - firstWeekday.rawValue + 7) % 7))
      next = first.advanced(by: 7)
    case .month:
      first = day.advanced(by: 1 - day.day)
      // 28 to 31 days later.
      let late = first.advanced(by: 31)
      next = late.month == first.month ? late : late.advanced(by: 1 - late.day)
    case .year:
      first = LocalDay(year: day.year, month: 1, day: 1) ?? day
      next = LocalDay(year: day.year + 1, month: 1, day: 1) ?? .last
    }
    let end = start(of: next)
    return min(start(of: first), end)..<end
  }

  /// From that many existing days before a day to the end of that many days counted from it.
  fileprivate func window(around day: LocalDay, daysBefore: Int, daysFrom: Int) -> Range<Instant> {
    var (first, last) = (day, day)
    for _ in 0..<daysBefore { first = self.day(before: first) }
    for _ in 1..<daysFrom { last = self.day(after: last) }
    let end = interval(of: last).upperBound
    return min(start(of: first), end)..<end
  }
}
