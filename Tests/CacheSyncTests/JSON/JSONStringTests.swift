import Testing

@testable import CacheSyncFeeds
@testable import CacheSyncValues

@Suite struct JSONStringTests {
  @Test(
    "A string is unescaped",
    arguments: [
      ("\"\"", ""), ("\"a\"", "a"), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{c}\n\r\t"),
      ("\"\\u0041\\u00e9\\u20ac\"", "Aé€"), ("\"\\ud83d\\ude00\"", "😀"), ("\"\\uD83D\\uDE00x\"", "😀x"),
      ("\"\\u0000\"", "\u{0}"), ("\"\\udbff\\udfff\"", "\u{10ffff}"), ("\"\\ud800\\udc00\"", "\u{10000}"),
      ("\"é€😀\"", "é€😀"), ("\"é\\né\"", "é\né"), ("\"\\\\u0041\"", "\\u0041"), ("\"\\uffff\"", "\u{ffff}"),
      ("\"a rather long string, of more than one word\"", "a rather long string, of more than one word"),
    ])
  func strings(_ document: String, _ text: String) {
    #expect(read(document) { $0.string() }.value == text)
  }

  /// Text is scanned in blocks of 16 bytes. The offsets follow from RFC 8259, section 7; `a` is not an escape.
  @Test("A byte has the same effect at every place of a string of any length")
  func places() {
    let bytes: [UInt8] = [0, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xff]
    for length in 1..<40 {
      for place in 0..<length {
        for byte in bytes {
          var document = [0x22] + [UInt8](repeating: 0x61, count: length) + [0x22]
          document[1 + place] = byte
          let expected: Int? =
            switch byte {
            case ..<0x20, 0x80...: 1 + place
            case 0x22: 2 + place
            case 0x5c: place == length - 1 ? document.count : 2 + place
            default: nil
            }
          #expect(skipping(document).first?.offset == expected, "\(byte) at \(place) of \(length)")
        }
      }
    }
  }

  @Test("A string with many escapes is read completely")
  func longEscaped() {
    let text = String(repeating: "x\n", count: 10_000)
    let document = "[\"\\n\",\"" + String(repeating: "x\\n", count: 10_000) + "\",\"\\t\"]"
    let result = read(document) { json in
      var texts: [String] = []
      return json.array { json in json.string().map { texts.append($0) } } ? texts : nil
    }
    #expect(result.value == ["\n", text, "\t"])
  }

  /// Strings without their quotes, and the offsets of their defects from the opening quote.
  static let broken: [([UInt8], [Int])] = [
    ([0x80], [1]), ([0xbf], [1]), ([0xc0, 0x80], [1]), ([0xc1, 0xbf], [1]), ([0xc2], [1]), ([0xc2, 0x41], [1]),
    ([0xe0, 0x80, 0x80], [1]), ([0xe0, 0x9f, 0xbf], [1]), ([0xe2, 0x82], [1]), ([0xe2, 0x41], [1]),
    ([0xed, 0xa0, 0x80], [1]), ([0xed, 0xbf, 0xbf], [1]), ([0xf0, 0x80, 0x80, 0x80], [1]),
    ([0xf0, 0x8f, 0xbf, 0xbf], [1]),
    ([0xf0, 0x9f, 0x98], [1]), ([0xf4, 0x90, 0x80, 0x80], [1]), ([0xf5, 0x80, 0x80, 0x80], [1]), ([0xff], [1]),
    ([0xfe], [1]),
    ([0x41, 0xff, 0x42, 0xff], [2, 4]), ([0xc3, 0xa9, 0xff], [3]), ([0xff, 0xc3, 0xa9], [1]),
    ([0xe2, 0x82, 0xc3, 0xa9], [1]),
    ([0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0xff], [9]), ([0xc3, 0xc3, 0xa9], [1]),
    ([0xf8, 0x88, 0x80, 0x80, 0x80], [1, 5]),
  ]

