import CacheSync
import Foundation
import Testing

@Suite("Deep links")
struct DeepLinkTests {
  /// Every link of feeds.md, and its meaning.
  static let links: [(text: String, link: DeepLink)] = [
    ("brados://mealplan", .mealPlan),
    ("dietapp://dashboard/today", .nutritionToday),
    ("dietapp://meal/42", .meal(id: "42")),
    ("dietapp://add-food", .addFood()),
    ("dietapp://add-food?meal=breakfast", .addFood(meal: "breakfast")),
    ("healthvaults://dashboard", .healthDashboard),
    ("cafe://dashboard", .tasksDashboard),
    ("cafe://task/7", .task(id: "7")),
    ("cafe://task/intent:3f", .task(id: "intent:3f")),
    ("cafe://event/a%2Fb", .event(id: "a/b")),
    ("cafe://calendar", .calendar()),
    ("cafe://calendar?date=2026-11-21", .calendar(date: .day(day(2026, 11, 21)))),
    ("cafe://search?q=tax%20return", .search(query: "tax return")),
    ("cafe://settings/notifications", .settings(section: "notifications")),
    ("cafe://new-task", .newTask()),
    ("cafe://new-task?title=Buy%20milk%20%26%20tea", .newTask(title: "Buy milk & tea")),
    ("cafe://new-task?title=Pay&due=2026-11-30", .newTask(title: "Pay", due: .day(day(2026, 11, 30)))),
    ("cafe://new-task?due=2026-11-30T17%3A00%3A00Z", .newTask(due: .instant(moment("2026-11-30T17:00:00Z")))),
    ("cafe://new-event", .newEvent),
    ("cafe://chat", .chat),
    ("shoeprint://quickSelect", .quickSelect),
    ("shoeprint://dashboard", .shoesDashboard),
    ("shoeprint://suggestions", .suggestions),
    ("shoeprint://selectShoe/run%20%C3%BC", .selectShoe(id: "run ü")),
    ("shoeprint://startSession", .startSession),
    ("shoeprint://endSession", .endSession),
  ]

  @Test("A link is printed as it was parsed", arguments: links)
  func thereAndBack(text: String, link: DeepLink) {
    #expect(DeepLink(text) == link)
    #expect(link.description == text)
  }

  @Test("A link names a place and its parameters")
  func parts() throws {
    let link = try #require(DeepLink("cafe://new-task?title=Pay%20rent&due=2026-11-30"))
    #expect(link.form == .newTask && link["title"] == "Pay rent" && link.day("due") == .day(Self.day(2026, 11, 30)))
    #expect(link["id"] == nil && link.day("title") == nil)
    switch DeepLink("cafe://task/7") {
    case .task(id: "7"): break
    default: Issue.record("a link is matched by its value")
    }
    switch link.form {
    case .newTask: break
    default: Issue.record("a link is matched by its form")
    }
  }

  @Test("No two forms of links name the same place")
  func formsDiffer() {
    #expect(Set(FeedRegistry.builtIn.links).count == FeedRegistry.builtIn.links.count)
    for (text, link) in Self.links {
      #expect(FeedRegistry.builtIn.links.contains(link.form), "\(text) is registered")
    }
  }

  @Test("Every kind of snapshot has a valid link", arguments: FeedRegistry.builtIn.kinds.map(\.deepLink))
  func kinds(text: String) throws {
    #expect(try #require(DeepLink(text)).description == text)
  }

  @Test("A link keeps any text", arguments: awkward)
  func anyText(text: String) {
    let links: [DeepLink] = [
      .task(id: text), .event(id: text), .meal(id: text), .selectShoe(id: text), .settings(section: text),
      .search(query: text), .addFood(meal: text), .newTask(title: text, due: .day(Self.day(2026, 1, 1))),
    ]
    for link in links {
      #expect(DeepLink(link.description) == link, "\(link)")
      #expect(link.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "a link is ASCII: \(link)")
    }
  }

  /// Texts that break careless encoders: delimiters, escapes, an empty one, several scripts, a NUL.
  static let awkward = [
    "", " ", "/", "a/b/../c", "?", "#", "&", "=", "a=b&c=d", "%", "%2F", "%zz", "+", "a+b", ":", "@", "\"'<>\\^`{|}",
    "é", "e\u{301}", "日本語", "👟", "\0", "\n", "~-._", ".", "..",
  ]

  @Test("A link has ids as the agent publishes them", arguments: awkward)
  func asPublished(text: String) throws {
    // As Foundation encodes them, except for the characters that feeds.md leaves unescaped.
    let kept = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:")
    let id = try #require(text.addingPercentEncoding(withAllowedCharacters: kept))
    #expect(DeepLink.selectShoe(id: text).description == "shoeprint://selectShoe/" + id)
    #expect(DeepLink("cafe://task/" + id) == .task(id: text))
  }

