/// A member of a sample's items, with its value in each.
struct SampleField {
  /// As a definition writes it: `@.collectionDate`.
  let path: String
  /// The member's own name, without the names around it.
  let name: String
  /// The words of the names in the path: `collectionDate` gives "collection" and "date".
  let words: [String]
  /// One for each item that has a value other than null.
  let values: [JSONValue]
  /// Whether every item has a value.
  let isEverywhere: Bool
  let shape: Shape

  /// What the values look like.
  enum Shape: Equatable {
    /// - as: the `as` of the definition; nil for a date or a day in ISO 8601.
    case moment(as: String?, hasTime: Bool)
    /// A time of day.
    case clock(as: String?)
    case weekday
    case number, text, flag, other
  }

  init(_ path: String, _ name: String, words: [String], _ values: [JSONValue], isEverywhere: Bool) {
    self.path = path
    self.name = name
    self.words = words
    self.values = values
    self.isEverywhere = isEverywhere
    shape = SampleField.shape(of: values, named: words)
  }

  var isMoment: Bool { if case .moment = shape { true } else { false } }

  var isClock: Bool { if case .clock = shape { true } else { false } }

  func hasAny(of others: Set<String>) -> Bool { words.contains(where: others.contains) }

  /// The words of a name, in lower case. A word ends at any character that is not a letter or a digit, and before a
  /// capital that follows a small letter.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var wasSmall = false
    var isOpen = false
    for scalar in name.unicodeScalars {
      let properties = scalar.properties
      guard properties.isAlphabetic || properties.numericType != nil else {
        isOpen = false
        continue
      }
      if !isOpen || wasSmall && properties.isUppercase { words.append("") }
      words[words.count - 1] += properties.lowercaseMapping
      isOpen = true
      wasSmall = properties.isLowercase
    }
    return words
  }

  // MARK: Words in names

  static let startWords: Set<String> = ["start", "starts", "begin", "begins", "from", "departure", "dep"]
  static let endWords: Set<String> = [
    "end", "ends", "until", "till", "to", "finish", "stop", "arrival", "expires", "expiry", "through",
  ]
  static let timeWords: Set<String> = [
    "when", "date", "day", "due", "at", "time", "on", "scheduled", "planned", "timestamp", "stamp", "datetime",
  ]
  /// Words for the producer's own times, at which nothing happens to an item.
  static let updateWords: Set<String> = [
    "updated", "update", "modified", "created", "generated", "fetched", "published", "changed",
  ]

  // MARK: Shapes

  /// Numeric patterns that programs and people write; a time of day may follow after a blank. The first pattern that
  /// reads every value counts, so an ambiguous date has its day before its month.
  static let dayPatterns = [
    "dd/MM/yyyy", "MM/dd/yyyy", "d/M/yyyy", "M/d/yyyy", "dd.MM.yyyy", "d.M.yyyy", "dd-MM-yyyy", "yyyy/MM/dd",
    "yyyy.MM.dd", "yyyyMMdd",
  ]
  private static let timePatterns = (["yyyy-MM-dd"] + dayPatterns).flatMap { ["\($0) HH:mm", "\($0) HH:mm:ss"] }

  /// How many values to test. The first values show what the others are like, and a sample may be any file.
  private static let mostValues = 500

  private static func shape(of values: [JSONValue], named words: [String]) -> Shape {
    let values = values.prefix(mostValues)
    guard !values.isEmpty else { return .other }
    let texts = values.compactMap(\.string)
    if texts.count == values.count { return shape(ofTexts: texts) }
    let numbers = values.compactMap(\.double)
    if numbers.count == values.count { return shape(ofNumbers: numbers, named: words) }
    return values.allSatisfy { $0.bool != nil } ? .flag : .other
  }

  private static func shape(ofTexts texts: [String]) -> Shape {
    if let moment = moment(texts.map { .text($0) }, as: nil) { return moment }
    if texts.allSatisfy({ WrittenTime.secondOfDay(.text($0), nil) != nil }) { return .clock(as: nil) }
    if reads(texts, pattern: "H:mm", for: .time) { return .clock(as: "H:mm") }
    if let pattern = dayPatterns.first(where: { reads(texts, pattern: $0, for: .day) }) {
      return .moment(as: pattern, hasTime: false)
    }
    if let pattern = timePatterns.first(where: { reads(texts, pattern: $0, for: .day) }) {
      return .moment(as: pattern, hasTime: true)
    }
    if texts.allSatisfy({ WeekdayWords.rule(of: $0) != nil }) { return .weekday }
    return .text
  }

  private static func shape(ofNumbers numbers: [Double], named words: [String]) -> Shape {
    // A price or an amount may be as large as a time, so the name has to indicate a time.
    guard words.contains(where: { startWords.union(endWords).union(timeWords).union(updateWords).contains($0) }) else {
      return .number
    }
    func are(_ range: Range<Double>) -> Bool { numbers.allSatisfy(range.contains) }
    // Unix times from 2001 to 2099, and Apple times from 2020 to 2032: later ones would look like Unix times.
    if are(1e9..<4.1e9) { return .moment(as: "unix", hasTime: true) }
    if are(1e12..<4.1e12) { return .moment(as: "unix-ms", hasTime: true) }
    if are(6e8..<1e9) { return .moment(as: "apple", hasTime: true) }
    let digits = numbers.compactMap { Int(exactly: $0) }.map { "\($0)" }
    if are(1.9e7..<2.2e7), digits.count == numbers.count, reads(digits, pattern: "yyyyMMdd", for: .day) {
      return .moment(as: "yyyyMMdd", hasTime: false)
    }
    return .number
  }

  /// Whether the values also fit another pattern for days.
  func fits(_ pattern: String) -> Bool { Self.reads(values.compactMap(\.string), pattern: pattern, for: .day) }

  private static func reads(_ texts: [String], pattern: String, for purpose: TimePattern.Purpose) -> Bool {
    guard let parsed = try? TimePattern.parse(pattern, for: purpose) else { return false }
    return texts.allSatisfy { text in
      guard let match = parsed.match(text) else { return false }
      return purpose == .day ? match.day != nil : match.secondOfDay != nil
    }
  }

  private static func moment(_ sources: [WrittenTime.Source], as form: TimeForm?) -> Shape? {
    var hasTime = false
    for source in sources {
      switch WrittenTime(source, form) {
      case .instant, .local(_, .some): hasTime = true
      case .local(_, nil): break
      case nil: return nil
      }
    }
    return .moment(as: nil, hasTime: hasTime)
  }

  /// The moments in seconds, on one scale; nil if the values are not moments.
  var seconds: [Int]? {
    guard case .moment(let form, _) = shape else { return nil }
    let timeForm: TimeForm?
    switch form {
    case nil: timeForm = nil
    case "unix"?: timeForm = .unix
    case "unix-ms"?: timeForm = .unixMilliseconds
    case "apple"?: timeForm = .apple
    case let pattern?:
      guard let parsed = try? TimePattern.parse(pattern, for: .day) else { return nil }
      timeForm = .pattern(parsed)
    }
    let found = values.compactMap { value -> Int? in
      let source: WrittenTime.Source? =
        value.string.map { .text($0) } ?? value.double.map { .number($0, digits: value.int.map { "\($0)" }) }
      switch source.flatMap({ WrittenTime($0, timeForm) }) {
      case .instant(let instant): return Int(instant.seconds)
      case .local(let day, let second):
        return Int(CivilCalendar(.utc).start(of: day).seconds) + (second ?? 0)
      case nil: return nil
      }
    }
    return found.count == values.count ? found : nil
  }
}

/// Converts weekdays as files write them to those of RFC 5545 rules.
enum WeekdayWords {
  static func rule(of word: String) -> String? {
    let word = word.lowercased()
    for day in ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    where [day, String(day.prefix(3)), String(day.prefix(2))].contains(word) {
      return day.prefix(2).uppercased()
    }
    return nil
  }
}
