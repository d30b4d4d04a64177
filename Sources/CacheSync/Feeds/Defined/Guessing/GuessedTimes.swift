/// When a sample's items are in force, as far as their members show it.
struct GuessedTimes {
  private(set) var start: TimeDraft
  private(set) var end: End?
  private(set) var repeats: String?
  private(set) var except: String?
  /// The field that a rule for weekdays uses, and its words.
  private(set) var weekday: (path: String, words: [String])?
  private(set) var reasons: [String] = []
  /// Replaces the items' own `each` if every item has a list of times of day. Each of those times is then an item.
  private(set) var each: String?
  /// The share of items that have a start.
  private(set) var coverage = 1.0
  /// Whether starts have a time of day.
  private(set) var hasTime = false
  /// Whether some starts have a time of day and others do not.
  private(set) var isMixed = false
  private(set) var rank = TimeGroup.Rank.time
  private(set) var isDue = false
  /// Whether the time is one of the item itself, or of its key, and not of what is around it.
  private(set) var isOwn = true
  /// Whether times without a zone are a server's, which writes UTC.
  private(set) var isServerTime = false
  /// Whether all times were before now when the sample was looked at.
  private(set) var isOver = false
  /// Where the time is, if some items have none; they are left out.
  private(set) var gaps: [String] = []
  private(set) var hasLocalTimes = false
  /// The paths that times use. They cannot be titles.
  private(set) var used: Set<String> = []

  enum End {
    case time(TimeDraft)
    case next
  }

  /// - Parameters:
  ///   - root: the scalar members of the document.
  ///   - isSeries: whether items are values, each of which holds until the next.
  init?(
    _ place: SampleItems, isSeries: Bool, root: [SampleField], document: SampleDocument, _ sampleClock: SampleClock
  ) {
    let groups = TimeGroup.all(in: place.fields)
    let weekday = place.fields.first { field in
      if case .weekday = field.shape { field.coverage == 1 && (field.isKey || field.level == 0) } else { false }
    }
    let chosen = Self.choice(of: groups, in: place, sampleClock.now)
    let clock = Self.clock(of: groups, with: chosen)
    self.start = TimeDraft(paths: [])
    if let weekday, chosen.map({ $0.rank == .past || $0.level > 0 }) ?? true {
      begin(weekly: weekday, clock, groups, place, root: root, document)
    } else if let chosen {
      if chosen.moments.allSatisfy(\.isDay), clock == nil, chosen.level == 0, !chosen.isKey,
        let times = Self.list(ofTimesIn: place), Self.isBeforeAll(chosen)
      {
        begin(daily: chosen, at: times, in: place)
      } else {
        begin(chosen, clock, groups, in: place, isSeries: isSeries, sampleClock)
      }
    } else if let clock {
      begin(at: clock, groups, root: root, in: place)
    } else {
      return nil
    }
  }

  // MARK: Moments and days

  private mutating func begin(
    _ group: TimeGroup, _ clock: SampleField?, _ groups: [TimeGroup], in place: SampleItems, isSeries: Bool,
    _ sampleClock: SampleClock
  ) {
    let fields = group.paths
    // A time of day has one notation for its day.
    let all = fields + (clock == nil ? group.others : [])
    let times = all.flatMap { $0.moment?.times.compactMap(\.self) ?? [] }
    start = TimeDraft(paths: fields.map(\.path), form: fields[0].moment?.form)
    isOver = times.allSatisfy { $0.seconds <= Int(sampleClock.now.seconds) }
    record(group, all, clock)
    hasTime = !all.allSatisfy(\.isDay) || clock != nil
    isMixed = clock == nil && times.contains { !$0.hasTime } && hasTime
    coverage = TimeGroup.coverage(of: all)
    if group.level == 0, !group.isKey, coverage < 1, TimeGroup.areAbsent(all) { gaps = all.map(\.path) }
    var how = Self.words(fields[0])
    let zone = Self.zone(beside: fields, in: place)
    let isLocal = times.contains { if case .local(_, .some) = $0 { true } else { false } }
    let ends = groups.filter { $0.rank == .end && $0.level == group.level && $0.base != group.base }.flatMap(\.moments)
    if let clock {
      start.isDay = true
      start.clock = Self.rule(of: clock)
      start.timeZone = isLocal ? zone?.path : nil
    } else if hasTime, let flag = place.fields.first(where: { $0.isAllDayFlag }) {
      start.allDay = .flag(flag.path)
      isMixed = true
      start.timeZone = zone?.path
    } else if hasTime, sampleClock.areMidnights(all, beside: zone),
      ends.allSatisfy({ $0.isDay || sampleClock.areMidnights([$0], beside: zone) })
    {
      hasTime = false
      isMixed = false
      isServerTime = false
      if times.allSatisfy({ if case .local = $0 { true } else { false } }) {
        start.isDay = true
      } else {
        start.allDay = .always
        start.timeZone = zone?.path
      }
      how += ", whole days because all are at midnight"
    } else if !hasTime, start.form.map({ !["unix", "unix-ms", "apple"].contains($0) }) ?? false {
      start.isDay = true
    } else {
      if isMixed, start.form == nil, all.count == fields.count, let day = fields.first(where: \.isDay),
        Self.areApart(fields)
      {
        start.allDay = .flag(day.path)
      }
      start.timeZone = isLocal ? zone?.path : nil
    }
    if clock == nil { start.otherwise = Self.otherNotations(of: start, all, first: fields) }
    reasons.append("start: \(start.words), \(how)")
    if group.hasAny(of: NameWords.yearly), !hasTime {
      repeats = "FREQ=YEARLY"
      reasons.append("repeats: every year, because of the name")
    } else {
      end(of: group, clock, groups)
    }
    if end == nil, hasTime, start.clock == nil, isSeries, isAscending(group) {
      end = .next
      reasons.append("end: the next start, because each value holds until the next")
    }
  }

