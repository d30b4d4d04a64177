/// A member of a sample's items, with its value in each.
struct SampleField {
  /// As a definition writes it: `@.collectionDate`.
  let path: String
  /// The path of the value that holds the member.
  let holder: String
  /// The member's own name, without the names around it.
  let name: String
  /// The words of the names in the path, and those of the member's own name.
  let words: [String]
  let ownWords: [String]
  /// 0 for a member of the item itself, 1 for one of the object nearest around it, and so on.
  let level: Int
  /// How many names lie between the item, or the object around it, and the member.
  let depth: Int
  /// Whether the value is the key of the item or of a container around it.
  let isKey: Bool
  /// One for each item; nil where the member is missing, null or an empty text.
  let values: [SampleScalar?]
  let shape: SampleShape

  init(
    _ path: String, holder: String, names: [String], level: Int = 0, isKey: Bool = false, isElement: Bool = false,
    _ values: [SampleScalar?], now: Instant
  ) {
    self.path = path
    self.holder = holder
    self.level = level
    self.isKey = isKey
    self.values = values
    name = names.last ?? ""
    depth = max(names.count - 1, 0)
    ownWords = NameWords.words(of: name)
    words = names.flatMap { NameWords.words(of: $0) }
    // The name of a list says nothing about one of its elements.
    shape = SampleShape(values, named: isElement ? [] : words, isKey: isKey, now: now)
  }

  func hasAny(of others: Set<String>) -> Bool { words.contains(where: others.contains) }

  /// The share of items that have a value.
  var coverage: Double { values.isEmpty ? 0 : Double(values.count { $0 != nil }) / Double(values.count) }

  /// How many different values there are.
  var distinctCount: Int { Set(values.compactMap { $0?.identity }).count }

  /// Whether the value is not the same in all items.
  var differs: Bool { distinctCount > 1 }

  var moment: SampleShape.Moment? { if case .moment(let moment) = shape { moment } else { nil } }

  var clock: SampleShape.Clock? { if case .clock(let clock) = shape { clock } else { nil } }

  /// Whether the value is a whole day: in no item it has a time of day.
  var isDay: Bool { moment.map { !$0.hasTime } ?? false }

  /// The wall time of each item's time as it is written, by its own offset; nil where there is no time.
  var walls: [WallTime?] {
    guard let moment else { return [] }
    let forms = moment.forms.compactMap { SampleTimeForm.of($0, for: .day) }
    return zip(values, moment.times).map { value, time in
      switch time {
      case .local(let day, let second)?: return WallTime(day, secondOfDay: second ?? 0)
      case .instant(let instant)?:
        let form = forms.first { form in value?.source.flatMap { WrittenTime($0, form.form) } != nil }
        let written = form.flatMap { form in value?.source.flatMap { WrittenTime.wall($0, form.form) } }
        return written ?? CivilCalendar(.utc).wall(at: instant)
      case nil: return nil
      }
    }
  }

  /// The share of items that have a time in this field.
  var timeCoverage: Double {
    guard let moment, !values.isEmpty else { return 0 }
    return Double(moment.times.count { $0 != nil }) / Double(values.count)
  }
}

/// What a field's values look like.
enum SampleShape {
  case moment(Moment)
  /// A time of day.
  case clock(Clock)
  case weekday
  case number
  /// A number in a text.
  case numberText
  case text
  case flag
  case other

  struct Moment {
    /// The `as` of the definition; nil for a date or a day in ISO 8601.
    let form: String?
    let hasTime: Bool
    /// One for each item; nil where there is none, or where it cannot be read.
    var times: [WrittenTime?]
    /// The forms of the values that the first form does not read.
    var otherForms: [String?] = []

    var forms: [String?] { [form] + otherForms }
  }

  struct Clock {
    let form: String?
    /// In seconds after midnight; one for each item.
    let seconds: [Int?]
  }

  /// - Parameters:
  ///   - words: the words of the names in the field's path. Where values alone do not decide, they do.
  ///   - mostForms: how many notations the times of one field may have. The work grows with their product.
  init(_ values: [SampleScalar?], named words: [String], isKey: Bool, now: Instant, mostForms: Int = 3) {
    let found = values.compactMap(\.self)
    let texts = found.compactMap(\.text)
    self = .other
    if found.isEmpty { return }
    if texts.count == found.count {
      self = Self.shape(ofTexts: values, texts, named: words, isKey: isKey, now)
      if case .text = self, mostForms > 1 {
        self = Self.shape(ofSeveral: values, named: words, isKey: isKey, now: now, mostForms: mostForms) ?? .text
      }
    } else if found.allSatisfy({ if case .number = $0 { true } else { false } }) {
      self = Self.shape(ofNumbers: values, named: words, now) ?? .number
    } else if found.allSatisfy({ if case .flag = $0 { true } else { false } }) {
      self = .flag
    } else if texts.isEmpty {
      self = .other
    } else {
      self = Self.shape(ofMixed: values, named: words, isKey: isKey, now: now, mostForms: mostForms) ?? .text
    }
    if case .moment(let moment) = self, mostForms > 1 {
      self = .moment(Self.completed(moment, with: values, named: words, isKey: isKey, now: now, mostForms: mostForms))
    }
  }

