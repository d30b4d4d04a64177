package import CacheSyncSystem

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

  private init(
    id: String, path: CachePath, master: CalendarEntry?, overrides: [CalendarEntry], steps: inout Int
  ) {
    self.id = id
    self.path = path
    self.overrides = overrides
    self.master = master
    version = ([master].compactMap(\.self) + overrides).lazy.map(\.version).max() ?? CalendarEntry.Version()
    if let master {
      self.master?.rules = master.rules.map { $0.withCountedEnd(from: master.start.wall, steps: &steps) }
    }
    ranges = overrides.filter(\.changesLater)
  }

  /// The series of a file, and what is wrong with some.
  static func all(
    _ drafts: [Draft], path: CachePath, _ limits: CalendarLimits
  ) -> (series: [CalendarSeries], warnings: [CalendarDefect], steps: Int) {
    var steps = limits.stepsToCount
    var series: [CalendarSeries] = []
    var warnings: [CalendarDefect] = []
    series.reserveCapacity(drafts.count)
    for draft in drafts where !draft.isBad {
      let masters = draft.masters
      // An event alone, as most are.
      if masters.count == 1, draft.overrides.isEmpty {
        series.append(CalendarSeries(id: draft.id, path: path, master: masters[0], overrides: [], steps: &steps))
        continue
      }
      append(draft, path: path, to: &series, &warnings, steps: &steps)
    }
    return (series, warnings, limits.stepsToCount - steps)
  }

  /// VEVENTs without RECURRENCE-ID that start at different times are events of their own. The first has the UID for its id, and
  /// its occurrences that start as another of them give way to that, since their ids would be the same.
  private static func append(
    _ draft: Draft, path: CachePath, to series: inout [CalendarSeries], _ warnings: inout [CalendarDefect],
    steps: inout Int
  ) {
    var masters = newest(draft.masters, by: \.start)
    // Overrides are those of a series.
    let owner = masters.firstIndex(where: \.repeats) ?? 0
    let master = masters.indices.contains(owner) ? masters[owner] : nil
    var overrides = newest(draft.overrides.map { $0.override(of: master) }) { $0.original ?? $0.start }
    if masters.count > 1 {
      let others = masters.dropFirst().map(\.start)
      let keys = Set(others.map(\.key))
      // A day among the exceptions would take all times of that day.
      let isDay = masters[0].start.isDay
      masters[0].exceptions.insert(others.filter { $0.isDay == isDay })
      if owner == 0 { overrides.removeAll { $0.original.map { keys.contains($0.key) } == true } }
    }
    if masters.isEmpty, !overrides.isEmpty {
      series.append(CalendarSeries(id: draft.id, path: path, master: nil, overrides: overrides, steps: &steps))
    }
    for (index, master) in masters.enumerated() {
      var id = draft.id
      if index > 0 {
        id += "#" + master.start.digits
        warnings.append(
          CalendarDefect(
            "another start under the UID of an earlier event: it counts as an event of its own", at: master))
      }
      series.append(
        CalendarSeries(
          id: id, path: path, master: master, overrides: index == owner ? overrides : [], steps: &steps))
    }
  }

  /// Of the entries for one moment the newest one; of the same version the later one. In the order of the moments' first ones.
  private static func newest(
    _ entries: [CalendarEntry], by moment: (CalendarEntry) -> CalendarMoment
  ) -> [CalendarEntry] {
    var places: [CalendarMoment.Key: Int] = [:]
    var newest: [CalendarEntry] = []
    for entry in entries {
      let key = moment(entry).key
      if let place = places[key] {
        if newest[place].version <= entry.version { newest[place] = entry }
      } else {
        places[key] = newest.count
        newest.append(entry)
      }
    }
    return newest
  }
}
