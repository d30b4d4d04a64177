/// How a language writes days, times and numbers: names, patterns in the letters of CLDR, and what is usual where it is
/// spoken.
public struct LocaleFormats: Sendable {
  /// The names of the weekdays from Monday, by themselves: "Saturday" (`cccc`).
  package let weekdays: [String]
  /// The same before or after a date (`EEEE`).
  package let weekdaysInDates: [String]
  /// The same in lists: "Sat" (`ccc`).
  public let shortWeekdays: [String]
  /// The same before or after a date (`EEE`).
  package let shortWeekdaysInDates: [String]
  /// The same above the columns of a month: "Sat" (`cccccc`).
  package let columnWeekdays: [String]
  /// The same below the bars of a week: "S" (`ccccc`).
  package let narrowWeekdays: [String]
  /// The names of the months, by themselves: "November" (`LLLL`).
  package let months: [String]
  /// The same after a day (`MMMM`).
  package let monthsInDates: [String]
  /// The same, short: "Nov" (`MMM`).
  package let shortMonths: [String]
  /// A day of this year, such as `d MMM`.
  package let day: String
  /// A day of another year.
  package let dayWithYear: String
  /// A day of this year with its weekday, such as `EEE d MMM`.
  package let weekdayAndDay: String
  /// A day of another year with its weekday.
  package let weekdayAndDayWithYear: String
  /// A day of this year in full with its weekday, such as `EEEE d MMMM`.
  public let wideWeekdayAndDay: String
  /// The same with its year.
  package let full: String
  /// A month with its year, such as `MMMM y`.
  package let month: String
  /// The same as ``wideWeekdayAndDay`` and ``full``, as the heading of a page.
  public let title: (day: String, dayWithYear: String)
  /// A day and a time, with `{date}` and `{time}` in their places: in a text, and in a heading.
  public let dateTime: (text: String, heading: String)
  /// Times by 24 hours, such as `HH:mm`, and by 12, such as `h:mm a`.
  private let hours: (of24: String, of12: String)
  /// Before and after noon.
  private let dayPeriods: [String]
  /// The decimal separator.
  public let separator: Character
  /// A number of percent, with `0` in place of the number.
  private let percentage: String
  /// The usual one.
  package let hourCycle: HourCycle
  /// The usual first day of a week.
  package let firstWeekday: Weekday

  /// - Parameters:
  ///   - title: of headings; nil: they are as texts.
  ///   - headingDateTime: the same.
  ///   - member: the text of a property; names are separated by `|`. nil for names in dates: they are as by themselves.
  init(
    title: (day: String, dayWithYear: String)? = nil, headingDateTime: String? = nil, _ member: (String) -> String?
  ) {
    func text(_ name: String) -> String { member(name) ?? "" }
    func names(_ name: String, or other: String = "") -> [String] {
      (member(name) ?? text(other)).split(separator: "|").map { String($0) }
    }
    weekdays = names("weekdays")
    weekdaysInDates = names("weekdaysInDates", or: "weekdays")
    shortWeekdays = names("shortWeekdays")
    shortWeekdaysInDates = names("shortWeekdaysInDates", or: "shortWeekdays")
    columnWeekdays = names("columnWeekdays")
    narrowWeekdays = names("narrowWeekdays")
    months = names("months")
    monthsInDates = names("monthsInDates", or: "months")
    shortMonths = names("shortMonths")
    day = text("day")
    dayWithYear = text("dayWithYear")
    weekdayAndDay = text("weekdayAndDay")
    weekdayAndDayWithYear = text("weekdayAndDayWithYear")
    wideWeekdayAndDay = text("wideWeekdayAndDay")
    full = text("full")
    month = text("month")
    self.title = title ?? (wideWeekdayAndDay, full)
    dateTime = (text("dateTime"), headingDateTime ?? text("dateTime"))
    hours = (text("hours24"), text("hours12"))
    dayPeriods = names("dayPeriods")
    separator = text("separator").first ?? "."
    percentage = text("percentage")
    hourCycle = text("hourCycle") == "12" ? .hours12 : .hours24
    firstWeekday = Weekday(word: text("firstWeekday")) ?? .monday
  }

  // MARK: Days and times

