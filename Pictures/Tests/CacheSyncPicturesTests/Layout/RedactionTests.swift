import CacheSync
import Testing

@testable import CacheSyncPictures

@Suite("Redacted pictures")
struct RedactionTests {
  private func redacted(_ snapshot: Snapshot, _ entry: Snapshot.Entry, _ family: ViewFamily) throws -> Picture {
    try #require(
      Layout(Typesetter()).picture(of: entry, in: snapshot, family: family, isRedacted: true))
  }

  @Test("A redacted picture has no text, description or targets, and its title is the kind's name")
  func samples() throws {
    for (kind, family) in SampleSnapshots.pictures {
      let snapshot = try SampleSnapshots.snapshot(kind)
      let name = try #require(KnownKind.all.first { $0.name == kind }).displayName
      for state in [Snapshot.State.current, .stale, .placeholder, .empty] {
        var entry = snapshot.entries[0]
        entry.state = state
        let picture = try redacted(snapshot, entry, family)
        for mark in picture.marks {
          if case .text(let line) = mark.shape { Issue.record("\(kind) \(family) \(state): \(line.text)") }
        }
        #expect(picture.description.isEmpty && picture.targets.isEmpty)
        #expect(picture.title == name && picture.label == name)
        let svg = picture.svg(.palette(.light))
        #expect(svg.contains("</title><desc></desc>") && !svg.contains("<text"))
      }
    }
  }

  @Test("A redacted picture has no text whatever the content is, even if a list hides all of its rows")
  func everyContent() throws {
    let layout = Layout(Typesetter())
    for seed in 0..<66 as Range<UInt64> {
      var awkward = AwkwardContent(seed: seed)
      for (kind, family) in SampleSnapshots.pictures {
        let snapshot = try SampleSnapshots.snapshot(kind)
        var entry = snapshot.entries[0]
        entry.content = awkward.content(like: entry.content)
        let picture = try #require(layout.picture(of: entry, in: snapshot, family: family, isRedacted: true))
        for mark in picture.marks {
          if case .text(let line) = mark.shape { Issue.record("\(kind) \(family), seed \(seed): \(line.text)") }
        }
        #expect(picture.description.isEmpty, "\(kind) \(family), seed \(seed)")
      }
    }
  }

  @Test(
    "A redacted picture has no icon that stands for a number or a word",
    arguments: [
      ("calendar", ViewFamily.systemLarge, "circle.fill"), ("overview", .systemMedium, "arrow."),
      ("overview", .systemLarge, "arrow."),
    ])
  func icons(kind: String, family: ViewFamily, prefix: String) throws {
    let snapshot = try SampleSnapshots.snapshot(kind)
    let layout = Layout(Typesetter())
    func hasIcon(isRedacted: Bool) throws -> Bool {
      let picture = layout.picture(of: snapshot.entries[0], in: snapshot, family: family, isRedacted: isRedacted)
      return try #require(picture).marks.contains { mark in
        if case .icon(let name, _) = mark.shape { name.hasPrefix(prefix) } else { false }
      }
    }
    #expect(try hasIcon(isRedacted: false))
    #expect(try !hasIcon(isRedacted: true))
  }

  @Test("A redacted picture of a defined kind has no content, whatever its template")
  func awkward() throws {
    let content = #"""
      {"count":12,"more":7,"text":"Salary 4711 😀","title":"Secret","progress":0.42,"value":4711,
       "items":[{"title":"Doctor 17:30","detail":"Room 5","value":3,"start":"2026-11-21T10:00:00Z","symbol":"🚑"}]}
      """#
    let text = #"""
      {"kind":"diary","widgetKind":"diary","deepLink":"x://y","generation":1,"timeZone":"UTC","template":"TEMPLATE",
       "publishedAt":"2026-11-21T00:00:00Z","families":["systemSmall"],
       "widget":{"kind":"diary","options":{},"title":"Anna's diary"},
       "entries":[{"date":"2026-11-21T00:00:00Z","state":"current","content":CONTENT}]}
      """#
    for template in ["list", "value", "ring", "table", "strip", "unknown"] {
      let bytes = text.replacing("TEMPLATE", with: template).replacing("CONTENT", with: content)
      let snapshot = try Snapshot(bytes: Array(bytes.utf8))
      for family in ViewFamily.allCases where family != .terminal {
        let svg = try redacted(snapshot, snapshot.entries[0], family).svg(.palette(.light))
        // Also the kind's name is what a person wrote.
        for word in [
          "diary", "Diary", "Salary", "Secret", "Doctor", "Room", "Anna", "😀", "🚑", "more", "percent", "17:30",
        ] {
          #expect(!svg.contains(word), "\(template) \(family): \(word)")
        }
        #expect(!svg.contains("<text") && svg.contains("<title>CacheSync</title><desc></desc>"))
      }
    }
  }
}
