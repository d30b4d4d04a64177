import CacheSync

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
  var screens: [(name: String, title: String)] = []

  private var language: Language { head.present.language }

  /// A cookie keeps the choice. In a frame browsers send none, so there the system decides.
  private var colours: HTML { addresses.key == nil ? appearance.links(at: head.asked, language, addresses) : "" }

  var html: HTML {
    Document(
      title: "CacheSync", appearance: appearance.rawValue, view: head.present, isPast: head.asked != nil,
      page: addresses.root, stream: "\(addresses.root)events?server=\(Alive.server)", layout: layout,
      addresses: addresses
    ).html(
      """
      <a class="skip" href="#apps">\(language(.skipToApps))</a>
      <header>\(head.html(addresses))\(colours)</header>
      <main id="apps">
      \(banner)\(sections.map(html(of:)))\(empty)
      \(screenLinks)
      \(ProblemList(problems: problems, language: language).html)
      \(status.html)
      </main>
      """)
  }

  static let screensID = "screens"

  /// Links to the screens, or where to put the file of the first one.
  private var screenLinks: HTML {
    let links = screens.map { name, title -> HTML in
      "<li><a href=\"\(addresses("screen/\(name)"))\">\(title)</a></li>"
    }
    let example: HTML =
      #"<code>{ "widgets": ["\#(sections.first?.cards.first?.kind ?? "calendar")"], "clock": true }</code>"#
    let help: HTML = "<p>\(language(.noScreens, [.name: "screens/kitchen.json"])) \(example)</p>"
    return """
      <section id="\(Self.screensID)" class="panel" aria-labelledby="screens-title"><h2 id="screens-title">\(language(.screens))</h2>\
      \(help, if: links.isEmpty)\("<ul>\(links)</ul>", if: !links.isEmpty)</section>
      """
  }

  /// Which parts it has. A page that has others must be loaded again.
  private var layout: String {
    Self.layout(
      of: [PageHead.id] + sections.flatMap { $0.cards.map(\.id) + $0.forms.map(\.id) } + [
        Self.screensID, ProblemList.id, StatusPanel.id,
      ])
  }

  static func layout(of parts: [String]) -> String {
    String(EntityTag.hash(Array(parts.joined(separator: " ").utf8)), radix: 16)
  }

  /// The parts that listeners receive when they change, by the id of the element.
  var parts: [(id: String, html: HTML)] {
    [(PageHead.id, head.html)]
      + sections.flatMap { $0.cards.map { ($0.id, $0.html) } + $0.forms.map { ($0.id, $0.html) } }
      + [
        (Self.screensID, screenLinks), (ProblemList.id, ProblemList(problems: problems, language: language).html),
        (StatusPanel.id, status.html),
      ]
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
