/// When a sample's items are in force, as far as their members show it.
struct GuessedTimes {
  /// The members to add to the definition's `items`, in order.
  var members = JSONWriter(inAnyOrder: true)
  var reasons: [String] = []
  /// Whether starts have a time of day.
  var hasTime = false
  var hasEnd = false
  var repeatsWeekly = false
  /// Fields of the definition that the times use.
  var fields = JSONWriter(inAnyOrder: true)
  /// The paths that times use. They cannot be titles.
  var used: Set<String> = []
  /// Replaces the items' own `each` if every item has a list of times of day. Each of those times is then an item.
  var each: String?

  /// - Parameters:
  ///   - root: the scalar members of the document.
  init?(_ items: SampleItems, root: [SampleField], document: JSONValue) {
    let moments = items.fields.filter { $0.isMoment && $0.isEverywhere && !$0.hasAny(of: SampleField.updateWords) }
    let clocks = items.fields.filter { $0.isClock && $0.isEverywhere }
    let starts = moments.filter { !$0.hasAny(of: SampleField.endWords) }
    if let start = starts.max(by: { Self.rank($0) < Self.rank($1) }) {
      guard case .moment(let form, let hasTime) = start.shape else { return nil }
      if !hasTime, let times = Self.lists(ofTimesIn: items), Self.isBeforeAll(start) {
        begin(daily: start, form, at: times, in: items)
      } else {
        begin(start, form, hasTime: hasTime, clocks)
        end(moments.filter { $0.path != start.path }, clocks, start, form)
        // Items with a text are more likely events, and an event does not last until the next one.
        let isSeries = items.kind == .columns || !items.fields.contains { $0.shape == .text }
        if !hasEnd, self.hasTime, isSeries, Self.isEven(start) {
          members.member("end", "next")
          reasons.append("end: the next start, because the starts are equally far from one another")
          hasEnd = true
        }
      }
    } else if let weekday = items.fields.first(where: { $0.shape == .weekday && $0.isEverywhere }), !clocks.isEmpty {
      begin(weekly: weekday, clocks, root: root, document)
    } else {
      return nil
    }
  }

  // MARK: Moments and days

  /// How clearly the name of a field indicates a start; a greater rank is clearer.
  private static func rank(_ field: SampleField) -> Int {
    if field.hasAny(of: SampleField.startWords) { return 2 }
    return field.hasAny(of: SampleField.timeWords) ? 1 : 0
  }

  /// Adds a rule for the start or end.
  ///
  /// - Parameters:
  ///   - path: the path of a moment or of a day.
  ///   - hasTime: whether the pattern includes a time of day.
  ///   - clock: the time of day, if it is a member of its own.
  private mutating func add(
    _ key: StaticString, _ path: String, _ form: String?, hasTime: Bool = false,
    clock: (path: String, form: String?)? = nil
  ) {
    if form == nil, clock == nil { return members.member(key, path) }
    members.member(
      key,
      object: { json in
        let isMoment = clock == nil && (hasTime || ["unix", "unix-ms", "apple"].contains(form))
        json.member(isMoment ? "at" : "day", path)
        if let form { json.member("as", form) }
        if let clock { json.member("time", clock.path) }
        if let form = clock?.form { json.member("timeAs", form) }
      })
  }

  private static func rule(of clock: SampleField?) -> (path: String, form: String?)? {
    guard let clock, case .clock(let form) = clock.shape else { return nil }
    return (clock.path, form)
  }

  private mutating func begin(_ start: SampleField, _ form: String?, hasTime: Bool, _ clocks: [SampleField]) {
    let clock = hasTime ? nil : Self.startClock(clocks)
    self.hasTime = hasTime || clock != nil
    add("start", start.path, form, hasTime: hasTime, clock: Self.rule(of: clock))
    used.formUnion([start.path] + (clock.map { [$0.path] } ?? []))
    reasons.append("start: \(start.path)\(clock.map { " and \($0.path)" } ?? ""), \(Self.words(start, form))")
  }

  private mutating func end(
    _ others: [SampleField], _ clocks: [SampleField], _ start: SampleField, _ startForm: String?
  ) {
    if let end = others.first(where: { $0.hasAny(of: SampleField.endWords) }),
      case .moment(let form, let hasTime) = end.shape
    {
      add("end", end.path, form, hasTime: hasTime)
      reasons.append("end: \(end.path), \(Self.words(end, form))")
      used.insert(end.path)
      hasEnd = true
    } else if hasTime, case .moment(_, false) = start.shape,
      let clock = clocks.first(where: { $0.hasAny(of: SampleField.endWords) })
    {
      add("end", start.path, startForm, clock: Self.rule(of: clock))
      reasons.append("end: \(start.path) and \(clock.path), because the name says so")
      used.insert(clock.path)
      hasEnd = true
    }
  }

  private static func startClock(_ clocks: [SampleField]) -> SampleField? {
    let clocks = clocks.filter { !$0.hasAny(of: SampleField.endWords) }
    return clocks.max { rank($0) < rank($1) }
  }

