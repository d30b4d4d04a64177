@testable import CacheSync
import Testing

@Suite("Snapshots of defined kinds for readers")
struct DefinedReadingTests {
  private func snapshot(_ content: String, kind: String = "bins", template: String? = nil) throws -> Snapshot {
    let template = template.map { #""template":"\#($0)","# } ?? ""
    let text = #"""
      {"kind":"\#(kind)",\#(template)"widgetKind":"bins","deepLink":"cachesync://bins","generation":1,"timeZone":"UTC",
       "publishedAt":"2026-11-23T00:00:00Z","families":["systemSmall"],
       "entries":[{"date":"2026-11-23T00:00:00Z","state":"current","content":\#(content)}]}
      """#
    return try Snapshot(bytes: Array(text.utf8))
  }

  private let moment = Instant(seconds: 1_795_392_000)
  private let content = #"{"count":1,"more":0,"items":[{"start":null,"end":null,"title":"Grey","price":3}]}"#

  @Test("are drawn by the names of their content")
  func inferred() throws {
    let snapshot = try snapshot(content)
    #expect(snapshot.view(of: snapshot.entries[0], family: .systemSmall).words == "Grey")
    #expect(KindText(snapshot, at: moment).lines == ["Grey"])
  }

  @Test("are drawn by the template that they name")
  func defined() throws {
    let text = KindText(try snapshot(content, template: "table"), at: moment)
    #expect(text.lines == ["Title  Price", "Grey       3"])
  }

  @Test("tell Waybar how much of a ring is reached")
  func percentage() throws {
    func line(_ content: String) throws -> String {
      String(decoding: SnapshotFormat.waybar.line(of: try snapshot(content), at: moment), as: UTF8.self)
    }
    #expect(try line(#"{"progress":0.295}"#).contains(#""percentage":29,"#))
    #expect(try !line(#"{"progress":"x"}"#).contains("percentage"))
  }

  @Test("may link to any app or site, and run nothing")
  func links() {
    for link in ["https://example.org/a?b=%20#c", "app://x", "mailto:a@example.org"] {
      #expect(DeepLink.mayOpen(link), "\(link)")
    }
    let refused = [
      "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x",
      "file:///etc/passwd", "/picture", "//example.org", "", "https://a/\"onclick=", "https://a/<b>", "https://a/ b",
    ]
    for link in refused { #expect(!DeepLink.mayOpen(link), "\(link)") }
  }
}
