import TestSupport
import Testing

import CacheSync

@Suite struct HostileDefinitionTests {
  /// Whether reading gave what it promises: a definition, or defects in order and within the document.
  private func holds(_ document: [UInt8], _ name: String) -> Bool {
    document.withUnsafeBytes { bytes in
      let read = FeedDefinition.read(bytes, named: name, reserved: ReservedNames())
      let offsets = read.defects.map(\.offset)
      return (read.definition == nil) == !offsets.isEmpty && offsets == offsets.sorted()
        && offsets.allSatisfy { (0...document.count).contains($0) }
        && JSONPlace.of(read.defects, in: bytes).count == offsets.count
        && read.defects.allSatisfy { defect in !defect.message.unicodeScalars.contains { $0.value < 0x20 } }
    }
  }

  @Test("A good definition that is cut off anywhere has a defect", arguments: GoodDefinitions.all.map(\.name))
  func truncation(name: String) throws {
    let json = try #require(GoodDefinitions.all.first { $0.name == name }?.json)
    let whole = Array(json.utf8)
    for count in 0..<whole.count {
      let document = Array(whole.prefix(count))
      #expect(holds(document, name) && !described(String(decoding: document, as: UTF8.self), named: name).isEmpty)
    }
  }

  @Test(
    "A byte that is changed, removed or inserted anywhere leaves a definition or defects",
    arguments: GoodDefinitions.all.map(\.name))
  func mutations(name: String) throws {
    let json = try #require(GoodDefinitions.all.first { $0.name == name }?.json)
    let whole = Array(json.utf8)
    var generator = SeededGenerator(state: 6)
    let favourites = Array("{}[]\",:\\u0d.-+@^$#*'T\n\u{0}n/e9".utf8) + [0x80, 0xbf, 0xc2, 0xe2, 0xf0, 0xff]
    for index in whole.indices {
      var document = whole
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: document[index] = favourites.randomElement(using: &generator) ?? 0
      case 1: document[index] = .random(in: 0...255, using: &generator)
      case 2: document.insert(favourites.randomElement(using: &generator) ?? 0, at: index)
      default: document.remove(at: index)
      }
      #expect(holds(document, name), "\(String(decoding: document, as: UTF8.self))")
    }
  }

  @Test("A definition has at most 65,536 bytes")
  func size() {
    let room = FeedDefinition.maximumBytes - WrongDefinition.good.utf8.count
    #expect(described(WrongDefinition.good + String(repeating: " ", count: room)) == [])
    #expect(
      described(WrongDefinition.good + String(repeating: " ", count: room + 1)).first?
        .hasSuffix("larger than 65536 bytes []") == true)
    #expect(described("") == ["1:1: unexpected end of document []"])
  }

  @Test("Nesting up to the limit of documents is accepted")
  func depth() {
    let any =
      String(repeating: "{\"any\":[", count: 240) + "{\"field\":\"price\",\"is\":1}"
      + String(repeating: "]}", count: 240)
    let json = WrongDefinition.good.replacing("\"lasts\"", with: "\"where\":\(any),\"lasts\"")
    #expect(described(json) == [])
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    #expect(
      described(WrongDefinition.good.replacing("\"PT1H\"", with: deep)).first?.contains(
        "nesting deeper than 512 levels")
        == true)
  }

  private static func many(_ count: Int, _ member: (Int) -> String) -> String {
    (0..<count).map(member).joined(separator: ",")
  }

  private static let limits: [(String, String, Int, String, @Sendable (Int) -> String)] = [
    ("\"title\":\"@.title\",", ",", 62, "more than 64 fields", { "\"f\($0)\":\"@\"" }),
    (
      "\"names\":{\"list\":\"title\"}", "", 63, "more than 64 values in a definition", { "\"v\($0)\":{\"count\":true}" }
    ),
    ("\"text\":\"{names}\"", "", 62, "more than 64 texts in a kind", { "\"t\($0)\":\"\"" }),
  ]

  @Test("There may be 64 fields, values and texts", arguments: limits.indices)
  func counts(index: Int) {
    let (place, end, most, message, member) = Self.limits[index]
    let start = end.isEmpty ? place + "," : place
    let good = WrongDefinition.good.replacing(place, with: start + Self.many(most, member) + end)
    #expect(described(good) == [])
    let bad = described(WrongDefinition.good.replacing(place, with: start + Self.many(most + 1, member) + end))
    #expect(bad.count == 1 && bad.first?.contains(": \(message) [") == true, "\(bad)")
  }

  @Test("Each kind may have 64 texts")
  func textsOfKinds() {
    func kind(_ name: String) -> String {
      "\"\(name)\":{\"show\":\"all\",\"content\":{\(Self.many(64) { "\"text\($0 == 0 ? "" : "\($0)")\":\"\"" })}}"
    }
    #expect(
      described(WrongDefinition.good.replacing("\"kinds\":{", with: "\"kinds\":{\(kind("bins-a")),\(kind("bins-b")),"))
        == [])
  }

  @Test("There are limits for maps (1,000), lists (64), texts (4,096 bytes) and kinds (16)")
  func otherLimits() {
    func first(_ old: String, _ new: String) -> String? {
      described(WrongDefinition.good.replacing(old, with: new)).first
    }
    let price = "{\"from\":\"@.price\"}"
    func map(_ count: Int) -> String { "{\"from\":\"@\",\"map\":{\(Self.many(count) { "\"\($0)\":\($0)" })}}" }
    #expect(first(price, map(1_000)) == nil)
    #expect(first(price, map(1_001))?.contains("more than 1000 members of a map") == true)
    func paths(_ count: Int) -> String { "[\(Self.many(count) { _ in "\"@\"" })]" }
    #expect(first(price, paths(64)) == nil)
    #expect(first(price, paths(65))?.contains("more than 64 elements [/items/fields/price/64]") == true)
    func text(_ count: Int) -> String { "\"text\":\"\(String(repeating: "x", count: count))\"" }
    #expect(first("\"text\":\"{names}\"", text(4_096)) == nil)
    #expect(first("\"text\":\"{names}\"", text(4_097))?.contains("longer than 4096 bytes") == true)
    func kinds(_ count: Int) -> String {
      Self.many(count) { "\"bins-\($0)\":{\"show\":\"all\",\"items\":{\"title\":\"\"}}" } + ",\"bins\":{"
    }
    #expect(first("\"bins\":{", kinds(15)) == nil)
    #expect(first("\"bins\":{", kinds(16))?.contains("more than 16 kinds [/kinds/bins]") == true)
    let empty = WrongDefinition.good.replacing("\"lasts\":\"PT1H\"},", with: "\"lasts\":\"PT1H\"},\"kinds\":{}}|")
      .split(separator: "|")[0]
    #expect(described(String(empty)) == ["6:25: expected at least one kind [/kinds]"])
  }

  @Test("Of very many defects only the first 20 suggest a near name, because searching for it is slow")
  func manyDefects() {
    let names = Self.many(62) { "\"f\($0)\(String(repeating: "n", count: 58))\":\"@\"" }
    let hole = "{g\(String(repeating: "n", count: 59))}"
    let texts = Self.many(14) { "\"t\($0)\":\"\(String(repeating: hole, count: 60))\"" }
    let json = WrongDefinition.good.replacing("\"title\":\"@.title\",", with: "\"title\":\"@.title\",\(names),")
      .replacing("\"title\":\"{title}\"", with: "\"title\":\"\",\(texts)")
    #expect(json.utf8.count <= FeedDefinition.maximumBytes)
    let defects = described(json)
    #expect(defects.count == 14 * 60)
    #expect(defects.filter { $0.contains("?") }.count == 20)
  }
}
