import CacheSync
import CacheSyncPictures

/// The whole page.
struct Page: Sendable {
  /// An app's part of the page.
  struct Section: Sendable {
    /// The feed, as ``DrawnCards`` finds it for kinds that are not built in.
    var feed: String
    var cards: [Card]
    var forms: [IntentForm]
  }

  var appearance: PageAppearance
  var head: PageHead
  var sections: [Section]
  var problems: [Snapshot.FileProblem]
  var status: StatusPanel
  /// An action that failed, in one line.
  var error: String?

  init(
    _ appearance: PageAppearance, head: PageHead, sections: [Section], problems: [Snapshot.FileProblem],
    status: StatusPanel, error: String? = nil
  ) {
    self.appearance = appearance
    self.head = head
    self.sections = sections
    self.problems = problems
    self.status = status
    self.error = error
  }

  private var language: Language { head.present.language }

  var html: HTML {
    """
    <!doctype html>
    <html lang="\(language.tag.rawValue)" data-appearance="\(appearance.rawValue)"><head><meta charset="utf-8"><title>CacheSync</title>\
    <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/page.css">\
    <script src="/page.js" defer></script>\
    \("<noscript><meta http-equiv=\"refresh\" content=\"60\"></noscript>", if: head.asked == nil)</head>
    <body data-generation="\(head.present.generation)"\(" data-past", if: head.asked != nil)>
    <a class="skip" href="#apps">\(language(.skipToApps))</a>
    <header>\(head.html)\(appearance.links(at: head.asked, language))</header>
    <main id="apps">
    \(banner)\(sections.map(html(of:)))\(empty)
    \(ProblemList(problems: problems, language: language).html)
    \(status.html)
    </main>
    <footer><p id="news" role="status"></p></footer>
    </body></html>

    """
  }

  /// The parts that listeners receive when they change, by the id of the element.
  var parts: [(id: String, html: HTML)] {
    [(PageHead.id, head.html)]
      + sections.flatMap { $0.cards.map { ($0.id, $0.html) } + $0.forms.map { ($0.id, $0.html) } }
      + [(ProblemList.id, ProblemList(problems: problems, language: language).html), (StatusPanel.id, status.html)]
  }

  private var banner: HTML {
    let failure: HTML = error.map { "<p class=\"banner error\">\($0)</p>" } ?? ""
    guard let asked = head.asked else { return failure }
    let view = head.present
    let words = view.words(for: asked, today: view.calendar.day(of: view.moment))
    return """
      \(failure)<p class="banner">\(language(.computedFor, [.date: words])) \
      <a href="/">\(language(.backToNow))</a></p>
      """
  }

  private func html(of section: Section) -> HTML {
    let forms: HTML = "<div class=\"forms\">\(section.forms.map(\.html))</div>"
    return """
      <section id="app-\(section.feed)" aria-labelledby="app-\(section.feed)-title">\
      <h2 id="app-\(section.feed)-title">\(heading(of: section.feed))</h2>\
      <div class="cards">\(section.cards.map(\.html))</div>\(forms, if: !section.forms.isEmpty)</section>
      """
  }

  private func heading(of feed: String) -> String {
    feed == DrawnCards.otherFeed ? language(.otherFeed) : language.heading(of: feed)
  }

  private var empty: HTML {
    guard sections.isEmpty, error == nil else { return "" }
    return """
      <p class="banner">\(language(.nothingPublished))</p>
      """
  }
}
