/// The occurrences of a feed's repeating items in the days that its kinds look at, from one day or from several
/// consecutive days.
///
/// All kinds share it. Definitions and files come from outside, so there are bounds for all rules together, besides
/// those for each rule (definitions.md section 10).
struct DayOccurrences {
  /// Twice the steps of 10,000 items that repeat every week or year.
  static let mostSteps = 1_000_000
  static let mostOccurrences = 50_000
  /// The steps that beginning a rule counts for.
  private static let stepsToBegin = 10

  let calendar: CivilCalendar
  let window: Range<Instant>
  /// The first item of each file that was not looked at.
  private(set) var leftOut: [DefinedProblem] = []
  /// See ``RecurrenceRule/Occurrences/steps``.
  private(set) var steps = 0
  /// By the index of the item among those that count; empty if no item repeats.
  private var expansions: [Expansion] = []

  init(
    _ items: [ResolvedItem], in window: Range<Instant>, _ calendar: CivilCalendar, mostSteps: Int = Self.mostSteps
  ) {
    self.calendar = calendar
    self.window = window
    guard items.contains(where: { $0.item.repeats }) else { return }
    // An item may have this many occurrences each day. If it has more on every day, kinds show none of them.
    let days = Int((window.upperBound - window.lowerBound) / .seconds(Gregorian.secondsPerDay)) + 1
    var count = 0
    expansions.reserveCapacity(items.count)
    for item in items {
      guard item.item.repeats else {
        expansions.append(.occurrences([]))
        continue
      }
      guard steps < mostSteps, count < Self.mostOccurrences else {
        expansions.append(.tooMuchTogether)
        if leftOut.last?.path != item.path { leftOut.append(.tooMuchTogether(from: item)) }
        continue
      }
      let found = item.occurrences(overlapping: window, atMost: days * Expansion.maximumCount)
      steps += found.steps + Self.stepsToBegin
      if case .occurrences(let occurrences) = found.expansion { count += occurrences.count }
      expansions.append(found.expansion)
    }
  }

  /// Whether no bound was reached, not even that of one item in the days of one kind. The occurrences are then also
  /// complete in every part of the window.
  var isComplete: Bool {
    leftOut.isEmpty
      && expansions.allSatisfy { expansion in
        if case .occurrences(let found) = expansion { found.count <= Expansion.maximumCount } else { false }
      }
  }

  /// The occurrences of an item that overlap a part of the days. For an item without a rule, the item itself.
  func of(_ item: ResolvedItem, at index: Int, overlapping window: Range<Instant>) -> Expansion {
    guard item.item.repeats else { return item.occurrences(overlapping: window) }
    guard case .occurrences(let all) = expansions[index] else { return expansions[index] }
    let found = all.filter { window.overlaps(itemFrom: $0.lowerBound, to: $0.upperBound) }
    return found.count > Expansion.maximumCount ? .tooMany : .occurrences(found)
  }
}