  /// A day by a pattern.
  ///
  /// - Parameter name: replaces a name of a weekday or month.
  public func text(_ pattern: String, _ day: LocalDay, name: (String) -> String = { $0 }) -> String {
    let weekday = day.weekday.rawValue
    return Self.filled(pattern) { letter, count in
      switch (letter, count) {
      case ("d", _): "\(day.day)"
      case ("E", ...3): name(shortWeekdaysInDates[weekday])
      case ("E", _): name(weekdaysInDates[weekday])
      case ("c", 3): name(shortWeekdays[weekday])
      case ("c", 4): name(weekdays[weekday])
      case ("c", 5): name(narrowWeekdays[weekday])
      case ("c", _): name(columnWeekdays[weekday])
      case ("M", 3): name(shortMonths[day.month - 1])
      case ("M", 4): name(monthsInDates[day.month - 1])
      case ("M", _): "\(day.month)"
      case ("L", _): name(months[day.month - 1])
      case ("y", _): "\(day.year)"
      default: nil
      }
    }
  }

  /// A time of day.
  package func time(hour: Int, minute: Int, _ cycle: HourCycle) -> String {
    func digits(_ value: Int, _ count: Int) -> String { count == 2 && value < 10 ? "0\(value)" : "\(value)" }
    return Self.filled(cycle == .hours24 ? hours.of24 : hours.of12) { letter, count in
      switch letter {
      case "H": digits(hour, count)
      case "h": digits((hour + 11) % 12 + 1, count)
      case "K": digits(hour % 12, count)
      case "m": digits(minute, count)
      case "a": dayPeriods[hour / 12]
      default: nil
      }
    }
  }

  /// A pattern with texts in place of its runs of letters. What is between apostrophes stays as it is.
  ///
  /// - Parameter text: nil for a letter that stays.
  private static func filled(_ pattern: String, _ text: (_ letter: Character, _ count: Int) -> String?) -> String {
    var result = ""
    var rest = pattern[...]
    while let letter = rest.first {
      if letter == "'" {
        let literal = rest.dropFirst().prefix { $0 != "'" }
        result += literal
        rest = rest.dropFirst(literal.count + 2)
      } else {
        let run = rest.prefix { $0 == letter }
        result += text(letter, run.count) ?? String(run)
        rest = rest.dropFirst(run.count)
      }
    }
    return result
  }

  /// A day, with the year if it is not that of today.
  ///
  /// - Parameter today: nil: the year is left out.
  package func day(_ day: LocalDay, today: LocalDay?, name: (String) -> String = { $0 }) -> String {
    text(today.map { $0.year == day.year } ?? true ? self.day : dayWithYear, day, name: name)
  }

  /// A day with its weekday, and with the year if it is not that of today.
  public func weekdayAndDay(_ day: LocalDay, today: LocalDay, name: (String) -> String = { $0 }) -> String {
    text(today.year == day.year ? weekdayAndDay : weekdayAndDayWithYear, day, name: name)
  }

  /// A day and a time, both formatted.
  ///
  /// - Parameter pattern: of ``dateTime``.
  public func joined(_ date: String, _ time: String, as pattern: String) -> String {
    pattern.replacing("{date}", with: date).replacing("{time}", with: time)
  }

  // MARK: Numbers

  /// Digits with a decimal point, as the language writes them.
  package func number(_ digits: String) -> String {
    separator == "." ? digits : String(digits.map { $0 == "." ? separator : $0 })
  }

  /// A number of percent.
  package func percent(_ digits: String) -> String { percentage.replacing("0", with: digits) }
}

/// How the hours of a day are counted.
public enum HourCycle: Int, Sendable {
  /// From 1 to 12, with the period of the day.
  case hours12 = 12
  /// From 0 to 23.
  case hours24 = 24
}

extension LocaleFormats {
  /// English with 24 hours and the day before the month, as the documents show it. The one of these that is not CLDR's.
  static let english = LocaleFormats(
    title: ("EEEE, d MMMM", "EEEE, d MMMM y"), headingDateTime: "{date}, {time}", inEnglish)

  static func inEnglish(_ member: String) -> String? {
    switch member {
    case "weekdays": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    case "shortWeekdays", "columnWeekdays": "Mon|Tue|Wed|Thu|Fri|Sat|Sun"
    case "narrowWeekdays": "M|T|W|T|F|S|S"
    case "months": "January|February|March|April|May|June|July|August|September|October|November|December"
    case "shortMonths": "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
    case "day": "d MMM"
    case "dayWithYear": "d MMM y"
    case "weekdayAndDay": "EEE d MMM"
    case "weekdayAndDayWithYear": "EEE d MMM y"
    case "wideWeekdayAndDay": "EEEE d MMMM"
    case "full": "EEEE d MMMM y"
    case "month": "MMMM y"
    case "dateTime": "{date} {time}"
    case "hours24": "HH:mm"
    case "hours12": "h:mm a"
    case "dayPeriods": "AM|PM"
    case "separator": "."
    case "percentage": "0%"
    case "hourCycle": "24"
    case "firstWeekday": "monday"
    default: nil
    }
  }
}