  @Test("Invalid UTF-8 is a defect at the first byte of the sequence, and reading continues", arguments: broken)
  func brokenUTF8(_ text: [UInt8], _ offsets: [Int]) {
    let document = [0x5b, 0x22] + text + [0x22, 0x2c, 0x31, 0x5d]
    let expected = offsets.map { JSONDefect(offset: $0 + 1, message: "broken UTF-8", place: .document) }
    #expect(skipping(document) == expected)
    #expect(readingAll(document) == expected)
    // The standard library gives the same verdict.
    #expect(String(validating: text, as: UTF8.self) == nil)
  }

  @Test("Each sequence of up to 3 bytes of 0x80 and more is valid if it is for the standard library")
  func allSequences() {
    for first in UInt8(0x80)...0xff {
      for second in stride(from: 0, through: 255, by: 1).map(UInt8.init) where second >= 0x7e {
        for third in [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff] as [UInt8] {
          let text = [first, second, third]
          let isGood = String(validating: text, as: UTF8.self) != nil
          let defects = skipping([0x22] + text + [0x22])
          if defects.isEmpty != isGood { Issue.record("\(text)") }
        }
      }
    }
  }

  static let surrogates: [(String, [Int])] = [
    ("\\ud800", [1]), ("\\udc00", [1]), ("\\udfff", [1]), ("\\uD83Dx", [1]), ("\\ud83d\\n", [1]),
    ("\\ud83d\\u0041", [1]),
    ("\\ud83d\\ud83d\\ude00", [1]), ("\\ud83d\\ude00\\ude00", [13]), ("a\\udc00b\\ud800c", [2, 9]),
    ("\\ude00\\ud83d", [1, 7]),
    ("\\\\ud800\\ud800", [8]), ("é\\ud800", [3]),
  ]

  @Test("A lone surrogate escape is a defect at its backslash, and reading continues", arguments: surrogates)
  func loneSurrogates(_ text: String, _ offsets: [Int]) {
    let document = bytes("{\"k\":\"\(text)\",\"l\":1}")
    let expected = offsets.map { JSONDefect(offset: $0 + 5, message: "lone surrogate escape", place: .document) }
    #expect(skipping(document) == expected)
    #expect(readingAll(document) == expected)
    // Also in a key, known or not.
    let inKey = bytes("{\"id\":\"\",\"\(text)\":1}")
    #expect(read(inKey, Record.read).defects.map(\.offset) == offsets.map { $0 + 9 })
    #expect(readingAll(inKey).map(\.offset) == offsets.map { $0 + 9 })
  }

  @Test("A document that ends before a surrogate's second half has only the defect of its end", arguments: 0..<6)
  func cutPair(_ count: Int) {
    let document = bytes("\"\\ud83d" + "\\ude00".prefix(count))
    #expect(skipping(document).map(\.offset) == [document.count])
  }

  @Test(
    "If the rest of a truncated document cannot be a surrogate's second half, the surrogate is a defect too",
    arguments: ["a", "\\n", "\\u00"])
  func noPair(_ rest: String) {
    let document = bytes("\"\\ud83d" + rest)
    #expect(skipping(document).map(\.offset) == [1, document.count])
  }

  @Test("An invalid escape after a high surrogate gives both defects")
  func surrogateAndSyntax() {
    #expect(skipping(bytes("\"\\ud83d\\uzz00\"")).map(\.offset) == [1, 9])
  }