  private mutating func record(_ group: TimeGroup, _ fields: [SampleField], _ clock: SampleField?) {
    rank = group.rank
    isDue = group.hasAny(of: NameWords.due)
    isOwn = group.level == 0
    used.formUnion(fields.map(\.path) + (clock.map { [$0.path] } ?? []))
    // Other notations of the same time are no titles either.
    used.formUnion(group.moments.map(\.path))
    let isLocal = fields.contains {
      $0.moment?.times.contains { if case .local? = $0 { true } else { false } } ?? false
    }
    hasLocalTimes = isLocal
    isServerTime = isLocal && rank == .past && fields.contains { !$0.isDay } && group.hasAny(of: NameWords.update)
  }

  /// Whether no item has both a day and a time.
  private static func areApart(_ fields: [SampleField]) -> Bool {
    let times = fields.compactMap(\.moment?.times)
    return times[0].indices.allSatisfy { item in times.count { $0[item] != nil } < 2 }
  }

  private static func rule(of clock: SampleField) -> (path: String, form: String?) {
    (clock.path, clock.clock?.form)
  }

  /// The notations of a time that its first one lacks.
  private static func otherNotations(
    of draft: TimeDraft, _ fields: [SampleField], first: [SampleField]
  ) -> [TimeDraft] {
    fields.flatMap { field -> [TimeDraft] in
      let isFirst = first.contains { $0.path == field.path }
      let forms = isFirst ? field.moment?.otherForms ?? [] : field.moment?.forms ?? []
      return forms.map { form in
        var other = draft
        other.paths = [field.path]
        other.form = form
        return other
      }
    }
  }

  /// The member beside a time that names its zone.
  private static func zone(beside fields: [SampleField], in place: SampleItems) -> SampleField? {
    let zones = place.fields.filter { field in
      field.level == fields[0].level && field.ownWords.contains(where: NameWords.zone.contains)
    }
    // A zone of its own beside the time, or one of the whole item.
    return zones.first { $0.holder == fields[0].holder } ?? zones.first { $0.holder == "@" }
  }

  /// Whether items are a series: at least four times, of which most are equally far apart.
  static func areEven(in place: SampleItems) -> Bool {
    TimeGroup.all(in: place.fields).contains { group in
      let seconds = group.seconds.compactMap(\.self)
      guard group.level == 0, seconds.count > 3, seconds.count == group.seconds.count else { return false }
      let steps = zip(seconds.dropFirst(), seconds).map { $0 - $1 }
      return steps.allSatisfy { $0 > 0 } && steps.count { $0 == steps[0] } * 5 >= steps.count * 3
    }
  }

  private func isAscending(_ group: TimeGroup) -> Bool {
    let seconds = group.seconds.compactMap(\.self)
    return seconds.count > 2 && zip(seconds.dropFirst(), seconds).allSatisfy { $0 > $1 }
  }

  // MARK: Ends

