import CacheSync
import Testing

@testable import CacheSyncPictures

/// `make contact-sheets` draws the pictures, for people to look at.
@Suite("Pictures in every language")
struct LanguageTests {
  /// What is cut in a picture: the whole text of each mark that ends in an ellipsis.
  private static func cut(_ picture: Picture) -> Set<String> {
    Set(
      picture.marks.compactMap { mark in
        guard case .text(let line) = mark.shape, line.text.contains("…") || line.text.isEmpty else { return nil }
        return mark.says
      })
  }

  private static func texts(_ picture: Picture) -> Set<String> { Set(picture.marks.compactMap(\.says)) }

  /// What the pictures are drawn from.
  private enum Content: CaseIterable {
    case sample
    /// The sample in the year after, when its dates are written with their years.
    case nextYear
    /// The sample with counts of one digit more.
    case larger

    func change(_ entry: inout Snapshot.Entry) {
      switch self {
      case .sample: break
      case .nextYear: entry.date = entry.date + .seconds(100 * 86_400)
      case .larger: entry.content = Self.larger(entry.content)
      }
    }

    /// Shares, which are up to 1, and numbers of days and months, stay as they are.
    private static func larger(_ value: JSONValue) -> JSONValue {
      switch value {
      case .integer(let number) where number > 31: .integer(number * 10 + 8)
      case .number(let number) where number > 31: .number(number * 10)
      case .array(let elements): .array(elements.map(larger))
      case .object(let members): .object(members.mapValues(larger))
      default: value
      }
    }
  }

  private static let states: [(SnapshotState, Content)] =
    [(.stale, .sample), (.empty, .sample)] + Content.allCases.map { (.current, $0) }

  @Test("No text of the program is cut where English is whole", arguments: LanguageTag.allCases)
  func whole(tag: LanguageTag) throws {
    let layout = Layout(Typesetter())
    let locale = try #require(CacheLocale(publishedIn: .object(["locale": .string(tag.rawValue)])))
    #expect(locale.language.tag == tag)
    var count = 0
    for kind in KnownKind.all {
      let (english, snapshot) = (try Snapshot.sample(of: kind.name), try Snapshot.sample(of: kind.name, in: locale))
      for family in kind.families {
        for (state, content) in Self.states {
          func picture(_ snapshot: Snapshot) throws -> Picture {
            var entry = snapshot.entry(at: Snapshot.sampleMoment)
            entry.state = state
            content.change(&entry)
            return try #require(layout.picture(of: entry, in: snapshot, family: family))
          }
          let drawn = try picture(snapshot)
          // Texts that both have are names in the files.
          let names = try Self.texts(picture(english))
          let cut = Self.cut(drawn).subtracting(names)
          #expect(cut.isEmpty, "\(tag.rawValue): \(kind.name) \(family) \(state) \(content)")
          #expect(drawn.language == tag)
          count += 1
        }
      }
    }
    #expect(count > 150)
  }

  @Test("A picture names its language")
  func named() throws {
    let japanese = try #require(CacheLocale(publishedIn: .object(["locale": .string("ja")])))
    let snapshot = try Snapshot.sample(of: "todays-tasks", in: japanese)
    let picture = Layout(Typesetter()).picture(of: snapshot.entries[0], in: snapshot, family: .systemLarge)
    #expect(try #require(picture).svg(.classes).contains(#"xml:lang="ja""#))
  }
}
