extension RecurrenceRule {
  /// The wall times that the rule gives from a start, ascending, each once. The start is among them only if the rule
  /// gives it.
  ///
  /// A UNTIL that is a day or a wall time ends the occurrences. One that is a moment does not; see ``End``.
  ///
  /// - Parameters:
  ///   - start: DTSTART. It provides what the rule omits.
  ///   - notBefore: Earlier occurrences are left out, though they count for COUNT. They cost almost nothing if the rule
  ///     has no COUNT, or the same number of occurrences in each period.
  ///   - notAfter: Later occurrences are left out, and not searched.
  ///   - mostSteps: The search stops after that many steps, and after ``Occurrences/maximumSteps``.
  package func occurrences(
    from start: WallTime, notBefore: WallTime? = nil, notAfter: WallTime? = nil, mostSteps: Int = .max
  ) -> Occurrences {
    var occurrences = Occurrences(of: self, from: start, notBefore: notBefore, notAfter: notAfter)
    occurrences.mostSteps = min(mostSteps, Occurrences.maximumSteps)
    return occurrences
  }

  /// The rule with its last occurrence as its end instead of COUNT, so that later searches need not count all
  /// occurrences from the start. The rule does not change if counting them takes long.
  package func withCountedEnd(from start: WallTime) -> RecurrenceRule {
    var steps = Int.max
    return withCountedEnd(from: start, steps: &steps)
  }

  /// - Parameter steps: how many steps the counting may take; reduced by the steps taken.
  package func withCountedEnd(from start: WallTime, steps: inout Int) -> RecurrenceRule {
    guard case .count = end else { return self }
    var occurrences = occurrences(
      from: start, mostSteps: min(steps, Occurrences.maximumStepsToCount(frequency)))
    guard !occurrences.isEven else { return self }
    var last: WallTime?
    while let wall = occurrences.next() { last = wall }
    steps -= occurrences.steps
    guard let last, !occurrences.isExhausted else { return self }
    var rule = self
    rule.end = .untilWall(last)
    return rule
  }

