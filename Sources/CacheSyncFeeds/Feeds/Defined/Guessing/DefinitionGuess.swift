import CacheSyncSystem

/// A first definition, guessed from a sample (commands.md: feed new). It is valid, and reads the sample.
///
/// Where values do not show what they mean, their names decide. What was not guessed is in the definition's `comment`.
package struct DefinitionGuess: Sendable {
  /// The file's content.
  package let document: String
  /// What was guessed, one line for each guess.
  package private(set) var reasons: [String]
  /// What may be shown wrongly, or not at all.
  package private(set) var cautions: [String] = []
  /// Whether a title or a value was found.
  package let isUseful: Bool

  /// A definition to use without a sample: a list of items with a title and a start.
  package static func withoutSample(named name: String, because reason: String = "no sample was given") -> Self {
    let sample = #"{"items":[{"title":"First","start":"2026-11-24T10:00"}]}"#
    let moment = Moment(Instant(seconds: 1_795_478_400), calendar: CivilCalendar(.utc), firstWeekday: .monday)
    let frame = SampleFrame(Array(sample.utf8), TimeZones(environment: nil), moment)
    let document = frame.flatMap { read($0, named: name) }?.document
    let reasons = ["\(reason): the definition reads files such as \(sample)"]
    return Self(document: document ?? "{}\n", reasons: reasons, isUseful: false)
  }

  /// Guesses a definition that reads the sample, and shows something of it at the moment; nil if it is not JSON.
  package static func of(_ bytes: [UInt8], named name: String, zones: TimeZones, at moment: Moment) -> Self? {
    guard let frame = SampleFrame(bytes, zones, moment) else { return nil }
    var guess = read(frame, named: name) ?? withoutSample(named: name, because: "nothing was found in the sample")
    for table in frame.tables where table.count > DefinedFileReading.mostItems {
      guess.reasons.append("left out: \(table.each) has \(table.count) items, and a file may have 10,000")
    }
    return guess
  }

  /// The best guess that reads the sample. Only the first items were looked at, so a guess may be wrong for a later one.
  private static func read(_ frame: SampleFrame, named name: String) -> Self? {
    // Each is as much work as a reading.
    for draft in DefinitionDraft.all(in: frame).prefix(4) {
      for times in draft.times == nil ? [nil] : [draft.times, nil] {
        var draft = draft
        draft.times = times
        guard let items = items(of: draft.document(named: name), in: frame, named: name) else { continue }
        let isRead = times == nil ? !items.isEmpty || draft.table.count == 0 : items.contains { $0.times != nil }
        if !isRead { continue }
        draft.choose(for: items.compactMap(\.times))
        let (document, cautions) = (draft.document(named: name), draft.cautions)
        return Self(document: document, reasons: draft.reasons, cautions: cautions, isUseful: draft.isLabelled)
      }
    }
    return nil
  }

  private static func items(of document: String, in frame: SampleFrame, named name: String) -> [FoundItem]? {
    guard let definition = DefinitionsFeed.read(Array(document.utf8), named: name).definition,
      let session = frame.bytes.withUnsafeBytes({ definition.session(in: $0, zones: frame.zones).session })
    else { return nil }
    let (items, path, moment) = (DefinedItems(definition), CachePath("sample.json"), frame.moment)
    items.put(session, path: path, modified: moment.instant, isUnusable: false, in: moment.calendar)
    return items.found
  }

  /// Why a sample is not JSON.
  package static func problems(ofSample bytes: [UInt8]) -> [Problem] {
    bytes.withUnsafeBytes { bytes in
      let defects = JSONTree.read(bytes, strictly: true).defects
      return zip(defects, JSONPlace.of(defects, in: bytes)).map { Problem(path: .root, $0, at: $1) }
    }
  }
}

