import Testing

import CacheSync

@Suite("Comparing texts by bytes")
struct ByteOrderTests {
  @Test("Texts of any length are the same only if every byte is", arguments: 0...40)
  func everyByte(count: Int) {
    let bytes = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(isSameText(text, String(decoding: bytes, as: UTF8.self)))
    #expect(!isSameText(text, text + "a") && !isSameText(text + "a", text))
    for place in bytes.indices {
      var other = bytes
      other[place] = UInt8(ascii: "A")
      #expect(!isSameText(text, String(decoding: other, as: UTF8.self)), "byte \(place) of \(count)")
    }
  }

  @Test("Texts that are canonically equivalent are not the same")
  func equivalent() {
    #expect("\u{e9}" == "e\u{301}" && !isSameText("\u{e9}", "e\u{301}"))
  }
}