  /// The occurrences of a rule from a start; see ``RecurrenceRule/occurrences(from:notBefore:notAfter:)``.
  ///
  /// It steps from period to period. A period has days, hours, minutes and seconds, and each combination is a
  /// candidate. Candidates are numbered in order, so BYSETPOS and skipping are arithmetic, and none is stored.
  package struct Occurrences: Sequence, IteratorProtocol, Sendable {
    /// The search for the next occurrence stops after that many steps.
    package static let maximumSteps = 100_000
    /// Counting all occurrences of a rule stops after that many steps, which take 0.2 ms: enough for 100 years of
    /// months. A file may have 10,000 rules, each of which is counted when it is read. A step within a day takes
    /// longer.
    fileprivate static func maximumStepsToCount(_ frequency: Frequency) -> Int { frequency < .daily ? 2_000 : 40_000 }

    /// The work so far: occurrences returned, and days, shorter periods and set positions visited.
    package private(set) var steps = 0
    /// Whether ``mostSteps`` ended the occurrences.
    package private(set) var isExhausted = false
    fileprivate var mostSteps = maximumSteps

    private let frequency: Frequency
    private let isOfDays: Bool
    private let interval: Int
    private let positions: [Int]
    private let accepted: DaysOfRule
    private let periods: RecurrencePeriods
    private let allowed: TimesOfDay
    /// Whether each period has the same number of occurrences, except the first, which the start may cut.
    fileprivate let isEven: Bool

    // Wall seconds; each is the first or last that counts.
    private let start: Int
    private let notBefore: Int
    private let last: Int

    private let firstPeriod: Int
    private let lastPeriod: Int
    private var period: Int
    /// How many more occurrences COUNT allows after this period.
    private var remaining: Int?

    // The period: its candidates, and those that are not returned yet.
    private var days: [Int] = []
    private var times: TimesOfDay
    private var chosen: [Int] = []
    private var pending = 0..<0
    /// The wall second from which this period's occurrences wait for the next period, because both may give that day;
    /// nil if no two do. And those that wait: days, or what BYSETPOS chose.
    private var shared: Int?
    private var carried: [Int] = []

    init(of rule: RecurrenceRule, from start: WallTime, notBefore: WallTime?, notAfter: WallTime?) {
      frequency = rule.frequency
      isOfDays = rule.isOfDays
      interval = Swift.min(Swift.max(rule.interval, 1), RecurrenceRule.greatestNumber)
      positions = rule.positions
      accepted = DaysOfRule(rule, start: start.day)
      periods = RecurrencePeriods(rule)
      allowed = TimesOfDay(rule, start: start.clampedSecondOfDay)
      times = allowed
      switch frequency {
      case .monthly, .yearly: isEven = false
      case .weekly: isEven = rule.months.isEmpty
      case .daily: isEven = accepted.acceptsEveryDay
      default: isEven = accepted.acceptsEveryDay && allowed.isWhole(by: frequency)
      }

      self.start = Int(start.seconds)
      self.notBefore = Swift.max(notBefore.map { Int($0.seconds) } ?? self.start, self.start)
      var last = Int(WallTime(seconds: .max).seconds)
      switch rule.end {
      case .never, .untilInstant: break
      case .count(let count): remaining = Swift.max(count, 0)
      case .untilDay(let day):
        last = Int(WallTime(day, secondOfDay: RecurrencePeriods.secondsPerDay - 1).seconds)
      case .untilWall(let wall): last = Int(wall.seconds)
      }
      self.last = Swift.min(last, notAfter.map { Int($0.seconds) } ?? last)

      firstPeriod = periods.number(holding: self.start)
      var end = Swift.max(self.last, self.start)
      // The first period of a day may begin at any hour.
      if isOfDays { end = Self.midnight(of: end) + RecurrencePeriods.secondsPerDay - 1 }
      // Dates may be moved to the day before their period.
      lastPeriod = periods.number(holding: end) + (accepted.skip == .backward ? interval : 0)
      period = firstPeriod
      skipToNotBefore()
    }

    /// The next occurrence; nil after the last, and after ``mostSteps``.
    package mutating func next() -> WallTime? {
      while pending.isEmpty {
        guard period <= lastPeriod, remaining != 0, start <= last, hasStepsLeft() else { return nil }
        loadPeriod()
      }
      let second = candidate(pending.lowerBound)
      guard second <= last, hasStepsLeft() else { return nil }
      steps += 1
      pending = (pending.lowerBound + 1)..<pending.upperBound
      return WallTime(seconds: Int64(second))
    }

    private mutating func hasStepsLeft() -> Bool {
      if steps >= mostSteps { isExhausted = true }
      return !isExhausted
    }

    /// Reads the candidates of this period and moves to the next.
    private mutating func loadPeriod() {
      days.removeAll(keepingCapacity: true)
      times = allowed
      let isFirst = period == firstPeriod
      if frequency < .daily {
        steps += 1
        let later = loadShortPeriod().map { periodOfSeries(from: periods.number(holding: $0)) }
        period = Swift.max(later ?? period, period + interval)
        if days.isEmpty { return }
      } else {
        steps += Swift.max(1, periods.appendDays(of: period, accepted: accepted, to: &days))
        period += interval
        if accepted.skip != .omit { shareDay() }
      }
      let count = choosePositions(amongCandidates: days.count * times.count)
      let first = isFirst || shared != nil ? index(notBefore: start, in: 0..<count) : 0
      let end = Swift.min(count, first + (remaining ?? count))
      if let remaining { self.remaining = remaining - (end - first) }
      pending = index(notBefore: notBefore, in: first..<end)..<end
    }

    /// Reads a period of an hour or less. If the rule does not accept it, or gives its whole day, returns the wall second
    /// before which it accepts no other.
    private mutating func loadShortPeriod() -> Int? {
      let second = periods.firstSecond(of: period)
      let day = Gregorian.floorDivide(second, RecurrencePeriods.secondsPerDay)
      let midnight = day * RecurrencePeriods.secondsPerDay
      let isAccepted = accepted.accepts(ordinal: day)
      if isAccepted, isOfDays { days.append(day) }
      guard isAccepted, !isOfDays else { return midnight + RecurrencePeriods.secondsPerDay }
      if let later = times.narrow(to: second - midnight, of: frequency) { return midnight + later }
      days.append(day)
      return nil
    }

    /// Reads which candidates BYSETPOS chooses, and returns the number of candidates that count.
    private mutating func choosePositions(amongCandidates count: Int) -> Int {
      guard !positions.isEmpty else { return count }
      steps += positions.count
      chosen = positions.map { $0 > 0 ? $0 - 1 : count + $0 }.filter { (0..<count).contains($0) }.map(second)
      // Positions from the beginning and from the end may coincide.
      chosen = Self.merge(&carried, with: chosen, keepingFrom: shared)
      return chosen.count
    }

    /// Prepares the day that this period and the next may both give, because dates are moved to it.
    private mutating func shareDay() {
      guard interval == 1 else { return }
      let next = periods.firstSecond(ofMonths: period)
      shared = accepted.skip == .backward ? next - RecurrencePeriods.secondsPerDay : next
      // BYSETPOS chooses among the days of each period.
      guard positions.isEmpty else { return }
      days = Self.merge(&carried, with: days, keepingFrom: shared.map { $0 / RecurrencePeriods.secondsPerDay })
    }

    /// Ascending, each once, those that waited and those of a period, except those from a bound on: they wait.
    private static func merge(_ waiting: inout [Int], with found: [Int], keepingFrom bound: Int?) -> [Int] {
      guard let bound else { return found.count > 1 ? Set(found).sorted() : found }
      let all = Set(waiting + found).sorted()
      let end = all.partitioningIndex { $0 >= bound }
      waiting = Array(all[end...])
      return Array(all[..<end])
    }

    /// The wall second of an occurrence of this period.
    private func candidate(_ index: Int) -> Int { positions.isEmpty ? second(at: index) : chosen[index] }

    /// The wall second of one among all times of this period's days.
    private func second(at place: Int) -> Int {
      let (day, time) = place.quotientAndRemainder(dividingBy: times.count)
      return days[day] * RecurrencePeriods.secondsPerDay + times.secondOfDay(at: time)
    }

    /// The first of these candidates that is not before a wall second.
    private func index(notBefore second: Int, in range: Range<Int>) -> Int {
      guard let first = range.first, candidate(first) < second else { return range.lowerBound }
      var (low, high) = (range.lowerBound, range.upperBound)
      while low < high {
        let middle = (low + high) / 2
        if candidate(middle) < second { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// Skips whole periods before `notBefore`. With COUNT this needs periods with the same number of occurrences;
    /// otherwise they must be counted one by one.
    private mutating func skipToNotBefore() {
      var target = periodOfSeries(from: periods.number(holding: isOfDays ? Self.midnight(of: notBefore) : notBefore))
      // Its dates may be moved to the next one.
      if accepted.skip != .omit { target -= interval }
      guard target > firstPeriod else { return }
      guard remaining != nil else {
        period = target
        return
      }
      guard isEven else { return }
      // The start may cut off a part of the first period.
      loadPeriod()
      let count = positions.isEmpty ? days.count * times.count : chosen.count
      if let remaining { self.remaining = Swift.max(0, remaining - (target - period) / interval * count) }
      period = target
    }

    /// The wall second with which the day of another begins.
    private static func midnight(of second: Int) -> Int {
      second - Gregorian.floorRemainder(second, RecurrencePeriods.secondsPerDay)
    }

    /// The first period of the series that is not before another.
    private func periodOfSeries(from other: Int) -> Int {
      guard other > firstPeriod else { return firstPeriod }
      return firstPeriod + (other - firstPeriod + interval - 1) / interval * interval
    }
  }
}
