import CacheSync

/// The top of the page: the day that it shows, and links to other moments and colours.
struct PageHead: Sendable {
  /// The published view at the current time. Its boundaries are the slider's steps.
  var present: CacheView
  /// The requested moment; nil: the present.
  var asked: Instant?

  static let id = "when"

  var html: HTML { html(Addresses()) }

  func html(_ addresses: Addresses) -> HTML {
    """
    <div id="\(Self.id)"><div class="title"><h1 data-day="\(dayTitle)">\(title)</h1><p>\(present.timeZone)</p></div>\(strip(addresses))\(slider(addresses))</div>
    """
  }

  private var language: Language { present.language }

  private var today: LocalDay { present.calendar.day(of: present.moment) }

  /// The day that it shows.
  private var dayTitle: String {
    let day = present.calendar.day(of: asked ?? present.moment)
    return language.formats.text(
      day.year == today.year ? language.formats.title.day : language.formats.title.dayWithYear, day)
  }

  private var title: String {
    let formats = language.formats
    return asked.map { formats.joined(dayTitle, present.clock($0), as: formats.dateTime.heading) } ?? dayTitle
  }

  private func strip(_ addresses: Addresses) -> HTML {
    let shown = asked ?? present.moment
    let days = present.days.map { day -> HTML in
      let isShown = day.start <= shown && shown < day.end
      let isToday = day.date == today
      let feeds =
        day.feeds.isEmpty ? language(.noFeeds) : day.feeds.map { language.heading(of: $0) }.joined(separator: ", ")
      let date = language.formats.text(language.formats.wideWeekdayAndDay, day.date)
      let name = language(isToday ? .todayAndFeeds : .dayAndFeeds, [.date: date, .name: feeds])
      return """
        <li><a href="\(addresses(isToday ? "" : "?at=\(day.start)"))"\(" class=\"today\"", if: isToday)\
        \(" aria-current=\"date\"", if: isShown) aria-label="\(name)" title="\(feeds)">\
        <span>\(language.formats.shortWeekdays[day.date.weekday.rawValue])</span> <b>\(day.date.day)</b>\
        <i\(" class=\"some\"", if: !day.feeds.isEmpty)></i></a></li>
        """
    }
    return days.isEmpty ? "" : "<nav class=\"days\" aria-label=\"\(language(.days))\"><ol>\(days)</ol></nav>"
  }

  /// The first step is the present. Each other step is a boundary.
  private func slider(_ addresses: Addresses) -> HTML {
    let boundaries = present.boundaries
    guard !boundaries.isEmpty else { return "" }
    let words = [language(.now)] + boundaries.map { present.words(for: $0, today: today) }
    let step = asked.map { asked in boundaries.count { $0 <= asked } } ?? 0
    let options = words.enumerated().map { number, words -> HTML in
      let moment = number == 0 ? "" : boundaries[number - 1].description
      return "<option value=\"\(number)\" label=\"\(words)\" data-at=\"\(moment)\"></option>"
    }
    let key: HTML = addresses.key.map { "<input type=\"hidden\" name=\"key\" value=\"\($0)\">" } ?? ""
    return """
      <form class="time" method="get" action="\(addresses.root)"><label for="step">\(language(.time))</label>\(key)\
      <input type="hidden" name="since" value="\(present.lastBoundary.description)">\
      <input type="range" id="step" name="step" min="0" max="\(boundaries.count)" value="\(step)" list="steps" \
      aria-valuetext="\(words[step])"><output for="step">\(words[step])</output>\
      <datalist id="steps">\(options)</datalist><button>\(language(.showMoment))</button></form>
      """
  }
}
