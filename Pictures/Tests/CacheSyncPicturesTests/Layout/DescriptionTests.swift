import CacheSync
import Testing

@testable import CacheSyncPictures

@Suite("Descriptions of pictures")
struct DescriptionTests {
  private let layout = Layout(Typesetter())

  /// The description of a sample whose content has these members.
  private func description(
    _ kind: String, _ family: ViewFamily, _ state: SnapshotState = .current, _ members: [String: JSONValue] = [:]
  ) throws -> String {
    let snapshot = try Snapshot.sample(of: kind)
    var entry = snapshot.entry(at: Snapshot.sampleMoment)
    entry.state = state
    var content = try #require(entry.content.object)
    for (key, value) in members { content[key] = value }
    entry.content = .object(content)
    return try #require(layout.picture(of: entry, in: snapshot, family: family)).description
  }

  /// The texts of a content, and its whole numbers.
  private static func words(of value: JSONValue) -> [String] {
    switch value {
    case .string(let text): text.isEmpty || text.contains("://") ? [] : [text]
    case .integer(let number): ["\(number)"]
    case .array(let values): values.flatMap(words)
    case .object(let members): members.map(\.value).flatMap(words)
    default: []
    }
  }

  @Test(
    "The description of every picture with content has words of the content, or its share",
    arguments: [SnapshotState.current, .stale], [false, true])
  func named(state: SnapshotState, isMindful: Bool) throws {
    for kind in KnownKind.all {
      let content = try Snapshot.sample(of: kind.name).entry(at: Snapshot.sampleMoment).content
      if isMindful, content["showsNumbers"] == nil { continue }
      let mode = JSONValue.string("Mindful mode")
      let members: [String: JSONValue] =
        isMindful ? ["showsNumbers": .bool(false), "inline": mode, "rectangular": mode, "text": mode] : [:]
      let words = Self.words(of: content) + ["Mindful mode", "Protein", "Quick Add"]
      for family in kind.families {
        let description = try description(kind.name, family, state, members)
        let hasShare = !isMindful && description.contains(" percent")
        #expect(hasShare || words.contains { description.contains($0) }, "\(kind.name) \(family): \(description)")
      }
    }
  }

  @Test("The description of every empty picture says what to do, or that there is nothing")
  func empty() throws {
    for kind in KnownKind.all {
      for family in kind.families {
        #expect(try description(kind.name, family, .empty).contains { $0.isLetter }, "\(kind.name) \(family)")
      }
    }
  }

  @Test("An icon in place of a word says the word; one beside it is decoration")
  func icons() throws {
    #expect(try description("current-shoe", .accessoryCircular) == "Everyday")
    #expect(
      try description("current-shoe", .accessoryCircular, .current, ["inline": .string("Select Shoes")])
        == "Select Shoes")
    let small = try description("quick-selection", .systemSmall)
    for name in ["Pegasus", "Everyday", "Trail", "Office"] { #expect(small.contains(name)) }
    #expect(try description("calories", .accessoryCircular) == "61 percent")
    let mindful: [String: JSONValue] = ["showsNumbers": .bool(false), "inline": .string("Mindful mode")]
    #expect(try description("calories", .accessoryCircular, .current, mindful) == "Mindful mode")
    let unsynced: [String: JSONValue] = ["progress": .integer(0), "inline": .string("Sync required")]
    #expect(try description("calories", .accessoryCircular, .empty, unsynced) == "0 percent, Sync required")
    #expect(try description("todays-tasks", .systemMedium).matches(of: /Order oat milk/).count == 1)
  }

  @Test("A placeholder says what to do where there is room", arguments: [ViewFamily.systemSmall, .systemMedium])
  func placeholder(family: ViewFamily) throws {
    #expect(try description("daily-progress", family, .placeholder).contains("Open app to sync"))
    #expect(try description("daily-progress", family).contains("1234 / 2000"))
  }
}
