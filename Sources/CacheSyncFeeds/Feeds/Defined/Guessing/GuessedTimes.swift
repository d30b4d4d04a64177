/// When a sample's items are in force, as far as their columns show it.
struct GuessedTimes {
  /// As a definition has them, in JSON.
  private(set) var start = ""
  private(set) var end: String?
  private(set) var repeats: String?
  /// The field that a rule for weekdays uses.
  private(set) var weekday: SampleColumn?
  /// The field whose texts are rules, and one that seems to have rules but was not understood.
  private(set) var (rule, unreadRule) = (nil as SampleColumn?, nil as SampleColumn?)
  /// A number that may count days or weeks from the start, which all items share.
  private(set) var step: SampleColumn?
  /// The columns of the start, the best first; for times of day without a day, those of the time of day.
  private(set) var columns: [SampleColumn] = []
  private(set) var hasTime = false
  /// What may be read wrongly.
  private(set) var cautions: [String] = []
  /// Where the time is, if some items have none; they are left out.
  private(set) var gaps: [String]?
  var isOwn: Bool { columns.allSatisfy { $0.level == 0 } }
  var isDue: Bool { columns.contains { $0.hasAny(of: .due) } }

  init?(_ table: SampleTable, _ frame: SampleFrame) {
    let groups = [SampleColumn].times(in: table)
    let chosen = [SampleColumn].choice(of: groups, in: table, frame.moment.instant)
    weekday = table.columns.first { $0.shape == .weekday && $0.coverage == 1 && ($0.isKey || $0.level == 0) }
    // Days of an item share its times of day.
    let level = weekday?.path == "@" ? 1 : 0
    let clocks = table.columns.filter { $0.shape == .clock && $0.coverage >= 0.5 && $0.level == level }
    let starts = chosen?.isDay ?? true ? clocks.filter { ![.end, .past].contains($0.rank) } : []
    let clock = starts.max { $0.rank < $1.rank }
    let ends = clocks.filter { $0.rank == .end && $0.path != clock?.path }
    let last = ends.first { [$0].areBehind(clock.map { [$0] } ?? []) }
    if last == nil, let clock, let end = ends.first {
      let early = end.values.indices.first { [end].seconds[$0] ?? .max < [clock].seconds[$0] ?? 0 }
      let text = early.flatMap { end.values[$0]?.string } ?? ""
      cautions.append(
        #"\#(end.path) is left out, because "\#(text)" is before \#(clock.path): if that is on the next day, "#
          + #"map it to "P1D" in a field, and add that as "plus" to items.end"#)
    }
    columns = chosen ?? []
    var days = columns
    if chosen == nil || weekday != nil && (columns.rank == .past || !isOwn) || clock != nil && !isOwn {
      guard let time = level == 1 ? weekday : clock ?? weekday else { return nil }
      // A day that the file names once is that of all its times. Any Monday will do for what repeats without an end.
      let named = ((weekday == nil ? columns : []) + frame.root).filter { $0.isDay && $0.rank > .end }
      let day = named.first { $0.depth == 0 } ?? (weekday == nil ? named.first : nil)
      let isSince = day?.hasAny(of: .start, .past) ?? true
      repeats = weekday != nil ? "FREQ=WEEKLY;BYDAY={weekday}" : isSince ? "FREQ=DAILY" : nil
      (columns, days) = ([time], day.map { [$0] } ?? [])
    } else {
      weekday = nil
    }
    if clock != nil || weekday != nil {
      (hasTime, start) = (clock != nil, Self.rule(days, clock: clock, isDay: true))
      end = last.map { Self.rule(days, clock: $0, isDay: true) }
    } else {
      begin(groups, table.columns, frame)
    }
    if repeats == nil {
      let own = table.columns.filter { $0.isOwn && $0.shape == .text }
      rule = own.first { $0.rules?.contains { !$0.rule.isEmpty } ?? false }
      if rule != nil { repeats = "{rule}" }
      unreadRule = rule == nil ? own.first { $0.isNamed(.repetition) && $0.rules == nil } : nil
    }
    if repeats == nil, table.count > 1, !columns.seconds.contains(nil), Set(columns.seconds).count == 1 {
      step = table.columns.first { column in
        column.isOwn && column.isNamed(.steps) && column.differs && column.values.allSatisfy { $0?.int != nil }
      }
    }
    for (column, text) in columns.compactMap({ column in column.monthFirst.map { (column, $0) } }) {
      cautions.append(
        #"\#(column.path) may have the month first ("\#(column.texts[0])"): then write "as": "\#(text)" in items.start"#
      )
    }
    let hasGaps = table.rows.indices.contains { row in columns.allSatisfy { $0.values[row] == nil } }
    if columns[0].isOwn, hasGaps { gaps = columns.map(\.path) }
  }

  private mutating func begin(_ groups: [[SampleColumn]], _ all: [SampleColumn], _ frame: SampleFrame) {
    let starts = columns
    let isLocal = starts.contains { $0.times.contains { $0.map { $0.hasTime && !$0.isAbsolute } ?? false } }
    let ends = groups.filter { $0.rank == .end && $0.isDay == starts.isDay && $0.areBehind(starts) }
    let last = ends.first { $0[0].event == starts[0].event } ?? ends.first
    let zones = all.filter { $0.isNamed(.zone) && $0.shape == .text && $0.isOwn }
    let flag = all.first { $0.shape == .flag && $0.isOwn && Set($0.ownWords).isSuperset(of: ["all", "day"]) }
    let areDays = flag == nil && (starts + (last ?? [])).allSatisfy { frame.areMidnights($0, zones.first) }
    hasTime = !starts.isDay && !areDays
    func rule(_ columns: [SampleColumn]) -> String {
      let zone = zones.first { $0.holder == columns[0].holder } ?? zones.first { $0.depth == 0 }
      // Days in a member of their own, which no item has beside a time.
      let day = columns.first { $0.isDay && zip($0.values, columns[0].values).allSatisfy { $0 == nil || $1 == nil } }
      let allDay = hasTime ? (flag ?? day)?.path.quoted : starts.isDay || isLocal ? nil : "true"
      let isZoned = hasTime && (isLocal || flag != nil) || allDay == "true"
      return Self.rule(columns, isDay: areDays && isLocal, allDay: allDay, timeZone: isZoned ? zone?.path : nil)
    }
    (start, end) = (rule(starts), last.map(rule))
    if !hasTime, starts.contains(where: { $0.hasAny(of: .yearly) }) { (repeats, end) = ("FREQ=YEARLY", nil) }
  }

  mutating func endWithNext() { if hasTime, end == nil, repeats == nil { end = "next".quoted } }

  private static func rule(
    _ columns: [SampleColumn], clock: SampleColumn? = nil, isDay: Bool, allDay: String? = nil, timeZone: String? = nil
  ) -> String {
    let paths = (columns.isEmpty ? ["2024-01-01"] : columns.map(\.path)).json
    let notation = columns.first?.notation ?? .iso
    let isDay = isDay || notation.isPattern && columns.isDay
    if notation.text == nil, !isDay, allDay == nil, timeZone == nil { return paths }
    return String.object([
      (isDay ? "day" : "at", paths), ("as", notation.text?.quoted), ("time", clock?.path.quoted),
      ("timeAs", clock?.notation.text?.quoted), ("timeZone", timeZone?.quoted), ("allDay", allDay),
    ])
  }
}

/// How clearly a name says that something happens to an item then.
enum TimeRank: Comparable { case past, end, other, time, start }

extension SampleColumn {
  var rank: TimeRank {
    if hasAny(of: .past) && !hasAny(of: .next) { return .past }
    return hasAny(of: .start) ? .start : hasAny(of: .end) ? .end : hasAny(of: .time) ? .time : .other
  }
  /// The words of the time's name, without those that only say how it is written; and without start and end.
  fileprivate var base: Set<String> { Set(words.filter { ![$0].hasAny(of: [.time, .notation, .plan, .real]) }) }
  fileprivate var event: Set<String> { base.filter { ![$0].hasAny(of: [.start, .end]) } }
  fileprivate var holder: [String] { words.dropLast(ownWords.count) }
  fileprivate var isPlan: Bool { hasAny(of: .plan) && !hasAny(of: .real) }
  /// Which of several members for one time to prefer.
  fileprivate var order: (Int, Int, Double, Int) {
    (isPlan ? 0 : 1, isDay ? 0 : 1, [self].coverage, times.contains { $0?.isAbsolute ?? false } ? 1 : 0)
  }
}

/// The columns that give one time: `start.dateTime` beside `start.date`, or an expected time beside the planned one.
extension [SampleColumn] {
  /// The moment in each item, on one scale.
  var seconds: [Int?] { (first?.times ?? []).indices.map { item in lazy.compactMap { $0.times[item]?.seconds }.first } }
  /// Weekdays have no moments.
  var coverage: Double {
    if let first, first.times.isEmpty { return first.coverage }
    return Double(seconds.count { $0 != nil }) / Double(Swift.max(seconds.count, 1))
  }
  var rank: TimeRank { map(\.rank).max() ?? .other }
  var isDay: Bool { allSatisfy(\.isDay) }
  fileprivate func areBehind(_ starts: [SampleColumn]) -> Bool {
    let pairs = zip(seconds, starts.seconds).compactMap { end, start in end.flatMap { end in start.map { end >= $0 } } }
    return !pairs.isEmpty && pairs.allSatisfy(\.self)
  }