  @Test(
    "Links of other apps are not accepted",
    arguments: [
      // foreign schemes
      "https://dashboard", "http://cafe/dashboard", "file:///etc/passwd", "javascript:alert(1)", "cafes://dashboard",
      "", "cafe", "cafe:", "cafe:/dashboard", "cafe:dashboard", "//dashboard", "://dashboard", " cafe://dashboard",
      // unknown hosts, also those of our other apps
      "cafe://", "cafe:///dashboard", "cafe://mealplan", "brados://dashboard", "healthvaults://settings",
      "dietapp://dashboards/today", "shoeprint://task/1", "cafe://user@dashboard", "cafe://dashboard:80",
      "cafe://dash%62oard", "cafe://%64ashboard", "cafe://das\u{212A}board", "cafe://tas\u{212A}/1",
      // paths that lead nowhere
      "cafe://dashboard/today", "dietapp://dashboard", "dietapp://dashboard/", "dietapp://dashboard/today/",
      "dietapp://dashboard/Today", "cafe://task", "cafe://task/1/2", "cafe://task/1/", "cafe://settings",
      "shoeprint://selectShoe", "shoeprint://quickSelect/1", "cafe://search", "cafe://search?Q=x", "cafe://search/?p=x",
    ])
  func foreign(text: String) {
    #expect(DeepLink(text) == nil)
  }

  @Test(
    "Malformed links are not accepted",
    arguments: [
      "cafe://task/%", "cafe://task/%4", "cafe://task/%4g", "cafe://task/%%41", "cafe://task/a b", "cafe://task/\u{e9}",
      "cafe://task/a\nb", "cafe://task/\"a\"", "cafe://task/a\\b", "cafe://task/[1]", "cafe://task/1#top",
      "cafe://task/%FF", "cafe://task/%C3", "cafe://task/%ED%A0%80", "cafe://task/%C0%AF",  // not UTF-8
      "cafe://search?q=%", "cafe://search?q=a b", "cafe://search?q=caf\u{e9}", "cafe://search?q=a&q=b",
      "cafe://search?q=a&%71=b", "cafe://search?q=a#b",
      "cafe://calendar?date=", "cafe://calendar?date", "cafe://calendar?date=2026-02-30", "cafe://calendar?date=today",
      "cafe://calendar?date=2026-11-21T09:00:00", "cafe://new-task?due=tomorrow", "cafe://new-task?title=a&due=",
      "cafe://new-task?x=%",
    ])
  func malformed(text: String) {
    #expect(DeepLink(text) == nil)
  }

  @Test(
    "Other spellings of a link are accepted, and printed in the standard form",
    arguments: [
      // RFC 3986, sections 3.1 and 3.2.2: schemes and hosts have no case; a path has (dashboard/Today is refused above).
      ("CAFE://Dashboard", "cafe://dashboard"),
      ("ShoePrint://QUICKSELECT", "shoeprint://quickSelect"),
      ("shoeprint://selectshoe/AbC", "shoeprint://selectShoe/AbC"),
      // A slash after the host, a query without parameters, parameters in another order, unknown parameters.
      ("cafe://chat/", "cafe://chat"),
      ("cafe://chat?", "cafe://chat"),
      ("cafe://calendar/?date=2026-11-21", "cafe://calendar?date=2026-11-21"),
      ("cafe://new-task?due=2026-11-30&title=a", "cafe://new-task?title=a&due=2026-11-30"),
      ("cafe://new-task?&title=a&&utm=1", "cafe://new-task?title=a"),
      ("cafe://chat?from=widget", "cafe://chat"),
      // Escapes in either case, where none is needed, and in names; and characters that need no escape.
      ("cafe://task/%61%2f%3A", "cafe://task/a%2F:"),
      ("cafe://search?%71=%74ax", "cafe://search?q=tax"),
      ("cafe://search?q=a+b", "cafe://search?q=a%2Bb"),
      ("cafe://search?q=a=b/c?d", "cafe://search?q=a%3Db%2Fc%3Fd"),
      ("cafe://task/a@b,c;d", "cafe://task/a%40b%2Cc%3Bd"),
      ("dietapp://add-food?meal", "dietapp://add-food?meal="),
      // A moment is printed in UTC, its fraction kept.
      ("cafe://calendar?date=2026-11-21T09:30:00.250-05:00", "cafe://calendar?date=2026-11-21T14%3A30%3A00.25Z"),
      ("cafe://new-task?due=2026-11-21T09:30:00%2B0530", "cafe://new-task?due=2026-11-21T04%3A00%3A00Z"),
      ("cafe://new-task?due=2026-11-21T09:30:00+05:30", "cafe://new-task?due=2026-11-21T04%3A00%3A00Z"),
    ])
  func spellings(text: String, canonical: String) throws {
    let link = try #require(DeepLink(text))
    #expect(link.description == canonical)
    #expect(DeepLink(canonical) == link)
  }

  @Test("A link with an empty id is valid, because the agent publishes one for a record with an empty id")
  func emptyID() {
    #expect(DeepLink("cafe://task/") == .task(id: ""))
    #expect(DeepLink.task(id: "").description == "cafe://task/")
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> LocalDay {
    guard let day = LocalDay(year: year, month: month, day: day) else { preconditionFailure("a date that exists") }
    return day
  }

  private static func moment(_ text: String) -> Instant {
    guard let moment = Instant(text) else { preconditionFailure("a moment that exists") }
    return moment
  }
}
