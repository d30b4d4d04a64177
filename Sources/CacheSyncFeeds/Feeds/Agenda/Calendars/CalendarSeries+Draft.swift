extension CalendarSeries {
  /// The VEVENTs of one UID while the file is read.
  struct Draft {
    let id: String
    /// Without RECURRENCE-ID.
    private(set) var masters: [CalendarEntry] = []
    /// With RECURRENCE-ID.
    private(set) var overrides: [CalendarEntry] = []
    private(set) var isBad = false

    init(id: String) { self.id = id }

    /// - Parameter entry: nil: a bad one. It leaves out all others of the UID, unless it is an override.
    mutating func add(_ entry: CalendarEntry?, isOverride: Bool) {
      guard let entry, !isBad else {
        if !isOverride { (masters, overrides, isBad) = ([], [], true) }
        return
      }
      if isOverride { overrides.append(entry) } else { masters.append(entry) }
    }

    /// The end of the last event of the UID, to within a day or two, because the cache's zone is unknown here. For a
    /// series it is the greatest value.
    private var end: Int64 {
      // A bad one needs no memory, and must stay known as bad.
      if isBad { return .max }
      return (masters + overrides).reduce(.min) { last, entry in
        entry.repeats || entry.changesLater ? .max : max(last, entry.span(CivilCalendar(.utc)).end)
      }
    }

    private var count: Int { masters.count + overrides.count }

    /// Leaves out the drafts that end first, so that at most the limit of events remains.
    ///
    /// - Returns: how many remain.
    static func leaveOutPast(of drafts: inout [Draft], _ limits: CalendarLimits) -> Int {
      let ends = drafts.map(\.end)
      var count = 0
      var kept: [Int] = []
      for index in drafts.indices.sorted(by: { (ends[$0], $0) > (ends[$1], $1) }) {
        if count + drafts[index].count > limits.events { continue }
        count += drafts[index].count
        kept.append(index)
      }
      drafts = kept.sorted().map { drafts[$0] }
      return count
    }
  }
}

extension CalendarEntry {
  /// The VEVENT with its RECURRENCE-ID adapted to its series. Without a zone, RECURRENCE-ID is in the zone of the
  /// series. If it is a day, it names the occurrences that start on that day; a midnight in a series of days is the day as
  /// written.
  ///
  /// - Parameter master: nil: the file does not contain the series.
  func override(of master: CalendarEntry?) -> CalendarEntry {
    guard let original else { return self }
    var entry = self
    let zone = master?.start.zone ?? zoneOfSeries
    entry.original = original.placed(in: zone)
    if !original.isDay, let start = master?.start, start.isDay, original.wall.secondOfDay == 0 {
      entry.original = CalendarMoment(original.wall.day)
    }
    if original.isDay, let start = master?.start, !start.isDay {
      entry.originalDay = original.wall.day
      entry.original = CalendarMoment(floating: WallTime(original.wall.day, secondOfDay: start.wall.secondOfDay))
        .placed(in: zone)
    }
    return entry
  }
}