  /// The times of a table, each with its columns, the best first.
  fileprivate static func times(in table: SampleTable) -> [[SampleColumn]] {
    var groups: [[SampleColumn]] = []
    for column in table.columns where column.shape == .moment {
      let same = groups.firstIndex { $0[0].base == column.base && $0[0].level == column.level }
      if let same { groups[same].append(column) } else { groups.append([column]) }
    }
    return groups.map { group in
      let best = group.dropFirst().reduce(group[0]) { $1.order > $0.order ? $1 : $0 }
      // Another is needed where the first is missing; and a plan always, because another file may not know better.
      return group.filter { $0.notation.text == best.notation.text }.reduce([best]) { chosen, column in
        let isPlan = column.isPlan && column.isDay == best.isDay && !best.isPlan
        return isPlan || (chosen + [column]).coverage > chosen.coverage ? chosen + [column] : chosen
      }
    }
  }

  /// The start: the clearest name, and of several the later time.
  fileprivate static func choice(of groups: [[Element]], in table: SampleTable, _ now: Instant) -> [Element]? {
    /// A producer's own times around the items say nothing about them. What is the same for all comes last.
    func order(_ group: [SampleColumn]) -> (Int, TimeRank, Int)? {
      let (rank, level, isOwn) = (group.rank, group[0].level, group[0].isOwn)
      let differs = table.count == 1 || Set(group.seconds.compactMap(\.self)).count > 1
      return rank == .past ? isOwn ? (0, rank, 0) : nil : isOwn ? (3, rank, 0) : (differs ? 2 : 1, rank, -level)
    }
    func best(_ groups: [[SampleColumn]]) -> [SampleColumn]? {
      groups.reduce(nil as [SampleColumn]?) { best, group in
        guard let best, let most = order(best), let order = order(group) else { return group }
        let steps = zip(group.seconds, best.seconds).compactMap { a, b in a.flatMap { a in b.map { a - $0 } } }
        let isLater = order == most && steps.count { $0 > 0 } > steps.count { $0 < 0 }
        return order > most || isLater ? group : best
      }
    }
    let times = groups.filter { $0.mayBeTime(in: table, now) && order($0) != nil }
    let found = best(times.filter { $0.coverage >= 0.5 })
    // Every item has a time at which it was made, and some are due.
    let due = found?.rank == .past ? best(times.filter { $0[0].isOwn && [.start, .end].contains($0.rank) }) : nil
    return due ?? found
  }

