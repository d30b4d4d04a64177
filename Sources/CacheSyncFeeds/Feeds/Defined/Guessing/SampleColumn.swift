/// A column of a sample's table: a member of its items, or of what is around them.
struct SampleColumn {
  enum Shape { case moment, clock, weekday, number, text, flag, other }

  /// As a definition writes it: `@.collectionDate`.
  let path: String
  /// The words of the names in the path, and those of the member's own name.
  let words: [String]
  let ownWords: [String]
  /// 0 for a member of the item itself, 1 for one of the object nearest around it, and so on.
  let level: Int
  /// How many names lie between the item, or the object around it, and the member.
  let depth: Int
  /// Whether it is the key of the item or of a container around it.
  let isKey: Bool
  /// One for each item; nil where the member is missing, null or an empty text.
  let values: [JSONValue?]
  private(set) var shape: Shape
  /// For each item its time. A time of day is one of 1970-01-01. Empty if the values are neither.
  private(set) var times: [WrittenTime?] = []
  private(set) var notation = TimeNotation.iso
  /// The days of rules for the texts, if all are weekdays.
  private(set) var weekdays: [String: String] = [:]
  init(_ cell: SampleTable.Cell, _ values: [JSONValue?], _ now: Instant) {
    (path, level, isKey, self.values) = (cell.path, cell.level, cell.isKey, values)
    depth = max(cell.names.count - 1, 0)
    ownWords = SampleWords.of(cell.names.last ?? "")
    words = cell.names.flatMap { SampleWords.of($0) }
    let found = values.compactMap(\.self)
    let texts = found.compactMap(\.string)
    let flags = found.count { $0.bool != nil }
    shape = flags > 0 && flags == found.count ? .flag : flags > 0 || found.isEmpty ? .other : .text
    guard shape == .text else { return }
    weekdays = TimeNotation.weekdays(Set(texts)) ?? [:]
    let isHour = ownWords.count == 2 && ownWords[1] == "time" && hasAny(of: .start, .end)
    if read(notations(of: found, texts, now)) {
      shape = .moment
    } else if !weekdays.isEmpty {
      shape = .weekday
    } else if !hasAny(of: .quantity), read(TimeNotation.clocks.filter { isHour || $0.text != "Hmm" }) {
      shape = .clock
    } else if hasCommas || found.allSatisfy({ $0.number != nil }) {
      shape = .number
    }
  }

  var isOwn: Bool { level == 0 && !isKey }
  var coverage: Double { Double(values.count { $0 != nil }) / Double(max(values.count, 1)) }
  /// Each value once.
  var different: [JSONValue] {
    var known: Set<ExactText> = []
    return values.compactMap(\.self).filter { known.insert($0.identity).inserted }
  }
  var identities: Set<ExactText> { Set(values.compactMap { $0?.identity }) }
  var differs: Bool { identities.count > 1 }
  var isDay: Bool { shape == .moment && times.allSatisfy { !($0?.hasTime ?? false) } }
  var texts: [String] { values.compactMap { $0?.string } }
  /// Whether texts are numbers such as "3,5" and "1.234,50".
  var hasCommas: Bool {
    texts.contains { $0.contains(",") } && texts.allSatisfy { $0.wholeMatch(of: /-?[0-9.]+(,[0-9]{1,2})?/) != nil }
  }
  /// Whether texts have entities or tags, as those of web feeds do.
  var hasMarkup: Bool { texts.contains { $0.contains(/<\/|\/>|&#?[A-Za-z0-9]{1,9};/) } }
  var averageLength: Int { texts.reduce(0) { $0 + min($1.utf8.count, 1_000) } / max(texts.count, 1) }
  func hasAny(of meanings: SampleWords...) -> Bool { words.hasAny(of: meanings) }
  func isNamed(_ meanings: SampleWords...) -> Bool { ownWords.hasAny(of: meanings) }
  /// The sign of the unit at the end of the name.
  var unitOfName: String? {
    let isWhole = ownWords.count == 1 && ownWords[0].utf8.count < 2
    let sign = isWhole ? nil : ownWords.last.flatMap { SampleWords.units.meaning(of: $0) }
    return isNamed(.rates) && sign?.uppercased() != sign ? nil : sign
  }
  var isMinor: Bool { hasAny(of: .minor) || hasAny(of: .small) && hasAny(of: .sum) }
  /// The rules for the texts, if all are rules or words for them.
  var rules: [(text: String, rule: String)]? {
    let texts = shape == .text ? Set(texts).sorted() : []
    let rules = texts.compactMap { text in
      let rule = isNamed(.repetition) ? SampleWords.rules.meaning(of: text.lowercased()) : nil
      return (text.uppercased().hasPrefix("FREQ=") ? text : rule).map { (text, $0) }
    }
    return rules.isEmpty || rules.count < texts.count ? nil : rules
  }

  /// The notation with the month before the day, if it would read the values as well.
  var monthFirst: String? {
    let text = (notation.text ?? "").replacing(/^(dd?)([\/-])(MM?)/) { "\($0.3)\($0.2)\($0.1)" }
    let other = TimeNotation.moments.first { $0.text == text && text != notation.text }
    return other.flatMap { other in values.allSatisfy { $0 == nil || $0.flatMap(other.time) != nil } ? text : nil }
  }

  /// Reads the values with the notation that fits most of them. A few may say "unknown".
  private mutating func read(_ notations: [TimeNotation]) -> Bool {
    for other in notations {
      let found = values.map { $0.flatMap(other.time) }
      let count = found.count { $0 != nil }
      let isMost = Double(count) >= 0.6 * coverage * Double(values.count)
      if isMost, count > times.count(where: { $0 != nil }) { (times, notation) = (found, other) }
    }
    return !times.isEmpty
  }

  /// The notations that the values may have. The first text may be one of the few that are no times.
  private func notations(of values: [JSONValue], _ texts: [String], _ now: Instant) -> [TimeNotation] {
    func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    if texts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }) {
      let numbers = values.compactMap(\.number)
      // A price or an amount may be as large as a time. Under another name, whole numbers near now are times.
      let mayBe = !hasAny(of: .quantity) && numbers.allSatisfy { $0 == $0.rounded() }
      for (form, unit) in [(TimeNotation.seconds, 1.0), (.milliseconds, 1_000)] {
        let areNear = mayBe && numbers.allSatisfy { abs($0 / unit - Double(now.seconds)) < 1e8 }
        let areTimes =
          hasAny(of: .start, .end, .time, .past) && numbers.allSatisfy { (1e9...4.1e9).contains($0 / unit) }
        if areNear || areTimes { return [form] }
      }
      if hasAny(of: .quantity) { return [] }
    }
    if texts.isEmpty { return TimeNotation.moments.filter { $0.text == "yyyyMMdd" } }
    if texts.count < values.count { return [] }
    let some = texts.filter { $0.utf8.contains(where: isDigit) && $0.utf8.count <= 48 }.prefix(3)
    return TimeNotation.moments.filter { form in some.contains { form.time(.string($0)) != nil } }
  }
}
