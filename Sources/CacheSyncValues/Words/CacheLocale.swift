/// How a cache writes for people: the language, the clock, and the first day of a week there.
public struct CacheLocale: Sendable, Equatable {
  /// Of all its texts.
  public let language: Language
  /// Of its times.
  public let hourCycle: HourCycle
  /// Whether a setting names the hour cycle.
  package let isHourCycleSet: Bool
  /// The usual one.
  package let firstWeekday: Weekday

  /// English with 24 hours.
  public static let english = CacheLocale(.english)

  private init(_ language: Language) {
    self.language = language
    hourCycle = language.formats.hourCycle
    isHourCycleSet = false
    firstWeekday = language.formats.firstWeekday
  }

  /// - Parameters:
  ///   - tag: of a language, or of a form of one.
  ///   - hourCycle: nil: the usual one.
  /// - Returns: nil if no language matches the tag.
  package init?(_ tag: String, hourCycle: HourCycle? = nil) {
    guard let match = LanguageTag.matching(tag) else { return nil }
    language = match.tag.language
    let habits = LocaleFormats.habits(of: match.written)
    self.hourCycle = hourCycle ?? habits?.hourCycle ?? language.formats.hourCycle
    isHourCycleSet = hourCycle != nil
    firstWeekday = habits?.firstWeekday ?? language.formats.firstWeekday
  }

  /// What a snapshot or the day index says. English in place of a language that this version does not know.
  ///
  /// - Returns: nil for a value that is not an object.
  public init?(publishedIn document: JSONValue) {
    guard document.object != nil else { return nil }
    self.init(published: document["locale"]?.string, document["hourCycle"]?.int)
  }

  /// - Parameters: nil where a document has no such member.
  init(published tag: String?, _ hours: Int?) {
    let cycle = hours.flatMap(HourCycle.init)
    self = CacheLocale(tag ?? "en", hourCycle: cycle) ?? CacheLocale("en", hourCycle: cycle) ?? .english
  }

  /// The wall time, such as "09:30".
  package func clock(_ instant: Instant, in calendar: CivilCalendar) -> String {
    let second = calendar.wallTime(of: instant).secondOfDay
    return language.formats.time(hour: second / 3_600, minute: second / 60 % 60, hourCycle)
  }

  /// A day and a time in a text.
  package func dateAndTime(_ date: String, _ instant: Instant, in calendar: CivilCalendar) -> String {
    let formats = language.formats
    return formats.joined(date, clock(instant, in: calendar), as: formats.dateTime.text)
  }

  /// The names inside a date, for ``LocaleFormats/text(_:_:name:)``. A definition's own words replace them only in
  /// English: in another language the date is right already.
  package func replacing(_ word: @escaping (String) -> String?) -> (String) -> String {
    language.tag == .english ? { word($0) ?? $0 } : { $0 }
  }

  /// What snapshots and the day index say of the language: nothing for `en`, unless a setting names the hour cycle, or the
  /// region has another one.
  package var published: (hourCycle: Int?, locale: String?) {
    let isOther = language.tag != .english
    let isOtherClock = isHourCycleSet || hourCycle != language.formats.hourCycle
    return (isOther || isOtherClock ? hourCycle.rawValue : nil, isOther ? language.tag.rawValue : nil)
  }
}