  // MARK: Several notations

  /// The times that are texts in some items and numbers in others.
  private static func shape(
    ofMixed values: [SampleScalar?], named words: [String], isKey: Bool, now: Instant, mostForms: Int
  ) -> SampleShape? {
    let texts = values.map { value in value?.text == nil ? nil : value }
    guard mostForms > 1,
      case .moment(let moment) = SampleShape(texts, named: words, isKey: isKey, now: now, mostForms: mostForms - 1)
    else { return nil }
    let completed = completed(moment, with: values, named: words, isKey: isKey, now: now, mostForms: mostForms)
    return isMost(completed.times.count { $0 != nil }, of: values.count { $0 != nil }) ? .moment(completed) : nil
  }

  /// Reads the values that are no times yet in another form, if they have one.
  private static func completed(
    _ moment: Moment, with values: [SampleScalar?], named words: [String], isKey: Bool, now: Instant, mostForms: Int
  ) -> Moment {
    let rest = zip(values, moment.times).map { value, time in time == nil ? value : nil }
    guard rest.contains(where: { $0?.source.map { !$0.isNoDate } ?? false }),
      case .moment(let other) = SampleShape(rest, named: words, isKey: isKey, now: now, mostForms: mostForms - 1)
    else { return moment }
    return Moment(
      form: moment.form, hasTime: moment.hasTime || other.hasTime,
      times: zip(moment.times, other.times).map { $0 ?? $1 },
      otherForms: moment.otherForms + other.forms)
  }

  /// The times of texts of which no form reads most: that of the first text, and those of the others.
  private static func shape(
    ofSeveral values: [SampleScalar?], named words: [String], isKey: Bool, now: Instant, mostForms: Int
  ) -> SampleShape? {
    guard let first = values.lazy.compactMap({ $0?.text }).first else { return nil }
    for form in [nil, "rfc822"] + WrittenPattern.days(like: first).map(Optional.some) {
      guard SampleTimeForm.of(form, for: .day).flatMap({ WrittenTime(.text(first), $0.form) }) != nil else { continue }
      let own = values.map { value in
        value?.text.flatMap { text in SampleTimeForm.of(form, for: .day).flatMap { WrittenTime(.text(text), $0.form) } }
      }
      let part = Moment(form: form, hasTime: own.contains { $0?.hasTime ?? false }, times: own)
      let all = completed(part, with: values, named: words, isKey: isKey, now: now, mostForms: mostForms)
      if !all.otherForms.isEmpty, zip(values, all.times).allSatisfy({ $0 == nil || $1 != nil }) { return .moment(all) }
    }
    return nil
  }

  /// A form counts if it reads more than this share of the values. A few may be broken, or say "unknown".
  private static let mostOfThem = 0.6

  private static func isMost(_ read: Int, of count: Int) -> Bool {
    read > 0 && Double(read) >= mostOfThem * Double(count)
  }

  // MARK: Texts

