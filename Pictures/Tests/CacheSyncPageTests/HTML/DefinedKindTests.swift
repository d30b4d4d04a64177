import CacheSync
import Testing

@testable import CacheSyncPage

@Suite("Kinds that a cache defines, on the page")
struct DefinedKindTests {
  private func snapshot(_ kind: String, _ content: String, link: String = "cachesync://bins") throws -> Snapshot {
    let text = #"""
      {"kind":"\#(kind)","widgetKind":"w","deepLink":"\#(link)","generation":1,"timeZone":"UTC",
       "publishedAt":"2026-11-23T00:00:00Z","families":["systemMedium","systemTiny"],
       "entries":[{"date":"2026-11-23T00:00:00Z","state":"current","content":\#(content)}]}
      """#
    return try Snapshot(bytes: Array(text.utf8))
  }

  private func sections(_ snapshots: Snapshot...) throws -> [Page.Section] {
    let moment = try #require(Instant("2026-11-23T12:00:00Z"))
    var cards = DrawnCards()
    return cards.sections(of: CacheView(generation: 1, snapshots: snapshots, dayIndex: .null, moment: moment))
  }

  private let content = #"{"count":0,"more":0,"text":"a"}"#

  @Test("There is a section for each feed, and one for kinds that share a built-in feed's name")
  func feeds() throws {
    let found = try sections(
      snapshot("bins", content), snapshot("bins-next", content), snapshot("zoo", content),
      snapshot("calories", content),
      snapshot("health-x", content), snapshot("tasks-y", content))
    #expect(found.map(\.feed) == ["nutrition", "bins", "other", "zoo"])
    #expect(
      found.map { $0.cards.map(\.kind) } == [["calories"], ["bins", "bins-next"], ["health-x", "tasks-y"], ["zoo"]])
  }

  @Test("Hostile content is shown as text, without links that run something")
  func hostile() throws {
    let evil = #"<script>alert(1)</script>\"' onload=\"x"#
    let items = #"""
      [{"title":"\#(evil)","detail":"]]>","symbol":"\#(evil)","color":"\#(evil)","deepLink":"javascript:alert(1)"},
       {"title":"b","deepLink":"https://example.org/\#(evil)"},{"title":"c","deepLink":"https://example.org/?q=%22&r=1"}]
      """#
    let section = try #require(
      try sections(
        snapshot("bins", #"{"count":3,"more":0,"text":"\#(evil)","items":\#(items)}"#, link: "data:text/html,x")
      ).first)
    let html = section.cards.map(\.html.text).joined()
    #expect(html.contains("&lt;script&gt;") && !html.contains("<script") && !html.contains("' onload=\""))
    let links = html.split(separator: "href=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(links == ["https://example.org/?q=%22&amp;r=1"])
  }
}
