/// How a language writes days: names, and patterns in the letters of CLDR.
package struct DateFormats: Sendable {
  /// The names of the weekdays from Monday, by themselves: "Saturday".
  package var weekdays: [String]
  /// The same in dates and lists: "Sat".
  package var shortWeekdays: [String]
  /// The same above the columns of a month: "Sat".
  package var columnWeekdays: [String]
  /// The same below the bars of a week: "S".
  package var narrowWeekdays: [String]
  /// The names of the months: "November".
  package var months: [String]
  /// The same in dates: "Nov".
  package var shortMonths: [String]
  /// A day of this year, such as `d MMM`.
  package var day: String
  /// A day of another year.
  package var dayWithYear: String
  /// A day of this year with its weekday, such as `EEE d MMM`.
  package var weekdayAndDay: String
  /// A day of another year with its weekday.
  package var weekdayAndDayWithYear: String
  /// A month with its year, such as `MMMM y`.
  package var month: String

  /// A day by a pattern.
  ///
  /// - Parameter name: replaces a name of a weekday or month.
  package func text(_ pattern: String, _ day: LocalDay, name: (String) -> String = { $0 }) -> String {
    var text = ""
    var rest = pattern[...]
    while let letter = rest.first {
      let run = rest.prefix { $0 == letter }
      rest = rest.dropFirst(run.count)
      switch (letter, run.count) {
      case ("d", _): text += "\(day.day)"
      case ("E", 3): text += name(shortWeekdays[day.weekday.rawValue])
      case ("E", _): text += name(weekdays[day.weekday.rawValue])
      case ("M", 3): text += name(shortMonths[day.month - 1])
      case ("M", 4): text += name(months[day.month - 1])
      case ("M", _): text += "\(day.month)"
      case ("y", _): text += "\(day.year)"
      default: text += run
      }
    }
    return text
  }

  /// A day, with the year if it is not that of today.
  ///
  /// - Parameter today: nil: the year is left out.
  package func day(_ day: LocalDay, today: LocalDay?, name: (String) -> String = { $0 }) -> String {
    text(today.map { $0.year == day.year } ?? true ? self.day : dayWithYear, day, name: name)
  }

  /// A day with its weekday, and with the year if it is not that of today.
  package func weekdayAndDay(_ day: LocalDay, today: LocalDay, name: (String) -> String = { $0 }) -> String {
    text(today.year == day.year ? weekdayAndDay : weekdayAndDayWithYear, day, name: name)
  }
}

extension DateFormats {
  /// English with 24 hours and the day before the month, as the documents show it.
  static let english = DateFormats(
    weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    shortWeekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    columnWeekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    narrowWeekdays: ["M", "T", "W", "T", "F", "S", "S"],
    months: [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ],
    shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    day: "d MMM", dayWithYear: "d MMM y", weekdayAndDay: "EEE d MMM", weekdayAndDayWithYear: "EEE d MMM y",
    month: "MMMM y")
}
