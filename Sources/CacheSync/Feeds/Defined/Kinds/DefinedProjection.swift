/// What the items of a defined feed give readers: a pure function of the definition, the items, the marks and a moment.
///
/// It is right for as long as the items do not change. It keeps what it computed for the last day of each kind, because
/// entries that follow one another mostly have the same day.
package struct DefinedProjection {
  /// How many bytes a content may have (OWNFEEDS section 5).
  package static let maximumContent = 262_144

  private let definition: FeedDefinition
  private let items: DefinedItems
  private let lookup: ItemLookup
  private let days = Days()

  private final class Days {
    var last: [KindName: KindDay] = [:]
  }

  package init(definition: FeedDefinition, items: DefinedItems, marks: MarksInForce) {
    self.definition = definition
    self.items = items
    lookup = ItemLookup(definition, items.counting, marks)
  }

  /// From when age counts; nil: nothing goes stale by age.
  package var newest: Instant? { items.newestDate }

  /// Whether the last good version of a file that is unusable now counts.
  package var showsUnusable: Bool { items.showsUnusable }

  /// Whether there is no usable file.
  package var isEmpty: Bool { items.isEmpty }

  /// The files that count, in order.
  package var sourcePaths: [CachePath] { items.paths }

  /// Writes a kind's content.
  ///
  /// - Returns: whether it would have more than ``maximumContent`` bytes, so that items or texts are left out.
  @discardableResult
  package func write(
    _ kind: DefinedKind, at moment: Instant, calendar: CivilCalendar, to json: inout JSONWriter
  ) -> Bool {
    let kindDay = kindDay(kind, calendar.day(of: moment), calendar)
    return DefinedContent(kind, kindDay, at: moment, lookup, words: definition.words).write(to: &json)
  }

  /// How many items, or occurrences of what repeats, overlap a day.
  package func overlapCount(day: LocalDay, calendar: CivilCalendar) -> Int {
    let interval = calendar.interval(of: day)
    return lookup.items.reduce(0) { count, item in
      guard case .occurrences(let found) = item.occurrences(overlapping: interval) else { return count }
      return count + found.count
    }
  }

  /// What is wrong at a moment, by path and message, each once.
  package func problems(at moment: Instant, calendar: CivilCalendar) -> [DefinedProblem] {
    let day = calendar.day(of: moment)
    var problems: Set<DefinedProblem> = []
    for kind in definition.kinds {
      problems.formUnion(kindDay(kind, day, calendar).leftOut)
      var json = JSONWriter()
      if write(kind, at: moment, calendar: calendar, to: &json) { problems.insert(.contentCut(kind.name)) }
    }
    return problems.sorted {
      let (a, b) = ($0.path ?? .root, $1.path ?? .root)
      return a == b ? isOrdered($0.message, before: $1.message) : a < b
    }
  }

  /// The next moment at which ``problems(at:calendar:)`` may change by time alone; nil: never.
  package func nextProblemChange(after moment: Instant, calendar: CivilCalendar) -> Instant? {
    let day = calendar.day(of: moment)
    let midnight = calendar.interval(of: day).upperBound
    let dates = definition.kinds.flatMap { boundaries(of: $0, in: moment..<max(moment, midnight), calendar: calendar) }
    let next = (dates.map(\.date) + [midnight]).filter { $0 > moment }.min()
    return next
  }

  func kindDay(_ kind: DefinedKind, _ day: LocalDay, _ calendar: CivilCalendar) -> KindDay {
    if let last = days.last[kind.name], last.day == day, last.calendar == calendar { return last }
    let new = KindDay(kind, day, lookup, in: calendar)
    days.last[kind.name] = new
    return new
  }

  /// What a reason calls an item.
  func words(for candidate: Candidate) -> String {
    lookup.id(candidate).map { "item \($0)" } ?? "an item"
  }
}