  private mutating func end(of group: TimeGroup, _ clock: SampleField?, _ groups: [TimeGroup]) {
    let ends = groups.filter { $0.rank == .end && $0.level == group.level && $0.base != group.base }
    func base(_ group: TimeGroup) -> Set<String> { group.base.subtracting(NameWords.start).subtracting(NameWords.end) }
    let same = ends.filter { base($0) == base(group) }
    for other in same + ends {
      let fields = other.paths
      if !fields.isEmpty, start.clock == nil {
        let isWhole = fields.allSatisfy(\.isDay)
        guard isWhole == group.paths.allSatisfy(\.isDay), Self.isBehind(fields, group.paths) else { continue }
        var draft = TimeDraft(paths: fields.map(\.path), form: fields[0].moment?.form)
        draft.isDay = isWhole && draft.form != nil || start.isDay
        draft.otherwise = Self.otherNotations(of: draft, fields, first: fields)
        draft.timeZone = start.timeZone.flatMap { zone in
          zone.hasPrefix(group.paths[0].holder + ".")
            ? zone.replacingPrefix(group.paths[0].holder, by: fields[0].holder) : zone
        }
        // Where whole days are sure, the start's are enough.
        if case .flag(let flag)? = start.allDay {
          let isOfStart = group.paths.contains { $0.path == flag }
          draft.allDay = .flag(isOfStart ? fields.first(where: \.isDay)?.path ?? fields[0].path : flag)
        }
        end = .time(draft)
        reasons.append("end: \(draft.words), \(Self.words(fields[0]))")
        used.formUnion(other.moments.map(\.path))
        return
      }
      if let clock, let last = other.clocks.first, last.coverage >= 0.5, Self.isBehind(last, clock) {
        var draft = start
        draft.clock = Self.rule(of: last)
        end = .time(draft)
        reasons.append("end: \(draft.words), because the name says so")
        used.insert(last.path)
        return
      }
    }
  }

  /// Whether no item ends before it starts.
  private static func isBehind(_ ends: [SampleField], _ starts: [SampleField]) -> Bool {
    let pairs = zip(TimeGroup.seconds(of: ends), TimeGroup.seconds(of: starts)).compactMap { end, start in
      end.flatMap { end in start.map { (end, $0) } }
    }
    return !pairs.isEmpty && pairs.allSatisfy { $0.0 >= $0.1 }
  }

  private static func isBehind(_ end: SampleField, _ start: SampleField) -> Bool {
    let pairs = zip(end.clock?.seconds ?? [], start.clock?.seconds ?? []).compactMap { end, start in
      end.flatMap { end in start.map { (end, $0) } }
    }
    return !pairs.isEmpty && pairs.allSatisfy { $0.0 >= $0.1 }
  }

  private static func words(_ field: SampleField) -> String {
    switch field.moment?.form {
    case nil: return field.isKey ? "the key, written as ISO 8601" : "written as ISO 8601"
    case "unix"?: return "seconds since 1970"
    case "unix-ms"?: return "milliseconds since 1970"
    case "apple"?: return "seconds since 2001"
    case "rfc822"?: return "written as in mail and RSS"
    case let pattern?:
      let swapped = [("dd/MM", "MM/dd"), ("d/M", "M/d"), ("dd-MM", "MM-dd")].first { pattern.hasPrefix($0.0) }
      let other = swapped.map { $0.1 + pattern.dropFirst($0.0.utf8.count) }
      let advice = other.map { field.fits($0) ? "; if months come first, write \($0)" : "" } ?? ""
      return "written as \(pattern)\(advice)"
    }
  }

  // MARK: Lists of times of day

  /// The member that is a list of times of day in every item.
  private static func list(ofTimesIn place: SampleItems) -> (name: String, form: String?)? {
    guard place.kind == .objects, !(place.position.outer?.isRepeated ?? false) else { return nil }
    for list in place.lists {
      if case .clock(let clock) = SampleShape(list.texts, named: [], isKey: false, now: Instant(seconds: 0)),
        clock.seconds.allSatisfy({ $0 != nil })
      {
        return (list.name, clock.form)
      }
    }
    return nil
  }

  /// Whether the name of a day says that something applies from then on.
  private static func isBeforeAll(_ group: TimeGroup) -> Bool {
    group.hasAny(of: NameWords.start.union(["since", "seit"]))
  }

  private mutating func begin(daily group: TimeGroup, at times: (name: String, form: String?), in place: SampleItems) {
    let day = group.paths[0]
    each = place.each[0] + SampleItems.selector(times.name) + "[*]"
    start = TimeDraft(paths: ["^" + day.path.dropFirst()], form: day.moment?.form)
    start.isDay = true
    start.clock = ("@", times.form)
    repeats = "FREQ=DAILY"
    reasons = ["start: each of \(times.name), every day since \(day.path), because it is a list of times of day"]
    used = [day.path]
    hasTime = true
    hasLocalTimes = true
    rank = .start
  }

