package import CacheSyncSystem

/// The content of one file under one UID: an event, or a series with the changes of its occurrences.
package struct CalendarSeries: Sendable {
  /// The UID; for an event without one `path:n`.
  package let id: String
  package let path: CachePath
  /// The greatest version of its VEVENTs. If several files have the UID, the one with the greatest version counts.
  package let version: CalendarEntry.Version
  /// The VEVENT without RECURRENCE-ID; nil if there are only overrides.
  private(set) var master: CalendarEntry?
  /// The VEVENTs with RECURRENCE-ID, for each id the newest one.
  let overrides: [CalendarEntry]
  /// The overrides that also change the later occurrences, by the seconds of their ids if those are known.
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

  /// The series itself; without it the first change of an occurrence.
  var first: CalendarEntry? { master ?? overrides.first }

  /// What tells it from another series with its UID.
  var mark: CalendarMark {
    CalendarMark(
      title: first?.title ?? "", start: first?.start.key, created: first.flatMap { $0.created < 0 ? nil : $0.created })
  }

  /// The series of a file, and the problems of some.
  static func all(
    _ drafts: [Draft], path: CachePath, _ limits: CalendarLimits
  ) -> (series: [CalendarSeries], warnings: [CalendarDefect], steps: Int) {
    var steps = limits.stepsToCount
    var series: [CalendarSeries] = []
    var warnings: [CalendarDefect] = []
    series.reserveCapacity(drafts.count)
    for draft in drafts where !draft.isBad {
      let masters = draft.masters
      // A single event, as most are.
      if masters.count == 1, draft.overrides.isEmpty {
        series.append(CalendarSeries(id: draft.id, path: path, master: masters[0], overrides: [], steps: &steps))
        continue
      }
      append(draft, path: path, to: &series, &warnings, steps: &steps)
    }
    return (series, warnings, limits.stepsToCount - steps)
  }

  /// VEVENTs without RECURRENCE-ID that start at different times are events of their own. The first has the UID as its
  /// id. Where one of its occurrences starts together with another event, it is left out, because their ids would be
  /// the same.
  private static func append(
    _ draft: Draft, path: CachePath, to series: inout [CalendarSeries], _ warnings: inout [CalendarDefect],
    steps: inout Int
  ) {
    var masters = draft.masters.newest(by: \.start.key, version: \.version)
    // Overrides belong to a series.
    let owner = masters.firstIndex(where: \.repeats) ?? 0
    let master = masters.indices.contains(owner) ? masters[owner] : nil
    var overrides = draft.overrides.map { $0.override(of: master) }
      .newest(by: { ($0.original ?? $0.start).key }, version: \.version)
    if masters.count > 1 {
      let others = masters.dropFirst().map(\.start)
      let keys = Set(others.map(\.key))
      // A day among the exceptions would leave out all times of that day.
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
}

extension Array {
  /// The newest entry for each moment; of equal versions the later one. They are in the order of the moments' first
  /// entries.
  func newest(
    by moment: (Element) -> CalendarMoment.Key?, version: (Element) -> some Comparable
  ) -> [Element] {
    var places: [CalendarMoment.Key: Int] = [:]
    var newest: [Element] = []
    for entry in self {
      guard let key = moment(entry) else { continue }
      if let place = places[key] {
        if version(newest[place]) <= version(entry) { newest[place] = entry }
      } else {
        places[key] = newest.count
        newest.append(entry)
      }
    }
    return newest
  }
}
