@testable import CacheSync
import CPango
import Testing

@testable import CacheSyncPictures

/// What a picture may leave out, and what it must not.
@Suite("What a picture shows")
struct CompletenessTests {
  @Test("No number ends in an ellipsis, however large it is", arguments: 0..<286 as Range<UInt64>)
  func numbers(seed: UInt64) throws {
    var awkward = AwkwardContent(seed: seed, replacesTexts: false)
    let layout = Layout(Typesetter())
    let number = #/[−+]?[0-9][0-9.]*(e[0-9]+|[kM%])?( (/ |g|kcal|cal|kg|km|steps|left|over|min|h|[0-9.kMe]+|—))*/#
    var count = 0
    for (kind, family) in SampleSnapshots.pictures {
      let snapshot = try SampleSnapshots.snapshot(kind)
      var entry = snapshot.entries[0]
      entry.content = awkward.content(like: entry.content)
      let picture = try #require(layout.picture(of: entry, in: snapshot, family: family))
      for mark in picture.marks {
        guard case .text(let line) = mark.shape, let words = mark.says, words.wholeMatch(of: number) != nil else {
          continue
        }
        count += 1
        #expect(!line.text.contains("…") && !line.text.isEmpty, "\(kind) \(family), seed \(seed): \(words)")
        #expect(line.text == words || line.text == words.abbreviated(), "\(kind) \(family), seed \(seed): \(words)")
      }
    }
    #expect(count > 20, "numbers were found")
  }

  @Test(
    "Whatever is not shown is counted in +N more",
    arguments: [("todays-tasks", "tasks"), ("calendar", "events")], [ViewFamily.systemMedium, .systemLarge])
  func more(list: (kind: String, member: String), family: ViewFamily) throws {
    let snapshot = try SampleSnapshots.snapshot(list.kind)
    let records = try #require(snapshot.entries[0].content[list.member]?.array)
    // They come before the list, in separate rows.
    let first = snapshot.entries[0].content
    let others = (first["overdueCount"]?.int ?? 0) + (first["now"]?.array?.count ?? 0)
    let layout = Layout(Typesetter())
    for state in [Snapshot.State.current, .stale] {
      for count in 1...5 {
        for more in [0, 1, 95] {
          var entry = snapshot.entries[0]
          entry.state = state
          guard case .object(var content) = entry.content else { return }
          content[list.member] = .array((0..<count).map { records[$0 % records.count] })
          content["more"] = .integer(more)
          entry.content = .object(content)
          let picture = try #require(layout.picture(of: entry, in: snapshot, family: family))
          // Each row acts as its record's own link.
          let shown = picture.targets.count { target in
            if case .link(let link) = target.action { link.contains("task/") || link.contains("event/") } else { false }
          }
          let hidden = picture.marks.compactMap(\.says).first { $0.hasPrefix("+") && $0.hasSuffix(" more") }
          let left = others + count + more - shown
          #expect(hidden == (left == 0 ? nil : "+\(left) more"), "\(count) and \(more) more, \(state)")
        }
      }
    }
  }

  @Test("Every character of the installed fonts' scripts has a glyph")
  func glyphs() throws {
    let type = Typesetter()
    for text in AwkwardContent.texts.map(\.clean) {
      let unknown = type.withLayout(of: text, in: TypeFace(size: 15, weight: .regular)) {
        pango_layout_get_unknown_glyphs_count($0)
      }
      #expect(unknown == 0, "\(text.prefix(40))")
    }
  }
}
