import CacheSync
import Foundation
import Testing

@testable import CacheSyncPage

@Suite("The page")
struct PageTests {
  private let view: CacheView

  init() throws {
    let dates = ["2026-11-22T05:00:00Z", "2026-11-22T19:00:00Z"]
    view = CacheView(
      generation: 17, snapshots: try CacheViewTests.snapshots(["task-count": dates, "calories": dates]),
      dayIndex: .object([
        "timeZone": .string("America/New_York"),
        "days": .array([
          .object([
            "date": .string("2026-11-22"), "start": .string("2026-11-22T05:00:00Z"),
            "end": .string("2026-11-23T05:00:00Z"), "feeds": .object(["tasks": .null]),
          ]),
          .object([
            "date": .string("2026-11-23"), "start": .string("2026-11-23T05:00:00Z"),
            "end": .string("2026-11-24T05:00:00Z"), "feeds": .object([:]),
          ]),
        ]),
      ]), moment: try #require(Instant("2026-11-22T12:00:00Z")))
  }

  private func page(of other: CacheView? = nil, at asked: String? = nil, error: String? = nil) -> String {
    let view = other ?? view
    var cards = DrawnCards()
    let head = PageHead(present: view, asked: asked.flatMap { Instant($0) })
    let sections = asked == nil ? cards.sections(of: view) : cards.pastSections(of: view)
    return Page(
      appearance: .dark, head: head, sections: sections, problems: [],
      status: StatusPanel(agent: .none, present: view), error: error
    ).html.text
  }

  @Test("The page has a section for each app, a card for each kind, and the forms")
  func sections() throws {
    let text = page()
    let places = try [
      "app-nutrition", "card-calories", "app-tasks", "card-task-count", "form-add-task", "problems", "status",
    ]
    .map { try #require(text.range(of: "id=\"\($0)\"")).lowerBound }
    #expect(places == places.sorted())
    #expect(text.contains("<h1 data-day=\"Sunday, 22 November\">Sunday, 22 November</h1><p>America/New_York</p>"))
    #expect(text.contains("data-generation=\"17\"") && text.contains("data-appearance=\"dark\""))
    #expect(text.contains("not running"))
  }

  @Test("The page links to each day's start, and for today to the present")
  func days() {
    let text = page()
    #expect(
      text.contains(
        "<a href=\"./\" class=\"today\" aria-current=\"date\" aria-label=\"Sunday 22 November, today: Tasks\""))
    #expect(text.contains("<a href=\"./?at=2026-11-23T05:00:00Z\" aria-label=\"Monday 23 November: nothing\""))
  }

  @Test("The slider's steps are now and the coming boundaries")
  func slider() {
    let text = page()
    #expect(text.contains("name=\"since\" value=\"2026-11-22T05:00:00Z\""))
    #expect(text.contains("min=\"0\" max=\"1\" value=\"0\""))
    #expect(text.contains("<option value=\"1\" label=\"today 14:00\" data-at=\"2026-11-22T19:00:00Z\">"))
  }

  @Test("At another moment the page says so, and has no active buttons")
  func past() {
    let text = page(at: "2026-11-22T19:30:00Z")
    #expect(
      text.contains("This is today 14:30, computed from the files") && text.contains("<a href=\"./\">Back to now</a>"))
    #expect(text.contains("value=\"1\" list=\"steps\"") && text.contains("\">Sunday, 22 November, 14:30</h1>"))
    #expect(text.contains("<button disabled>Add task</button>") && !text.contains("<button>Add task</button>"))
    #expect(!text.contains("http-equiv"))
  }

  @Test("The page has the same bytes until something changes, and other tokens in another run")
  func sameBytes() {
    var cards = DrawnCards()
    let first = cards.sections(of: view).flatMap { $0.cards.map(\.html.text) + $0.forms.map(\.html.text) }
    let second = cards.sections(of: view).flatMap { $0.cards.map(\.html.text) + $0.forms.map(\.html.text) }
    #expect(first == second)
    #expect(page() != page())
  }

  @Test("A form gets a new token once it was used, and a card keeps the same one")
  func newToken() throws {
    var cards = DrawnCards()
    let tasks = try #require(cards.sections(of: view).first { $0.feed == "tasks" })
    let token = try #require(tasks.forms[0].token)
    cards.press(token, 0)
    let later = try #require(cards.sections(of: view).first { $0.feed == "tasks" })
    #expect(later.forms[0].token != token && later.cards == tasks.cards)
  }

  @Test("A failed action is reported in one line")
  func error() {
    #expect(page(error: "a <b> c").contains("<p class=\"banner error\">a &lt;b&gt; c</p>"))
  }

  @Test("The page is in the language and by the clock of the cache, and names the language")
  func language() throws {
    var german = view
    let published: JSONValue = .object(["locale": .string("de"), "hourCycle": .integer(12)])
    german.locale = try #require(CacheLocale(publishedIn: published))
    let text = page(of: german)
    #expect(text.contains("<html lang=\"de\"") && page().contains("<html lang=\"en\""))
    #expect(text.contains("\">Sonntag, 22. November</h1>"))
    #expect(text.contains("aria-label=\"Montag, 23. November: nichts\""))
    #expect(text.contains("label=\"heute 2:00\u{A0}PM\""))
    for word in ["Today", "Skip", "Problems", "None", "Show", "Colours", "Add task"] {
      #expect(!text.contains(">\(word)") && !text.contains("\"\(word)"), "\(word)")
    }
  }
}