private struct DefinitionDraft {
  let table: SampleTable
  private(set) var labels: GuessedLabels
  fileprivate(set) var times: GuessedTimes?
  private let frame: SampleFrame
  private var timeZone: String? { frame.zone?.path }
  /// What is shown, as members of the kind, and why; and the text for all items.
  private var (show, why, text) = (#""show":"all""#, "all of them", "{count} {count:item|items}")
  private init(_ table: SampleTable, _ frame: SampleFrame) {
    (self.table, self.frame) = (table, frame)
    (labels, times) = (GuessedLabels(table, frame.root), GuessedTimes(table, frame))
    if let step = times?.step, labels.value?.path == step.path { labels.dropValue() }
    let seconds = times?.columns.seconds.compactMap(\.self) ?? []
    let steps = zip(seconds.dropFirst(), seconds).map { $0 - $1 }
    // A forecast has a text for each hour, such as "rain", but people look at its values.
    let isEven = steps.count > 2 && steps[0] > 0 && steps.count { $0 == steps[0] } * 5 >= steps.count * 3
    if labels.valueIsClear, !labels.titleIsClear, isEven { labels.dropTitle() }
    let isSeries = labels.value != nil && (labels.title == nil || table.kind == .columns)
    if isSeries, steps.count > 1, steps.allSatisfy({ $0 > 0 }) { times?.endWithNext() }
    // A document as a whole has the time at which it was made.
    let isOver = labels.value != nil && seconds.allSatisfy { $0 <= Int(frame.moment.instant.seconds) }
    if table.kind == .document, times?.columns.rank == .past || isOver { times = nil }
  }

  var isLabelled: Bool { labels.title != nil || labels.value != nil }
  static func all(in frame: SampleFrame) -> [DefinitionDraft] {
    let all = frame.tables.map { DefinitionDraft($0, frame) }
    var drafts = all.filter { draft in !all.contains { draft.belongs(to: $0) } }
    for place in drafts.indices where drafts[place].times?.isOwn ?? false {
      for other in drafts where other.times == nil {
        drafts[place].labels.take(other.labels.title, of: other.table, for: drafts[place].table)
      }
    }
    return drafts.sorted { $0.rank > $1.rank }
  }

  /// By whether items have a time and a label, then by how many have both; of equal tables that with weekdays, then the
  /// nearest to the top.
  private var rank: (Int, Double, Int, Int) {
    let isPlain = table.isScalars && !table.isKeyed
    let untimed = !isLabelled || isPlain && labels.title == nil ? 0 : table.kind == .document ? 1 : isPlain ? 2 : 3
    let timed = table.kind == .document || !isLabelled ? 2 : 5
    let (count, isWeekly) = (Double(table.count) * (times?.columns.coverage ?? 1), times?.weekday != nil)
    return (times == nil ? untimed : timed, count, isWeekly ? 1 : 0, -table.names.count)
  }

  /// Whether these items only describe those of another table, such as an event's guests.
  private func belongs(to other: DefinitionDraft) -> Bool {
    guard table.each != other.table.each, table.each.hasPrefix(other.table.each) else { return false }
    let names = table.names.dropFirst(other.table.names.count).flatMap { SampleWords.of($0) }
    let hasTitle = other.labels.titleDiffers
    if hasTitle && names.hasAny(of: [.subordinate]) { return true }
    if other.table.kind == .document {
      // The log of a device beside its values.
      let isSmall = !table.isKeyed && (table.isScalars || table.count == 1) && times == nil
      return table.kind == .document || isSmall && hasTitle && other.labels.valueIsClear
    }
    // Items that have the other's time need not be shown apart from it, unless the other has no name.
    guard other.times?.isOwn ?? false, !(times?.isOwn ?? false) else { return false }
    return hasTitle || other.labels.value != nil && (table.isKeyed || table.count <= other.table.count)
  }

  mutating func choose(for items: [Range<Instant>]) {
    let (moment, now) = (frame.moment, frame.moment.instant)
    let next = items.filter { $0.upperBound > now }.map(\.lowerBound).min()
    let within = [7, 14, 31, 92, 183, 366].first { days in
      next.map { $0 <= moment.calendar.sameWallTime(as: now, addingDays: days) } ?? false
    }
    let what = labels.away == nil ? "{what}" : "{what} – {against}"
    if table.kind == .document { text = what }
    guard let times else { return }
    let isPast = times.columns.rank == .past
    if labels.title == nil, items.contains(where: { $0.contains(now) }) {
      (show, why) = (#""show":"now""#, "the value in force now")
    } else if times.repeats == nil, times.isDue || isPast, items.contains(where: { $0.lowerBound <= now }) {
      (show, why) = (#""show":"due""# + (isPast ? #","order":["-start"]"# : ""), "what was due or happened until now")
      text = isPast ? what : "{count} due, first \(what)"
    } else if times.repeats == nil, within == nil {
      show += next == nil ? #","order":["-start"]"# : ""
      why = next == nil ? "all: every time in the sample is past" : "all: the next is more than a year away"
    } else if times.weekday != nil || !times.hasTime && times.repeats == nil && labels.title != nil {
      (show, text) = (
        #""show":"nextDay","within":\#(max(within ?? 0, 14))"#,
        "{when:relative}: \(labels.away == nil ? "{names}" : what)"
      )
      why = "the next day that has any, within \(max(within ?? 0, 14)) days"
    } else {
      let days = times.repeats == "FREQ=DAILY" ? 1 : times.repeats == "FREQ=YEARLY" ? 366 : within ?? 7
      (show, why) = (#""show":"coming","within":\#(days)"#, "what is on or starts within \(counted(days, "day"))")
      text = (times.hasTime ? "{when:relative} {when:HH:mm} " : "{when:relative}: ") + what
    }
  }

  private var fields: [(String, String?)] {
    let words = (times?.weekday?.weekdays ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, Optional($0.value.quoted)) }
    let rules = (times?.rule?.rules ?? []).filter { $0.text != $0.rule }.map { ($0.text, Optional($0.rule.quoted)) }
    let isNumber = labels.value.map { $0.shape == .number && !$0.texts.isEmpty && !$0.hasCommas } ?? false
    return [
      ("title", labels.title.map { $0.field(map: labels.names, as: $0.hasMarkup ? "plain" : nil) }),
      ("away", labels.away?.path.quoted),
      ("value", labels.value.map { $0.field(as: isNumber ? "number" : nil, scale: labels.scale) }),
      ("unit", labels.unit?.path.quoted), ("rule", times?.rule.map { $0.field(map: rules, as: nil) }),
      ("weekday", times?.weekday.map { $0.field(map: words, as: nil) }),
      ("identifier", labels.id?.path.quoted), ("begins", times?.gaps?.json),
    ] + labels.signs.map { ($0.name, $0.column.path.quoted) }
  }

  private var rules: [(String, String?)] {
    let conditions = [
      labels.title?.coverage ?? 1 < 1 ? #"{"field":"title","isNot":null}"# : nil,
      times?.gaps == nil ? nil : #"{"field":"begins","isNot":null}"#,
      labels.signs.isEmpty ? nil : labels.signs.map(\.condition).joined(separator: ","),
    ].compactMap(\.self)
    return [
      ("where", conditions.isEmpty ? nil : "[\(conditions.joined(separator: ","))]"),
      ("id", labels.id == nil ? nil : "{identifier}".quoted), ("start", times?.start), ("end", times?.end),
      ("repeats", times?.repeats?.quoted),
    ]
  }

  func document(named name: String) -> String {
    let each = [("each", table.each.quoted), ("columns", table.kind == .columns ? "true" : nil)]
    let document = String.object([
      ("comment", comment.json), ("version", "1"), ("use", labels.id == nil ? "newest".quoted : nil),
      ("timeZone", times == nil ? nil : timeZone?.quoted),
      ("items", String.object(each + [("fields", String.object(fields))] + rules)),
      ("kinds", String.object([(name, kind)])),
    ])
    return (Array(document.utf8).withUnsafeBytes { JSONTree.read($0).tree?.printed } ?? "") + "\n"
  }

  private var kind: String {
    if labels.title == nil, labels.value != nil {
      let values = [("now", #"{"first":"value"}"#), ("unit", labels.unit == nil ? nil : #"{"first":"unit"}"#)]
      let content = [("value", "{now}".quoted), ("unit", unit?.quoted)]
      return #"{\#(show),"template":"value","values":\#(String.object(values)),"content":\#(String.object(content))}"#
    }
    let text = labels.title == nil ? "{count} {count:item|items}" : text
    let values = [
      ("when", #"{"first":"start"}"#), ("what", #"{"first":"title"}"#), ("names", #"{"list":"title"}"#),
      ("against", #"{"first":"away"}"#),
    ]
    let day = times == nil ? "" : "{start:EEE} {start:d MMM}"
    let amount = "{value}" + (unit.map { " " + $0 } ?? "")
    let about = labels.value == nil ? "" : times == nil ? amount : " " + amount
    let title = labels.away == nil ? "{title}" : "{title} – {away}"
    let soon = show.contains("within") ? " soon" : ""
    let whole = #"{"if":{"field":"allDay","is":true},"text":"\#(day)\#(about)"}"#
    return #"{\#(show),"values":\#(String.object(values.filter { text.contains("{" + $0.0) })),"#
      + #""content":{"text":\#(text.quoted)},"empty":{"text":"Nothing\#(soon)"},"items":{"title":"#
      + #""\#(labels.title != nil ? title : times == nil ? "{index}" : "{start:d MMM}")","detail":"#
      + (times?.hasTime ?? false ? #"[\#(whole),"\#(day) {start:HH:mm}\#(about)"]}}"# : #""\#(day)\#(about)"}}"#)
  }

  /// The text of the value's unit.
  private var unit: String? { labels.unit == nil ? labels.unitSign : "{unit}" }

  /// How items would follow one another from the start that they share.
  private var stepHint: String? {
    guard let times, let step = times.step, let start = times.columns.first else { return nil }
    let (name, isWeek) = (step.ownWords.last ?? "step", step.isNamed(.weeks))
    return #"items.start: { "day": "\#(start.path)", "plus": "P{\#(name)}\#(isWeek ? "W" : "D")" }, with "#
      + #""\#(name)": "\#(step.path)" in items.fields, if it counts \#(isWeek ? "weeks" : "days") from the start"#
  }

  /// What was not found, or is never guessed, and how to add it.
  private var comment: [String] {
    let isBare = labels.value != nil && unit == nil
    let lines: [(Bool, String)] = [
      (stepHint != nil, stepHint ?? ""),
      (times == nil, #"items.start: "@.date", or { "day": "@.date", "as": "dd.MM.yyyy", "time": "@.time" }"#),
      (times?.end == nil, #"items.end: "@.until", or items.lasts: "PT1H""#),
      (timeZone == nil, #"timeZone: "Europe/Berlin", if times without a zone are not local"#),
      (labels.id == nil, #"items.id: "{identifier}", with "identifier": "@.id" in items.fields"#),
      (labels.signs.isEmpty, #"items.where: { "field": "state", "isNot": "done" }, with it in items.fields"#),
      (isBare, #"value: { "from": "@.temp", "plus": -273.15, "round": 1 }, and "unit": "°C" in content"#),
      (true, #"updated: "$.generated", the time at which the file was made"#),
    ]
    return ["What was not guessed, and how to add it:"] + cautions + lines.filter(\.0).map(\.1)
      + [unused].compactMap { $0.map { "also in the file: \($0)" } }
  }

  /// What may be shown wrongly, or not at all.
  var cautions: [String] {
    let unread = table.columns.filter { column in
      column.isOwn && column.shape == .text && column.hasAny(of: .start, .end, .time, .yearly) && column.rules == nil
        && column.texts.allSatisfy { $0.utf8.count <= 48 && $0.contains(/^[0-9]+[-:.\/h]/) }
    }
    let lists = frame.tables.filter { list in
      list.each.hasPrefix(table.each) && list.columns.contains { $0.path == "@" && $0.shape == .weekday }
    }
    let days = lists.map(\.each) + table.columns.filter { $0.isOwn && $0.isNamed(.days) }.map(\.path)
    return labels.cautions + (times?.cautions ?? [])
      + unread.map { #"\#($0.path) is not read as a time ("\#($0.texts[0])"): write its notation as "as" or "timeAs""# }
      + (times?.repeats == "FREQ=DAILY" ? days : []).map {
        #"all items repeat every day; if \#($0) has their days, map those to MO … SU in a field "day", "#
          + #"and write "repeats": "FREQ=WEEKLY;BYDAY={day}""#
      }
  }

  /// What is not used: flags, lists (neither columns nor what is around the items), and other members.
  private var unused: String? {
    let used = String.object(fields + rules)
    let rest = table.columns.filter { !$0.isKey && !used.contains($0.path.quoted) }
    let lists = frame.tables.filter { $0.kind != .document }.map(\.each).filter {
      table.kind == .columns ? !$0.hasPrefix(table.each) : !table.each.hasPrefix($0)
    }
    let paths = rest.filter { $0.shape == .flag }.map(\.path) + lists + rest.filter { $0.shape != .flag }.map(\.path)
    let more = paths.count > 20 ? " and \(paths.count - 20) more" : ""
    return paths.isEmpty ? nil : paths.prefix(20).joined(separator: ", ") + more
  }

  var reasons: [String] {
    let items = table.kind == .document ? "the document, because no list was found" : counted(table.count, "item")
    let unread = times?.unreadRule?.path
    let use = labels.id == nil ? "only the newest file counts, because items have no id of their own" : nil
    var lines = [("items", "\(table.each), \(items)")] + fields + rules
    lines += [
      ("use", use), ("times", times == nil ? "none that most items have, or they are past" : nil),
      ("timeZone", times == nil ? nil : timeZone),
      ("not used", unread.map { "\($0), which has no rules; write one such as FREQ=WEEKLY in items.repeats" }),
      ("the same start for all", stepHint), ("also in the file", unused), ("show", why),
    ]
    return lines.compactMap { name, text in text.map { "\(name): \($0.filter { $0 != "\"" })" } }
  }
}

extension SampleColumn {
  fileprivate func field(map: [(String, String?)] = [], as conversion: String?, scale: String? = nil) -> String {
    let map = map.isEmpty ? nil : String.object(map)
    let parts = [("map", map), ("as", conversion?.quoted), ("scale", scale), ("round", scale.map { _ in "4" })]
    return parts.allSatisfy { $1 == nil } ? path.quoted : .object([("from", path.quoted)] + parts)
  }
}
