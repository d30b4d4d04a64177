import CacheSyncSystem

/// What readers get from the items of a defined feed: a pure function of the definition, the items, the marks and a
/// moment.
///
/// It is valid as long as the items do not change. It keeps its results for the last day of each kind, because
/// consecutive entries mostly have the same day.
package final class DefinedProjection {
  /// How many bytes a content may have (definitions.md section 5).
  package static let maximumContent = 262_144

  private let definition: FeedDefinition
  private let lookup: ItemLookup
  private var lastDays: [KindName: KindDay] = [:]
  /// The day for which a kind's items were sorted last.
  private var ordered: [KindName: LocalDay] = [:]
  /// The occurrences in the days that a day index and a timeline look at, if they reach no bound.
  private var stretch: DayOccurrences?
  /// Whether they reached a bound.
  private var isTooMuchTogether = false
  /// Used instead if they reached a bound: the occurrences by the day from which they were looked at. All kinds share
  /// them.
  private var occurrences: [LocalDay: DayOccurrences] = [:]
  /// How many items were looked at for contents so far. An item counts for each value, for the conditions of each
  /// value, and for each comparison that sorts it.
  package private(set) var work = 0

  /// As many days as the day index and a timeline look at together, and one more.
  private static let keptDays = 15
  /// Results of fewer steps take under a millisecond and are not kept: with many small caches, memory is worth more.
  private static let cheapSteps = 10_000
  /// How often an item is compared when thousands are sorted.
  private static let comparisonsToOrder = 12

  package init(definition: FeedDefinition, items: DefinedItems, marks: MarksInForce) {
    self.definition = definition
    lookup = ItemLookup(definition, items.counting, marks)
  }

  /// Writes a kind's content.
  ///
  /// - Returns: whether items or texts were left out, because the content would have more than ``maximumContent``
  ///   bytes.
  @discardableResult
  package func write(_ kind: DefinedKind, at moment: Moment, to json: inout JSONWriter) -> Bool {
    content(kind, at: moment).write(to: &json)
  }

  private func content(_ kind: DefinedKind, at moment: Moment) -> DefinedContent {
    let kindDay = kindDay(kind, moment.day, moment.calendar, moment.firstWeekday)
    if ordered[kind.name] != kindDay.day {
      ordered[kind.name] = kindDay.day
      work += kindDay.candidates.count * kind.order.count * Self.comparisonsToOrder
    }
    let content = DefinedContent(
      kind, kindDay, at: moment.instant, lookup, words: definition.words, locale: moment.locale)
    work += content.work
    return content
  }

  /// How many items, or occurrences of what repeats, overlap a day.
  package func overlapCount(day: LocalDay, calendar: CivilCalendar) -> Int {
    let interval = calendar.interval(of: day)
    let occurrences = occurrences(from: day, calendar)
    return lookup.items.indices.reduce(0) { count, index in
      guard case .occurrences(let found) = occurrences.of(lookup.items[index], at: index, overlapping: interval) else {
        return count
      }
      return count + found.count
    }
  }

  /// The problems at a moment, each once, sorted by path and message.
  package func problems(at moment: Moment) -> [DefinedProblem] {
    var problems: Set<DefinedProblem> = []
    for kind in definition.kinds {
      problems.formUnion(kindDay(kind, moment.day, moment.calendar, moment.firstWeekday).leftOut)
      var json = JSONWriter()
      let content = content(kind, at: moment)
      if content.write(to: &json) { problems.insert(.contentCut(kind.name)) }
      if let problem = content.typeProblem { problems.insert(problem) }
    }
    for (_, items) in Dictionary(grouping: lookup.items.filter(\.hasEarlyEnd), by: \.path) {
      problems.insert(.earlyEnds(items.count, from: items[0]))
    }
    return problems.sorted {
      let (a, b) = ($0.path ?? .root, $1.path ?? .root)
      return a == b ? isOrdered($0.message, before: $1.message) : a < b
    }
  }

  /// The next moment at which ``problems(at:)`` may change by time alone.
  package func nextProblemChange(after moment: Moment) -> Instant {
    let (instant, midnight) = (moment.instant, moment.calendar.interval(of: moment.day).upperBound)
    let dates = definition.kinds.flatMap {
      boundaries(
        of: $0, in: instant..<max(instant, midnight), calendar: moment.calendar, firstWeekday: moment.firstWeekday)
    }
    return dates.map(\.date).filter { $0 > instant }.min() ?? midnight
  }

  func kindDay(
    _ kind: DefinedKind, _ day: LocalDay, _ calendar: CivilCalendar, _ firstWeekday: Weekday
  ) -> KindDay {
    if let last = lastDays[kind.name], last.day == day, last.calendar == calendar, last.firstWeekday == firstWeekday {
      return last
    }
    let new = KindDay(
      kind, day, lookup, occurrences(from: day, calendar, firstWeekday), in: calendar, firstWeekday: firstWeekday)
    lastDays[kind.name] = new
    return new
  }

  /// The occurrences in all days that any of the kinds looks at from one day.
  func occurrences(
    from day: LocalDay, _ calendar: CivilCalendar, _ firstWeekday: Weekday = .monday
  ) -> DayOccurrences {
    let window = window(from: day, calendar, firstWeekday)
    if let stretch = stretch(around: day, holding: window, calendar, firstWeekday) { return stretch }
    if let known = occurrences[day], known.calendar == calendar { return known }
    let new = DayOccurrences(lookup.items, in: window, calendar)
    if occurrences.count >= Self.keptDays, let first = occurrences.keys.min() {
      occurrences[first] = nil
    }
    if new.steps > Self.cheapSteps { occurrences[day] = new }
    return new
  }

  /// The occurrences in the days that a day index and a timeline look at. Nil if they reach a bound: then each day is
  /// looked at by itself, because the bounds apply to one day.
  private func stretch(
    around day: LocalDay, holding window: Range<Instant>, _ calendar: CivilCalendar, _ firstWeekday: Weekday
  ) -> DayOccurrences? {
    if let known = stretch, known.calendar == calendar, known.window.clamped(to: window) == window { return known }
    if isTooMuchTogether { return nil }
    let first = self.window(from: day.advanced(by: -Moment.indexedDaysBefore), calendar, firstWeekday)
    let last = self.window(from: day.advanced(by: Moment.indexedDaysAfter), calendar, firstWeekday)
    let new = DayOccurrences(lookup.items, in: [window, first, last].hull, calendar)
    isTooMuchTogether = !new.isComplete
    stretch = new.isComplete ? new : nil
    return stretch
  }

  private func window(from day: LocalDay, _ calendar: CivilCalendar, _ firstWeekday: Weekday) -> Range<Instant> {
    let windows = definition.kinds.map { KindDay.window(of: $0, on: day, in: calendar, firstWeekday) }
    return ([calendar.interval(of: day)] + windows).hull
  }

  /// What a reason calls an item.
  func words(for candidate: Candidate) -> String {
    lookup.id(candidate).map { "item \($0)" } ?? "an item"
  }
}
