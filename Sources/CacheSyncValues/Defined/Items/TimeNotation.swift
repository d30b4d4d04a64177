/// How a file writes times, and what reads it.
package struct TimeNotation {
  /// As a definition has it; nil for ISO 8601.
  package let text: String?
  package let form: TimeForm?
  var isClock = false

  package static let iso = TimeNotation(text: nil, form: nil)
  package static let seconds = TimeNotation(text: "unix", form: .unix)
  package static let milliseconds = TimeNotation(text: "unix-ms", form: .unixMilliseconds)

  package var isPattern: Bool { if case .pattern? = form { true } else { false } }

  /// The time of a value; nil also for a date that means that there is none.
  package func time(_ value: JSONValue) -> WrittenTime? {
    // Without a form, a number counts from 2001.
    guard let source = value.source, form != nil || value.string != nil else { return nil }
    if isClock, form == nil, source.isEndOfDay { return .instant(Instant(seconds: Int64(Gregorian.secondsPerDay))) }
    if isClock { return WrittenTime.secondOfDay(source, form).map { .instant(Instant(seconds: Int64($0))) } }
    return WrittenTime(source, form).flatMap { $0.isNoDate(for: .end(isOfDays: false)) ? nil : $0 }
  }

  private static func patterns(_ texts: [String], for purpose: TimePattern.Purpose) -> [TimeNotation] {
    texts.compactMap { text in
      let pattern = try? TimePattern.parse(text, for: purpose)
      return pattern.map { TimeNotation(text: text, form: .pattern($0), isClock: purpose == .time) }
    }
  }

  package static let clocks =
    [TimeNotation(text: nil, form: nil, isClock: true)]
    + patterns(["H:mm", "h:mm a", "h:mm:ss a", "h a", "HH:mm 'Uhr'", "HH.mm", "HH'h'mm", "Hmm"], for: .time)

  /// Days, with or without a time. Of numbers for days and months, the day comes before the month. Names of months and
  /// weekdays may be short.
  package static let moments: [TimeNotation] = {
    let numbers =
      "yyyyMMdd yyyy-MM-dd yyyy/MM/dd dd.MM.yyyy d.M.yyyy dd/MM/yyyy d/M/yyyy MM/dd/yyyy M/d/yyyy dd-MM-yyyy MM-dd-yyyy"
    let words = ["d MMMM yyyy", "do MMMM yyyy", "MMMM d, yyyy", "MMMM d yyyy", "MMMM do, yyyy"]
    let times = [
      "", " HH:mm", " HH:mm:ss", " h:mm a", " h:mm:ss a", ", HH:mm", "'T'HH:mmZ", "'T'HHmm", "'T'HHmmss",
      "'T'HHmmssXXX", "HHmm", "HHmmss", " HH:mm 'Uhr'",
    ]
    let days = numbers.split(separator: " ").map(String.init) + words + words.flatMap { ["EEEE " + $0, "EEEE, " + $0] }
    let rfc822 = TimeNotation(text: "rfc822", form: .rfc822)
    return [iso, rfc822] + patterns(days.flatMap { day in times.map { day + $0 } }, for: .day)
  }()

  /// The days of RFC 5545 rules that texts are, if all are weekdays in one of the languages.
  package static func weekdays(_ texts: Set<String>) -> [String: String]? {
    if texts.contains(where: { $0.utf8.count > 32 }) || texts.isEmpty { return nil }
    return names.lazy.compactMap { names in
      let days = texts.compactMap { text in names[text.lowercased()].map { (text, $0) } }
      return days.count < texts.count ? nil : Dictionary(uniqueKeysWithValues: days)
    }.first
  }

  /// Each language's names of weekdays. English ones may also have two letters.
  private static let names: [[String: String]] = LanguageTag.allCases.map { tag in
    let formats = Language.with(tag).formats
    let english = tag == .english ? formats.weekdays.map { String($0.prefix(2)) } : []
    let all = [formats.weekdays, formats.shortWeekdays, formats.shortWeekdaysInDates, formats.columnWeekdays, english]
    let pairs = all.flatMap { zip($0, LocaleFormats.english.weekdays) }
    return Dictionary(pairs.filter { $0.0.utf8.count > 1 }.map { ($0.lowercased(), $1.prefix(2).uppercased()) }) {
      first, _ in first
    }
  }
}

extension JSONValue {
  /// The value as a time rule reads it; nil for a flag.
  package var source: WrittenTime.Source? {
    switch self {
    case .string(let text): .text(text)
    case .integer(let number) where number >= 0: .number(Double(number), digits: "\(number)")
    default: double.map { .number($0, digits: nil) }
    }
  }
}
