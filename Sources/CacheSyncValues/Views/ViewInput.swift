import CacheSyncSystem

/// The input of a view: an entry as a reader receives it, and the family that shows it. A view reads no clock.
package struct ViewInput: Sendable {
  package let content: JSONValue
  package let state: SnapshotState
  package let family: ViewFamily
  /// The moment that decides what is "today" and what is late. A picture uses the entry's date, because it stays until
  /// the next entry. Text uses the moment of printing.
  package let moment: Instant
  /// The days and wall times of the snapshot's zone.
  package let calendar: CivilCalendar
  /// The options of the widget that shows it.
  package let options: OptionValues
  /// Replacements for the English words of dates, by the English words.
  package let words: [String: String]
  /// How the view writes the words that it adds to the content.
  package let locale: CacheLocale
  /// Whether the card has another size than the family's usual one, so that its room decides how much it shows.
  package let isRoomy: Bool

  package init(
    _ content: JSONValue, _ state: SnapshotState, family: ViewFamily, at moment: Instant, in calendar: CivilCalendar,
    options: OptionValues = OptionValues(), words: [String: String] = [:], locale: CacheLocale = .english,
    isRoomy: Bool = false
  ) {
    self.content = content
    self.state = state
    self.family = family
    self.moment = moment
    self.calendar = calendar
    self.options = options
    self.words = words
    self.locale = locale
    self.isRoomy = isRoomy
  }

  package var language: Language { locale.language }

  /// A text in that language.
  package func phrase(_ phrase: Phrase, _ values: KeyValuePairs<Language.Place, String> = [:]) -> String {
    language(phrase, values)
  }

  /// A number with at most that many decimal places, one or two, rounded to the nearest.
  package func decimal(_ value: JSONValue?, places: Int = 1) -> String {
    language.formats.number(value.decimal(places: places))
  }

  /// A share in whole percent, cut.
  package func percent(_ value: JSONValue?) -> String {
    language.formats.percent((value?.double).map { JSONValue.number(Percentage.whole(of: $0)) }.whole)
  }

  /// Whether there are no data, so that a number would claim more than is known.
  package var isEmpty: Bool { state == .empty }

  /// Whether to leave out every secondary line.
  package var isCompact: Bool { options.isOn(.compactMode) }

  /// How many parts of a list to show: as many as the family's usual card has room for. A card of another size gets
  /// all, and leaves out those that do not fit.
  package func atMost(_ usual: Int) -> Int { isRoomy ? .max : usual }

  package subscript(key: String) -> JSONValue? { content[key] }

  package func list(_ key: String) -> [JSONValue] { content[key]?.array ?? [] }

  // MARK: Time

  /// The wall time, such as "09:30".
  package func clock(_ instant: Instant) -> String { locale.clock(instant, in: calendar) }

  /// "today", or "Mon 23 Nov", with the year if it is not this one.
  package func date(_ day: LocalDay) -> String {
    let today = calendar.day(of: moment)
    guard day != today else { return words["today"] ?? phrase(.today) }
    return language.formats.weekdayAndDay(day, today: today, name: locale.replacing { words[$0] })
  }

  /// The local date and time; for today the time alone.
  package func time(_ instant: Instant) -> String {
    let day = calendar.wallTime(of: instant).day
    return day == calendar.day(of: moment)
      ? clock(instant) : locale.dateAndTime(date(day), instant, in: calendar)
  }

  package func time(_ value: JSONValue?) -> String { value?.instant.map { time($0) } ?? String.missing }
}

/// Where a view is shown: the widgets' families, named as in snapshots, and a terminal, which has room for more.
///
/// A kind without a view for a family shows its terminal view there.
public enum ViewFamily: String, Sendable, CaseIterable {
  case systemSmall, systemMedium, systemLarge, accessoryCircular, accessoryRectangular, accessoryInline
  case terminal
}

/// A kind's view: a pure function.
package typealias KindView = @Sendable (ViewInput) -> ViewNode
