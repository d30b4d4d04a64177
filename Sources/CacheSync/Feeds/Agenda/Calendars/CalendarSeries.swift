/// All that one file says under one UID: an event, or a series with the changes of its occurrences.
package struct CalendarSeries: Sendable {
  /// The UID; of an event without one `path:n`.
  package let id: String
  package let path: CachePath
  /// The greatest version of its VEVENTs: of several files with the same UID the one with the greatest counts.
  package let version: CalendarEntry.Version
  /// The VEVENT without RECURRENCE-ID; nil when there are only overrides.
  private(set) var master: CalendarEntry?
  /// The VEVENTs with RECURRENCE-ID, of each id the newest one.
  let overrides: [CalendarEntry]
  /// Those of `overrides` that change the later occurrences too, by their ids' seconds where those are known.
  let ranges: [CalendarEntry]
  /// No event of the series lies outside, in whatever zone the cache is.
  let reach: ClosedRange<Int64>

  /// The VEVENTs of one UID while the file is read.
  struct Draft {
    let id: String
    private(set) var entries: [CalendarEntry] = []
    private(set) var isBad = false

    init(id: String) { self.id = id }

    /// - Parameter entry: nil for a bad one, which takes all others with it.
    mutating func add(_ entry: CalendarEntry?) {
      if let entry, !isBad { entries.append(entry) } else { (entries, isBad) = ([], true) }
    }
  }

  /// Nil when one of its VEVENTs is bad.
  init?(_ draft: Draft, path: CachePath) {
    guard !draft.isBad, let version = draft.entries.lazy.map(\.version).max() else { return nil }
    self.id = draft.id
    self.path = path
    self.version = version
    if draft.entries.count == 1, draft.entries[0].original == nil {
      master = draft.entries[0]
      overrides = []
    } else {
      var newest: CalendarEntry?
      for entry in draft.entries where entry.original == nil {
        // Of the same version the later one counts.
        if newest.map({ $0.version <= entry.version }) ?? true { newest = entry }
      }
      master = newest
      overrides = Self.newest(draft.entries.filter { $0.original != nil })
    }
    if let rules = master?.rules, let start = master?.start.wall {
      master?.rules = rules.map { $0.withCountedEnd(from: start) }
    }
    ranges = overrides.filter(\.changesLater)
    reach = Self.reach(master: master, overrides: overrides, hasRanges: !ranges.isEmpty)
  }

  private static func newest(_ overrides: [CalendarEntry]) -> [CalendarEntry] {
    var places: [CalendarMoment: Int] = [:]
    var newest: [CalendarEntry] = []
    for override in overrides {
      guard let original = override.original else { continue }
      if let place = places[original] {
        if newest[place].version <= override.version { newest[place] = override }
      } else {
        places[original] = newest.count
        newest.append(override)
      }
    }
    return newest
  }

  /// Two days make up for every zone and every change of clocks.
  private static let margin = 2 * Gregorian.secondsPerDay

  private static func reach(
    master: CalendarEntry?, overrides: [CalendarEntry], hasRanges: Bool
  ) -> ClosedRange<Int64> {
    if hasRanges { return Int64.min...Int64.max }
    var first = Int64.max
    var last = Int64.min
    func include(_ start: CalendarMoment, _ end: CalendarEntry.End) {
      let calendar = CivilCalendar(.utc)
      let start = start.knownSecond ?? start.wall.seconds
      first = min(first, start)
      last = max(last, start)
      switch end {
      case .none: last = max(last, start + Gregorian.secondsPerDay)
      case .at(let end): last = max(last, end.second(in: calendar))
      case .lasting(let duration):
        last = max(last, start + Int64(duration.days + 1) * Gregorian.secondsPerDay + Int64(duration.seconds))
      }
    }
    for override in overrides { include(override.start, override.end) }
    if let master {
      include(master.start, master.end)
      for extra in master.extras {
        include(extra.start, extra.end ?? master.end)
        // Its end is as far away as that of the first.
        if extra.end == nil { last = .max }
      }
      let length = master.length(CivilCalendar(.utc)).longestSeconds
      for rule in master.rules {
        let end: Int64? =
          switch rule.end {
          case .never, .count: nil
          case .untilDay(let day): WallTime(day.advanced(by: 1)).seconds
          case .untilWall(let wall): wall.seconds
          case .untilInstant(let moment): moment.seconds
          }
        last = end.map { max(last, $0 + length) } ?? .max
      }
    }
    return (first - margin)...(last == .max ? last : last + margin)
  }
}
