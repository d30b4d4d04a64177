/// The zones in which a time of a sample may be a midnight.
struct SampleClock {
  let now: Instant
  let cache: CivilCalendar
  /// That of the zone that the sample names once for all items.
  let file: CivilCalendar?
  let zones: TimeZones

  /// Whether fields have times of day, and all their times are midnights (``MeantDay``). Then they stand for days.
  ///
  /// - Parameter zone: the member beside them that names a zone.
  func areMidnights(_ fields: [SampleField], beside zone: SampleField?) -> Bool {
    var hasTime = false
    for field in fields {
      guard let times = field.moment?.times else { return false }
      for (item, (time, wall)) in zip(times, field.walls).enumerated() {
        guard let time, let wall else { continue }
        hasTime = hasTime || time.hasTime
        switch time {
        case .local(_, nil): continue
        case .local: if MeantDay(written: wall).part == .within { return false }
        case .instant(let moment):
          let name = zone?.values[item]?.text
          let own = name.flatMap { zones.systemRules(named: $0) ?? zones.windowsRules(named: $0) }
          let calendar = own.map { CivilCalendar($0) } ?? file
          if MeantDay(moment, writtenAs: wall, in: calendar, cache: cache).part == .within { return false }
        }
      }
    }
    return hasTime
  }
}
