import CacheSync
import CacheSyncSystem

/// What `feed test` shows: the items that were found, and each kind's timeline.
struct TrialPage {
  let calendar: CivilCalendar
  var style = TerminalStyle.plain
  /// The maximum width of a line in cells; nil for no limit.
  var width: Int?

  /// How many items and entries are listed. People check the first ones; a longer list of items would move the timelines
  /// below it out of sight.
  let most: (items: Int, entries: Int)

  func items(of trial: DefinitionTrial) -> [String] {
    let items = trial.foundItems
    let zone = EscapedText.forPeople(calendar.rules.name)
    var lines = ["\(items.count) \(items.count == 1 ? "item" : "items"), times in \(zone)"]
    for item in items.prefix(most.items) {
      var parts = [item.times.map { text(of: $0, item.rule) } ?? "no time"]
      parts += item.fields.map { "\($0.name): \(text(of: $0.value))" }
      if let id = item.id { parts.append("id: \(id)") }
      lines.append("  " + EscapedText.forPeople(parts.joined(separator: "  ")))
    }
    if items.count > most.items { lines.append("  and \(items.count - most.items) more") }
    return lines.map(cut)
  }

  /// Returns the entries of a kind that differ visibly from the previous entry.
  func timeline(of snapshot: Snapshot) -> [String] {
    var lines = ["", "kind \(EscapedText.forPeople(snapshot.kind))"]
    var (last, count) = ([String](), 0)
    for entry in snapshot.entries {
      let text = KindText(snapshot, at: entry.date, in: calendar)
      let view = text.lines + [entry.state.rawValue]
      if view == last { continue }
      (last, count) = (view, count + 1)
      if count > most.entries { continue }
      let state = entry.state == .current ? "" : "  (\(entry.state.rawValue))"
      lines.append("  \(localTime(entry.date))\(state)")
      lines += text.lines.map { "    " + $0 }
    }
    if count > most.entries { lines.append("  and \(count - most.entries) more") }
    return lines.enumerated().map { $0 == 1 ? style.bold(cut($1)) : cut($1) }
  }

  private func cut(_ line: String) -> String { width.map { line.fitted($0) } ?? line }

  private func text(of value: ItemValue) -> String { value == .null ? "nothing" : value.plainText }

  /// `every Tue 08:00 to 08:45`; another rule behind the first times.
  private func text(of times: Range<Instant>, _ rule: RecurrenceRule?) -> String {
    guard let rule else { return text(of: times) }
    let day = calendar.day(of: times.lowerBound)
    let isOneDay = calendar.day(of: times.upperBound) == day || calendar.interval(of: day) == times
    let isPlain = isOneDay && rule.interval == 1 && rule.end == .never && rule == rule.onlyWeekdays
    guard isPlain, rule.frequency == .weekly || rule.frequency == .daily && rule.weekdays.isEmpty else {
      return text(of: times) + "  and repeats"
    }
    let weekdays = Weekday.allCases.filter { rule.weekdays.contains($0.rawValue) }
    let names = (weekdays.isEmpty ? [day.weekday] : weekdays).map { String($0.name.prefix(3)) }
    let every = "every " + (rule.frequency == .daily ? "day" : names.joined(separator: ", "))
    // What is behind "Tue 2026-11-24": the times of day.
    return every + text(of: times).dropFirst(14)
  }

  private func text(of times: Range<Instant>) -> String {
    let (start, end) = (times.lowerBound, times.upperBound)
    if times.isEmpty { return localTime(start) }
    if end.isAfterDates { return "\(localTime(start)), open end" }
    let day = calendar.day(of: start)
    if calendar.interval(of: day) == times { return "\(localTime(start).prefix(14)), all day" }
    let last = calendar.day(before: calendar.day(of: end))
    if calendar.start(of: day) == start, calendar.interval(of: last).upperBound == end {
      return "\(localTime(start).prefix(14)) to \(localTime(calendar.start(of: last)).prefix(14)), all day"
    }
    let isSameDay = calendar.day(of: end) == day
    return "\(localTime(start)) to \(isSameDay ? calendar.clock(at: end) : localTime(end))"
  }

  /// `Tue 2026-11-24 10:00`
  private func localTime(_ instant: Instant) -> String {
    let day = calendar.day(of: instant)
    return "\(day.weekday.name.prefix(3)) \(day) \(calendar.clock(at: instant))"
  }
}
