/// The day index: 14 existing local days with what each feed has for them (contract.md section 4). They are today, six
/// days before it and seven after it.
package struct DayIndexProjector {
  package let feeds: FeedSet
  package let moment: Moment

  package init(feeds: FeedSet, moment: Moment) {
    self.feeds = feeds
    self.moment = moment
  }

  /// The document without its generation and time of publication.
  package func document() -> OutputDocument {
    var json = JSONWriter(reserving: 4096)
    let days = days()
    let today = days[Self.indexOfToday(in: days, moment.day)]
    let names = feeds.registry.feeds.map { $0.name }.sorted()
    var holes = OutputDocument.Holes()
    json.object { json in
      json.array("days") { json in
        for day in days { write(day, feedsNamed: names, to: &json) }
      }
      json.member("firstWeekday", moment.shownFirstWeekday.word)
      json.hole(.generation, &holes)
      if let hours = moment.locale.published.hourCycle { json.member("hourCycle", hours) }
      if let tag = moment.locale.published.locale { json.member("locale", tag) }
      json.hole(.publishedAt, &holes)
      json.member("schema", OutputDocument.schema)
      json.member("timeZone", moment.calendar.rules.name)
      json.object("today") { json in dayMembers(today, to: &json, includingFeeds: nil) }
    }
    return OutputDocument(json.bytes, holes: holes)
  }

  private static func indexOfToday(in days: [Day], _ today: LocalDay) -> Int {
    guard let index = days.firstIndex(where: { $0.date == today }) else {
      preconditionFailure("today exists, so it is among the days of its index")
    }
    return index
  }

  private struct Day {
    var date: LocalDay
    var start: Instant
    var end: Instant
  }

  private func days() -> [Day] {
    let calendar = moment.calendar
    var date = moment.day
    for _ in 0..<Moment.indexedDaysBefore { date = calendar.day(before: date) }
    var start = calendar.start(of: date)
    var days: [Day] = []
    for _ in 0..<(Moment.indexedDaysBefore + 1 + Moment.indexedDaysAfter) {
      let next = calendar.day(after: date)
      let end = calendar.start(of: next)
      days.append(Day(date: date, start: start, end: end))
      (date, start) = (next, end)
    }
    return days
  }

  private func write(_ day: Day, feedsNamed names: [FeedName], to json: inout JSONWriter) {
    json.object { json in dayMembers(day, to: &json, includingFeeds: names) }
  }

  private func dayMembers(_ day: Day, to json: inout JSONWriter, includingFeeds names: [FeedName]?) {
    json.member("date", day.date)
    json.member("dayIndex", day.date.weekday.rawValue)
    json.member("dayName", moment.language.formats.weekdays[day.date.weekday.rawValue])
    json.member("end", day.end)
    if let names {
      let at = moment.starting(day.date, at: day.start)
      json.object("feeds") { json in
        for name in names {
          guard let feed = feeds[name] else { continue }
          json.optionalObject(name.description) { feed.writeDay(at, feeds: feeds, to: &$0) }
        }
      }
    }
    // A double holds whole and half hours exactly. Years of local mean time have other lengths, which are rounded.
    json.member("hours", Double(day.end.microseconds - day.start.microseconds) / 3_600_000_000)
    json.member("start", day.start)
  }

  /// What ``document()`` writes, for editors.
  package static var schema: JSONSchema {
    let feeds: (String, JSONSchema) = ("feeds", .map(of: JSONSchema("object")))
    var days = JSONSchema.list(of: .written(dayMembers + [feeds]))
    let count = Moment.indexedDaysBefore + 1 + Moment.indexedDaysAfter
    days.keywords["minItems"] = .integer(count)
    days.keywords["maxItems"] = .integer(count)
    return .written(
      [
        ("days", days), ("firstWeekday", .word(Weekday.allCases.map(\.word))),
        ("generation", OutputDocument.generation),
        ("publishedAt", .writtenDate), ("schema", OutputDocument.schemaVersion), ("timeZone", .text),
        ("today", .written(dayMembers)),
      ], optional: [("hourCycle", OutputDocument.hourCycle), ("locale", .text)])
  }

  private static let dayMembers: [(name: String, schema: JSONSchema)] = [
    ("date", .writtenDay), ("dayIndex", .integer(in: 0...6)), ("dayName", .text), ("end", .writtenDate),
    ("hours", .numberAboveZero), ("start", .writtenDate),
  ]
}