  // MARK: Times without a day

  /// Any day will do for what repeats without an end: 2024-01-01 is a Monday.
  private static let anyMonday = "2024-01-01"

  private mutating func begin(
    at clock: SampleField, _ groups: [TimeGroup], root: [SampleField], in place: SampleItems
  ) {
    hasTime = true
    hasLocalTimes = true
    coverage = clock.coverage
    if coverage < 1 { gaps = [clock.path] }
    used = [clock.path]
    // A day that the file names once is that of all its times.
    let day =
      root.first { $0.isDay && TimeGroup.Rank($0.words) > .past && $0.holder == "$" }
      ?? root.first { $0.isDay && TimeGroup.Rank($0.words) > .past }
    start = TimeDraft(paths: [day?.path ?? Self.anyMonday], form: day?.moment?.form)
    start.isDay = true
    start.clock = Self.rule(of: clock)
    let how = clock.clock?.form.map { ", written as \($0)" } ?? ""
    if let day {
      reasons.append("start: \(clock.path) on the day in \(day.path)\(how)")
    } else {
      repeats = "FREQ=DAILY"
      reasons.append("start: \(clock.path)\(how), every day, because the sample names no day")
    }
    endOfClock(clock, groups)
  }

  private mutating func endOfClock(_ clock: SampleField, _ groups: [TimeGroup]) {
    for group in groups where group.rank == .end && group.level == clock.level {
      guard let last = group.clocks.first(where: { Self.isBehind($0, clock) }) else { continue }
      var draft = start
      draft.clock = Self.rule(of: last)
      end = .time(draft)
      used.insert(last.path)
      reasons.append("end: \(last.path), because the name says so")
      return
    }
  }

  private mutating func begin(
    weekly weekday: SampleField, _ clock: SampleField?, _ groups: [TimeGroup], _ place: SampleItems,
    root: [SampleField], _ document: SampleDocument
  ) {
    // Weeks count from this day. If the document names none, any Monday will do.
    let first = root.first { $0.isDay && $0.moment?.form == nil && $0.depth == 0 }
    start = TimeDraft(paths: [first?.path ?? Self.anyMonday])
    start.isDay = true
    start.clock = clock.map { Self.rule(of: $0) }
    used = Set([weekday.path] + (clock.map { [$0.path] } ?? []))
    reasons.append(
      "start: \(clock.map { "\($0.path) on " } ?? "")each \(weekday.path)\(first.map { ", since \($0.path)" } ?? "")")
    if let clock { endOfClock(clock, groups) }
    repeats = "FREQ=WEEKLY;BYDAY={weekday}"
    reasons.append("repeats: every week, because \(weekday.path) is a weekday; other weeks than all are not guessed")
    let words = Set(weekday.values.compactMap { $0?.identity }).sorted().map(\.wrappedValue)
    self.weekday = (weekday.path, words)
    if let out = document.listOfDays(named: ["holiday", "holidays", "except", "exceptions"]) {
      except = "$\(SampleItems.selector(out))[*]"
      reasons.append("except: the days in \(out)")
    }
    hasTime = clock != nil
    hasLocalTimes = true
    rank = .start
  }
}

extension SampleField {
  /// Whether it says that the item is in force for whole days.
  fileprivate var isAllDayFlag: Bool {
    guard case .flag = shape, level == 0 else { return false }
    return ownWords.contains("allday") || ownWords.contains("all") && ownWords.contains("day")
  }

  /// Whether the values also fit another pattern for days.
  fileprivate func fits(_ pattern: String) -> Bool {
    guard let form = SampleTimeForm.of(pattern, for: .day)?.form else { return false }
    return values.allSatisfy { value in value?.source.map { WrittenTime($0, form) != nil } ?? true }
  }
}

extension SampleDocument {
  /// A member of the document that is a list of days, perhaps empty, under one of these names.
  fileprivate func listOfDays(named words: Set<String>) -> String? {
    for child in children(of: JSONTree.root, atMost: SampleWalk.mostKeys) where tree.kind(of: child.value) == .array {
      guard let key = child.key else { continue }
      let name = tree.text(of: key)
      guard NameWords.words(of: name).contains(where: words.contains) else { continue }
      let days = children(of: child.value, atMost: SampleWalk.mostNodes)
      if days.allSatisfy({ scalar(of: $0.value)?.text.map { LocalDay($0) != nil } ?? false }) { return name }
    }
    return nil
  }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}