  private static func shape(
    ofTexts values: [SampleScalar?], _ texts: [String], named words: [String], isKey: Bool, _ now: Instant
  ) -> SampleShape {
    let withDigits = texts.count { $0.utf8.contains { $0 &- 0x30 < 10 } && $0.utf8.count <= 48 }
    guard isMost(withDigits, of: texts.count) else {
      return texts.allSatisfy { WeekdayWords.rule(of: $0) != nil } ? .weekday : .text
    }
    if let moment = moment(values, as: nil, texts.count) { return .moment(moment) }
    if texts.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }) {
      if let moment = digits(values, texts, named: words, isKey: isKey, now) { return moment }
    }
    if let moment = moment(values, as: "rfc822", texts.count) { return .moment(moment) }
    let isLength = words.contains(where: NameWords.length.contains)
    if let clock = clock(values, as: nil, texts.count) { return isLength ? .text : .clock(clock) }
    // The first text may be one of the few that are no times.
    for text in texts.lazy.filter({ $0.utf8.contains { $0 &- 0x30 < 10 } }).prefix(3) {
      for pattern in WrittenPattern.days(like: text) {
        if let moment = moment(values, as: pattern, texts.count) { return .moment(moment) }
      }
      for pattern in WrittenPattern.clocks(like: text) where !isLength {
        if let clock = clock(values, as: pattern, texts.count) { return .clock(clock) }
      }
    }
    return values.allSatisfy { $0 == nil || $0?.number != nil } ? .numberText : .text
  }

  /// Texts of digits alone are times if their name says so, or if they are moments near now.
  private static func digits(
    _ values: [SampleScalar?], _ texts: [String], named words: [String], isKey: Bool, _ now: Instant
  ) -> SampleShape? {
    let numbers = values.map { value in value?.number.map { SampleScalar.number($0, digits: value?.text) } }
    if case .moment(let moment)? = shape(ofNumbers: numbers, named: words, now, isKey: isKey),
      moment.form == "unix" || moment.form == "unix-ms"
    {
      return Self.moment(values, as: moment.form, texts.count).map { .moment($0) }
    }
    if words.contains(where: NameWords.quantity.contains) { return nil }
    if let first = texts.first {
      for pattern in WrittenPattern.days(like: first) {
        if let moment = moment(values, as: pattern, texts.count) { return .moment(moment) }
      }
    }
    if texts.allSatisfy({ $0.utf8.count == 4 }), words.contains(where: { ["time", "clock", "uhrzeit"].contains($0) }),
      let clock = clock(values, as: "HHmm", texts.count)
    {
      return .clock(clock)
    }
    return nil
  }

  // MARK: Numbers

  private static func shape(
    ofNumbers values: [SampleScalar?], named words: [String], _ now: Instant, isKey: Bool = false
  ) -> SampleShape? {
    let numbers = values.compactMap { $0?.number }
    func are(_ range: ClosedRange<Double>) -> Bool { numbers.allSatisfy(range.contains) }
    func moment(as form: String) -> SampleShape? { Self.moment(values, as: form, numbers.count).map { .moment($0) } }
    let isNamed = NameWords.anyTime.contains { words.contains(where: $0.contains) }
    // A price or an amount may be as large as a time. Under another name, only whole numbers near now are times.
    let isQuantity = words.contains(where: NameWords.quantity.contains) && !isNamed
    let areWhole = numbers.allSatisfy { $0 == $0.rounded() }
    let today = Double(now.seconds)
    let near = (today - nearby)...(today + nearby)
    func areTimes(_ range: ClosedRange<Double>, per unit: Double) -> Bool {
      isNamed && are((range.lowerBound * unit)...(range.upperBound * unit))
        || !isQuantity && areWhole && are((near.lowerBound * unit)...(near.upperBound * unit))
    }
    // From 2001 to 2099.
    if areTimes(1e9...4.1e9, per: 1) { return moment(as: "unix") }
    if areTimes(1e9...4.1e9, per: 1_000) { return moment(as: "unix-ms") }
    // Apple's from 2020 to 2032: later ones would look like Unix times.
    if isNamed, are(6e8...1e9) { return moment(as: "apple") }
    if areWhole, !isQuantity, are(19_000_101...22_001_231) { return moment(as: "yyyyMMdd") }
    return nil
  }

  /// Three years, in seconds.
  private static let nearby = 94_608_000.0

  // MARK: Reading

  private static func moment(_ values: [SampleScalar?], as form: String?, _ count: Int) -> Moment? {
    guard let timeForm = SampleTimeForm.of(form, for: .day) else { return nil }
    let times = values.map { value in value?.source.flatMap { WrittenTime(sample: $0, timeForm.form) } }
    let read = times.compactMap(\.self)
    let none = values.count { value in
      value?.source.map { $0.isNoDate || WrittenTime($0, timeForm.form)?.isBeforeDates ?? false } ?? false
    }
    guard isMost(read.count, of: count - none) else { return nil }
    return Moment(form: form, hasTime: read.contains { $0.hasTime }, times: times)
  }

  private static func clock(_ values: [SampleScalar?], as form: String?, _ count: Int) -> Clock? {
    guard let timeForm = SampleTimeForm.of(form, for: .time) else { return nil }
    let seconds = values.map { value in value?.source.flatMap { WrittenTime.secondOfDay($0, timeForm.form) } }
    guard isMost(seconds.count { $0 != nil }, of: count) else { return nil }
    return Clock(form: form, seconds: seconds)
  }
}

/// A definition's `as`, read.
struct SampleTimeForm {
  /// Nil for ISO 8601.
  let form: TimeForm?

  /// - Returns: nil if definitions do not have the form.
  static func of(_ text: String?, for purpose: TimePattern.Purpose) -> SampleTimeForm? {
    switch text {
    case nil: return SampleTimeForm(form: nil)
    case "unix"?: return SampleTimeForm(form: .unix)
    case "unix-ms"?: return SampleTimeForm(form: .unixMilliseconds)
    case "apple"?: return SampleTimeForm(form: .apple)
    case "rfc822"?: return SampleTimeForm(form: .rfc822)
    case let pattern?:
      guard let parsed = try? TimePattern.parse(pattern, for: purpose) else { return nil }
      return SampleTimeForm(form: .pattern(parsed))
    }
  }
}

extension WrittenTime {
  /// Reads a time of a sample; nil if it means that there is none.
  init?(sample source: Source, _ form: TimeForm?) {
    self.init(source, form)
    if isBeforeDates { return nil }
  }

  fileprivate var isBeforeDates: Bool { isNoDate(for: .end(isOfDays: false)) }

  var hasTime: Bool {
    switch self {
    case .instant, .local(_, .some): true
    case .local(_, nil): false
    }
  }

  /// The moment on one scale for all times of a sample. A local time counts as if it were UTC.
  var seconds: Int {
    switch self {
    case .instant(let instant): Int(instant.seconds)
    case .local(let day, let second): Int(CivilCalendar(.utc).start(of: day).seconds) + (second ?? 0)
    }
  }
}
