import Testing

@testable import CacheSyncPictures

@Suite("Clean text")
struct CleanTextTests {
  @Test(
    "Characters that affect others are removed",
    arguments: [
      ("Soup", "Soup"), ("a\nb\tc\r\nd", "a b c d"), ("a\u{2028}b\u{85}c", "a b c"),
      ("\u{1B}[31mred", "[31mred"), ("a\u{0}b\u{7F}c\u{9F}d", "abcd"),
      ("\u{202E}evil\u{202C} \u{2066}x\u{2069}\u{200F}", "evil x"),
      ("שלום", "שלום"), ("👨‍👩‍👧 🇩🇪 ❤️", "👨‍👩‍👧 🇩🇪 ❤️"), ("e\u{301}", "e\u{301}"),
    ])
  func characters(text: String, clean: String) {
    // Compared by scalars, because Swift considers strings equal that look the same.
    #expect(Array(text.clean.unicodeScalars) == Array(clean.unicodeScalars))
  }

  @Test(
    "Noncharacters are removed, because XML cannot contain them",
    arguments: [0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFF] as [UInt32])
  func noncharacters(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect("a\(scalar)b".clean == "ab")
  }

  @Test("At most four marks on a character, and three hundred characters, are kept")
  func limits() {
    let stacked = "a" + String(repeating: "\u{301}", count: 50) + "b"
    #expect(stacked.clean.unicodeScalars.count == 1 + 4 + 1)
    #expect(String(repeating: "漢", count: 100_000).clean.count == 300)
  }

  @Test(
    "Of a long character, no more is kept than the longest emoji has",
    arguments: ["\u{200D}", "\u{FE0F}", "\u{903}", "\u{E0067}"])
  func longCharacter(part: String) {
    // Some of these are separate characters, of which three hundred are kept.
    let text = ("a" + String(repeating: part, count: 100_000)).clean
    #expect(text.unicodeScalars.count <= 16 * 300)
    #expect(text.count > 1 || text.unicodeScalars.count <= 16)
    let emoji = "👩🏽‍❤️‍💋‍👩🏿"
    #expect(Array(emoji.clean.unicodeScalars) == Array(emoji.unicodeScalars))
  }
}