  /// A past time of day that all items share is that of a measurement or of the file.
  private func mayBeTime(in table: SampleTable, _ now: Instant) -> Bool {
    let found = seconds.compactMap(\.self)
    let isInside = self[0].level == 0
    guard Set(found).count == 1, isInside || table.count > 1 || !isDay else { return rank != .past || isInside }
    if isInside { return table.count == 1 || isDay || rank == .start || found[0] > Int(now.seconds) }
    // A day around texts is theirs; around numbers it is when they were made.
    return found[0] % Int(Gregorian.secondsPerDay) == 0 && table.columns.contains { $0.shape != .number && $0.isOwn }
  }
}

/// A sample, what it says once for all its items, and the moment and the zone at which it is looked at.
struct SampleFrame {
  let bytes: [UInt8]
  let moment: Moment
  let zones: TimeZones
  let (tables, root): ([SampleTable], [SampleColumn])
  /// The path and the calendar of the zone that the document names.
  let zone: (path: String, calendar: CivilCalendar)?

  /// Nil if the sample is not JSON.
  init?(_ bytes: [UInt8], _ zones: TimeZones, _ moment: Moment) {
    (self.bytes, self.zones, self.moment) = (bytes, zones, moment)
    let found = bytes.withUnsafeBytes { bytes in
      let (tree, defects) = JSONTree.read(bytes, strictly: true)
      return defects.isEmpty ? tree.map { SampleTables($0, now: moment.instant) } : nil
    }
    guard let found else { return nil }
    (tables, root) = (found.all, found.root)
    zone =
      root.lazy.filter { $0.isNamed(.zone) }.compactMap { column in
        column.texts.first.flatMap { try? zones.rules(named: $0) }.map { (column.path, CivilCalendar($0)) }
      }.first
  }

  /// Whether all times of day are midnights (``MeantDay``), in the zone beside them. Then they stand for days.
  fileprivate func areMidnights(_ column: SampleColumn, _ zone: SampleColumn?) -> Bool {
    column.times.indices.allSatisfy { item in
      guard let time = column.times[item], time.hasTime, let source = column.values[item]?.source else { return true }
      let utc = CivilCalendar(.utc).wall(at: Instant(seconds: Int64(time.seconds)))
      let wall = WrittenTime.wall(source, column.notation.form) ?? utc
      guard case .instant(let instant) = time else { return MeantDay(written: wall).part != .within }
      let name = zone?.values[item]?.string
      let own = name.flatMap { zones.systemRules(named: $0) ?? zones.windowsRules(named: $0) }.map { CivilCalendar($0) }
      return MeantDay(instant, writtenAs: wall, in: own ?? self.zone?.calendar, cache: moment.calendar).part != .within
    }
  }
}