  private static func words(_ field: SampleField, _ form: String?) -> String {
    switch form {
    case nil: return "written as ISO 8601"
    case "unix"?: return "seconds since 1970"
    case "unix-ms"?: return "milliseconds since 1970"
    case "apple"?: return "seconds since 2001"
    case let pattern?:
      let swapped = [("dd/MM", "MM/dd"), ("d/M", "M/d"), ("dd-MM", "MM-dd")].first { pattern.hasPrefix($0.0) }
      let other = swapped.map { $0.1 + pattern.dropFirst($0.0.utf8.count) }
      let advice = other.map { field.fits($0) ? "; if months come first, write \($0)" : "" } ?? ""
      return "written as \(pattern)\(advice)"
    }
  }

  /// Whether there are at least three moments, in ascending order and evenly spaced.
  private static func isEven(_ field: SampleField) -> Bool {
    guard let seconds = field.seconds, seconds.count > 2 else { return false }
    let steps = zip(seconds.dropFirst(), seconds).map { $0 - $1 }
    return steps.allSatisfy { $0 == steps[0] && $0 > 0 }
  }

  // MARK: Days and lists of times

  /// The member that is a list of times of day in every item.
  private static func lists(ofTimesIn items: SampleItems) -> (key: String, form: String?)? {
    guard items.kind != .columns, items.kind != .document, items.parents.isEmpty else { return nil }
    let keys = (items.rows.first?.object ?? [:]).keys.sorted { isOrdered($0, before: $1) }
    // A sample may be any file, so the number of keys is limited, as for the keys that become fields.
    for key in keys.prefix(100) {
      let lists = items.rows.compactMap { $0[key]?.array }
      let times = lists.joined().compactMap(\.string)
      guard lists.count == items.rows.count, !times.isEmpty, times.count == lists.reduce(0, { $0 + $1.count }) else {
        continue
      }
      let field = SampleField("", key, words: [], times.map { .string($0) }, isEverywhere: true)
      if case .clock(let form) = field.shape { return (key, form) }
    }
    return nil
  }

  /// Whether the name of a day indicates that something applies from then on.
  private static func isBeforeAll(_ field: SampleField) -> Bool {
    field.hasAny(of: SampleField.startWords.union(["since"]))
  }

  private mutating func begin(
    daily start: SampleField, _ form: String?, at times: (key: String, form: String?), in items: SampleItems
  ) {
    each = items.each + SampleItems.selector(times.key) + "[*]"
    add("start", "^" + start.path.dropFirst(), form, clock: ("@", times.form))
    members.member("repeats", "FREQ=DAILY")
    reasons = ["start: each of \(times.key), every day since \(start.path), because it is a list of times of day"]
    used = [start.path]
    hasTime = true
  }

  // MARK: Weekdays

  private mutating func begin(
    weekly weekday: SampleField, _ clocks: [SampleField], root: [SampleField], _ document: JSONValue
  ) {
    guard let clock = Self.startClock(clocks) else { return }
    // Weeks count from this day. If the document names none, any Monday will do.
    let first = root.first { if case .moment(nil, false) = $0.shape { true } else { false } }
    let day = first?.path ?? "2024-01-01"
    add("start", day, nil, clock: Self.rule(of: clock))
    used = [weekday.path, clock.path]
    reasons = ["start: \(clock.path) on each \(weekday.path)\(first.map { ", since \($0.path)" } ?? "")"]
    if let end = clocks.first(where: { $0.hasAny(of: SampleField.endWords) }) {
      add("end", day, nil, clock: Self.rule(of: end))
      used.insert(end.path)
      reasons.append("end: \(end.path), because the name says so")
      hasEnd = true
    }
    members.member("repeats", "FREQ=WEEKLY;BYDAY={weekday}")
    reasons.append("repeats: every week, because \(weekday.path) is a weekday; other weeks than all are not guessed")
    let words = Set(weekday.values.compactMap(\.string).map { ExactText($0) }).sorted().map(\.wrappedValue)
    if words.allSatisfy({ WeekdayWords.rule(of: $0) == $0 }) {
      fields.member("weekday", weekday.path)
    } else {
      fields.member(
        "weekday",
        object: { json in
          json.member("from", weekday.path)
          json.member(
            "map",
            object: { json in
              for word in words {
                json.key(named: word)
                json.string(WeekdayWords.rule(of: word) ?? word)
              }
            })
        })
    }
    if let out = document.object?.keys.sorted(by: { isOrdered($0, before: $1) }).first(where: { key in
      !Set(SampleField.words(of: key)).isDisjoint(with: ["holiday", "holidays", "except", "exceptions"])
        && (document[key]?.array ?? [.null]).allSatisfy { $0.string.map { LocalDay($0) != nil } ?? false }
    }) {
      members.member("except", "$\(SampleItems.selector(out))[*]")
      reasons.append("except: the days in \(out)")
    }
    hasTime = true
    repeatsWeekly = true
  }
}
