import Testing

import CacheSync

@Suite("Ids of records")
struct RecordIDTests {
  private func id(_ document: String) -> RecordID? { read(document) { $0.recordID() }.value }

  @Test("Integers of any size are ordered numerically and before texts, which are ordered by their bytes")
  func order() throws {
    let ascending = [
      "-18446744073709551616", "-18446744073709551615", "-9223372036854775808", "-10", "-9", "0", "9", "10",
      "9223372036854775807", "9223372036854775808", "18446744073709551614", "18446744073709551615", "1e20",
      "\"\"", "\"10\"", "\"9\"", "\"a\"", "\"e\u{301}\"", "\"é\"",
    ]
    let ids = try ascending.map { try #require(id($0)) }
    for (i, a) in ids.enumerated() {
      for (j, b) in ids.enumerated() { #expect((a < b) == (i < j) || a == b, "\(a.text) \(b.text)") }
    }
    #expect(ids.map(\.text).prefix(13).last == "100000000000000000000")
  }

  @Test(
    "A number is the same id as a text with its digits, in any notation",
    arguments: [
      ("18446744073709551615", "18446744073709551615"), ("18446744073709551615.0", "18446744073709551615"),
      ("1844674407370955161.50e1", "18446744073709551615"), ("-0", "0"), ("2.0", "2"),
      ("123456789012345678901234567890", "123456789012345678901234567890"),
      ("1.5e30", "1500000000000000000000000000000"),
    ])
  func texts(number: String, text: String) throws {
    let found = try #require(id(number))
    #expect(found.text == text && found.isInteger && found == RecordID(text))
    var json = JSONWriter()
    json.value(found)
    #expect(String(decoding: json.bytes, as: UTF8.self) == text)
  }

  @Test(
    "A fraction is not an id, and neither is an exponent of more than 1,024 digits",
    arguments: ["1.5", "1e-1", "1e1024", "1e999999999999"])
  func refused(number: String) {
    #expect(id(number) == nil)
    #expect(id("1e1023")?.text.utf8.count == 1_024)
  }

  @Test("Two ids that exceed an Int stay distinct, from the file to the snapshot")
  func tasks() throws {
    let harness = try FeedHarness()
    let tasks = ["18446744073709551614", "18446744073709551615"].map {
      #"{"id":\#($0),"title":"\#($0)","completed":false,"createdAt":0}"#
    }
    #expect(try harness.put("tasks/a.json", "[\(tasks.joined(separator: ","))]") == [])
    let shown = try harness.content("todays-tasks", at: "2026-11-21T12:00:00Z")["tasks"]?.array ?? []
    #expect(shown.map { $0["id"] } == [.digits("18446744073709551614"), .digits("18446744073709551615")])
    #expect(
      shown.last.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains(#""id":18446744073709551615,"#) == true)
  }
}