  @Test("Plain text ends at the first byte that is not plain, wherever that is", arguments: 0...24)
  func plainText(length: Int) {
    // What the grammar of JSON allows without an escape, and no byte that needs a check of UTF-8.
    func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5c }
    let filling: [UInt8] = [0x20, 0x21, 0x23, 0x5b, 0x5d, 0x61, 0x7f]
    var wrong: [[UInt8]] = []
    for place in 0..<length {
      for byte in UInt8.min...UInt8.max {
        var text = (0..<length).map { filling[($0 + Int(byte)) % filling.count] }
        text[place] = byte
        if place + 1 < length { text[place + 1] = byte ^ 0x80 }
        // What follows the end is plain, so a scan that passes the end is found.
        text += [UInt8](repeating: 0x61, count: 8)
        let found = text.withUnsafeBufferPointer { text in
          text.baseAddress.map { $0.afterPlainText(before: $0 + length) - $0 }
        }
        if found != text.prefix(length).firstIndex(where: { !isPlain($0) }) ?? length { wrong.append(text) }
      }
    }
    #expect(wrong == [])
  }

  @Test("A word is one of those listed, with or without escapes")
  func words() {
    #expect(read("\"red\"") { $0.word(Record.Color.self) }.value == .red)
    #expect(read("\"gr\\u0065en\"") { $0.word(Record.Color.self) }.value == .green)
    #expect(read("\"a colour of many letters\"") { $0.word(Record.Color.self) }.value == .long)
  }

  @Test(
    "Another word is a defect that lists the valid ones",
    arguments: [
      ("\"blue\"", "\"blue\""), ("\"re\"", "\"re\""), ("\"redd\"", "\"redd\""), ("\"\"", "\"\""),
      ("\"RED\"", "\"RED\""),
      ("\"a colour of many lettert\"", "\"a colour of many lettert\""),
      ("\"a colour of mamy letters\"", "\"a colour of mamy letters\""),
      ("3", "a number"), ("null", "null"), ("[\"red\"]", "an array"), ("\"r\\u0065\"", "\"re\""),
    ])
  func otherWords(_ document: String, _ found: String) {
    #expect(
      read(document) { $0.word(Record.Color.self) }.defects == [
        JSONDefect(
          offset: 0, message: "expected one of red, green, a colour of many letters, found \(found)", place: .value)
      ])
  }

  @Test("A string's bytes are parsed in place, and refused with the expected format")
  func parsed() {
    let date = { (text: UnsafeBufferPointer<UInt8>) in text.elementsEqual("10-é".utf8) ? 10 : nil }
    #expect(read("\"10-é\"") { $0.stringBytes("a date", date) }.value == 10)
    #expect(read("\"1\\u0030-\\u00e9\"") { $0.stringBytes("a date", date) }.value == 10)
    #expect(
      read(" \"2026-13-01\"") { $0.stringBytes("a date", date) }.defects == [
        JSONDefect(offset: 1, message: "expected a date, found \"2026-13-01\"", place: .value)
      ])
    #expect(
      read("7") { $0.stringBytes("a date", date) }.defects.map(\.message) == ["expected a date, found a number"])
  }

  @Test(
    "A message repeats at most 40 characters, and only printable ones",
    arguments: [
      (String(repeating: "a", count: 40), "\"" + String(repeating: "a", count: 40) + "\""),
      (String(repeating: "a", count: 41), "\"" + String(repeating: "a", count: 40) + "…\""),
      (String(repeating: "😀", count: 1000), "\"" + String(repeating: "😀", count: 40) + "…\""),
      ("a\\u0000\\n\\u001b[31m\\u007f", "\"a\\u{0}\\u{a}\\u{1b}[31m\\u{7f}\""),
      ("\u{202e}x\u{2028}\u{85}", "\"\\u{202e}x\\u{2028}\\u{85}\""),
      ("say \\\"hi\\\" \\\\", "\"say \\\"hi\\\" \\\\\""), ("Bún chả", "\"Bún chả\""),
      ("\u{e000}\u{200b}", "\"\\u{e000}\\u{200b}\""),
    ])
  func quoting(_ text: String, _ quoted: String) {
    let defects = read("\"\(text)\"") { $0.stringBytes("nothing") { _ in nil as Int? } }.defects
    #expect(defects.map(\.message) == ["expected nothing, found \(quoted)"])
  }
}
