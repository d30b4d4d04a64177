import Testing

@testable import CacheSyncPictures

@Suite("Clean text")
struct CleanTextTests {
  @Test(
    "has no characters that act on others",
    arguments: [
      ("Soup", "Soup"), ("a\nb\tc\r\nd", "a b c d"), ("a\u{2028}b\u{85}c", "a b c"),
      ("\u{1B}[31mred", "[31mred"), ("a\u{0}b\u{7F}c\u{9F}d", "abcd"),
      ("\u{202E}evil\u{202C} \u{2066}x\u{2069}\u{200F}", "evil x"),
      ("שלום", "שלום"), ("👨‍👩‍👧 🇩🇪 ❤️", "👨‍👩‍👧 🇩🇪 ❤️"), ("e\u{301}", "e\u{301}"),
    ])
  func characters(text: String, clean: String) {
    // Compared by scalars, because Swift's strings are equal when they look alike.
    #expect(Array(text.clean.unicodeScalars) == Array(clean.unicodeScalars))
  }

  @Test("has no noncharacters, which XML cannot hold", arguments: [0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFF] as [UInt32])
  func noncharacters(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect("a\(scalar)b".clean == "ab")
  }

  @Test("keeps four marks on a character and three hundred characters")
  func limits() {
    let stacked = "a" + String(repeating: "\u{301}", count: 50) + "b"
    #expect(stacked.clean.unicodeScalars.count == 1 + 4 + 1)
    #expect(String(repeating: "漢", count: 100_000).clean.count == 300)
  }

  @Test(
    "keeps no more of a character than its longest emoji has, whatever makes it long",
    arguments: ["\u{200D}", "\u{FE0F}", "\u{903}", "\u{E0067}"])
  func longCharacter(part: String) {
    // Some of these are characters of their own, of which three hundred are kept.
    let text = ("a" + String(repeating: part, count: 100_000)).clean
    #expect(text.unicodeScalars.count <= 16 * 300)
    #expect(text.count > 1 || text.unicodeScalars.count <= 16)
    let emoji = "👩🏽‍❤️‍💋‍👩🏿"
    #expect(Array(emoji.clean.unicodeScalars) == Array(emoji.unicodeScalars))
  }
}
