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
  var addresses = Addresses()

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
    <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="\(addresses("page.css"))">\
    <script src="\(addresses("page.js"))" defer></script>\
    \("<meta http-equiv=\"refresh\" content=\"60\">", if: head.asked == nil)</head>
    <body\(dataForScript)>
    <a class="skip" href="#apps">\(language(.skipToApps))</a>
    <p id="connection" role="status"></p>
    <header>\(head.html(addresses))\(appearance.links(at: head.asked, language, addresses))</header>
    <main id="apps">
    \(banner)\(sections.map(html(of:)))\(empty)
    \(ProblemList(problems: problems, language: language).html)
    \(status.html)
    </main>
    <footer><p id="news" role="status"></p></footer>
    </body></html>

    """
  }

  /// What the script needs: its addresses, what the page shows, and the words for when it is not connected.
  private var dataForScript: HTML {
    let view = head.present
    let key: HTML = addresses.key.map { " data-key=\"\($0)\"" } ?? ""
    return """
       data-page="\(addresses.root)" data-stream="\(addresses.root)events?server=\(Alive.server)" \
      data-probe="\(addresses.root)manifest.json" data-generation="\(view.generation)" \
      data-version="\(PageStyle.version)" data-layout="\(layout)" data-zone="\(view.timeZone)" \
      data-hours="\(view.locale.hourCycle.rawValue)" data-lost="\(language(.notConnected, [.time: "{time}"]))" \
      data-link="\(language(.newLinkNeeded))"\(" data-past", if: head.asked != nil)\(key)
      """
  }

  /// Which parts it has. A page that has others must be loaded again.
  private var layout: String {
    Self.layout(
      of: [PageHead.id] + sections.flatMap { $0.cards.map(\.id) + $0.forms.map(\.id) } + [
        ProblemList.id, StatusPanel.id,
      ])
  }

  static func layout(of parts: [String]) -> String {
    String(EntityTag.hash(Array(parts.joined(separator: " ").utf8)), radix: 16)
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
      <a href="\(addresses())">\(language(.backToNow))</a></p>
      """
  }

  private func html(of section: Section) -> HTML {
    let forms: HTML = "<div class=\"forms\">\(section.forms.map { $0.html(addresses) })</div>"
    return """
      <section id="app-\(section.feed)" aria-labelledby="app-\(section.feed)-title">\
      <h2 id="app-\(section.feed)-title">\(heading(of: section.feed))</h2>\
      <div class="cards">\(section.cards.map { $0.html(addresses) })</div>\(forms, if: !section.forms.isEmpty)</section>
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
