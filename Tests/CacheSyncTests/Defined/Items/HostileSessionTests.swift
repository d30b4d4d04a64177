import Testing

@testable import CacheSyncValues

/// Files and definitions that would need too much work or memory.
@Suite struct HostileSessionTests {
  private func repeated(_ unit: String, _ count: Int) -> String {
    Array(repeating: unit, count: count).joined(separator: ",")
  }

  @Test(
    "More than 10,000 items are a defect, reported at the first excess item",
    arguments: [
      (#"{"each":"$[*]"}"#, "[", "]", "/10000"), (#"{"each":"$.a[*][*]"}"#, #"{"a":[[0],["#, "]]}", "/a/1/9999"),
      (#"{"each":"$","columns":true}"#, #"{"x":0,"a":["#, "]}", "/a/10000"),
    ])
  func tooManyItems(items: String, open: String, close: String, pointer: String) throws {
    let most = pointer.hasSuffix("9999") ? 9_999 : 10_000
    #expect(try SampleSession(items, open + repeated("1", most) + close).items.count == 10_000)
    let sample = try SampleSession(items, open + repeated("1", most + 5) + close)
    #expect(sample.places.map { $0.drop { $0 != " " } } == [" more than 10,000 items [\(pointer)]"])
  }

  @Test("Reading stops if fields copy the whole file again and again")
  func values() throws {
    let list = repeated("0", 2_000)
    // Each item finds another list, so a field cannot reuse its last value.
    let rows = (0..<1_000).map { _ in "[\(list)]" }.joined(separator: ",")
    let one = #"{"each":"$[*]","fields":{"a":"@"}}"#
    #expect(
      try SampleSession(one, "[\(rows)]").defects.map(\.message) == [
        "the lists and objects that fields take are too large together"
      ])
    // What all items share is computed once.
    let shared = try SampleSession(#"{"each":"$.i[*]","fields":{"a":"$.l"}}"#, #"{"i":[\#(list)],"l":[\#(list)]}"#)
    #expect(shared.items.count == 2_000)
  }

  @Test("Reading stops at a text with very many placeholders")
  func texts() throws {
    let holes = String(repeating: "{t}", count: 1_300)
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"t":"@"},"id":"\#(holes)"}"#, "[" + repeated("1", 9_000) + "]")
    #expect(sample.defects.map(\.message) == ["the definition's paths and texts take too long on this file"])
  }

  @Test("Reading stops at conditions with very many values")
  func conditions() throws {
    let conditions = repeated(#"{"field":"t","in":[\#(repeated("2", 900))]}"#, 20)
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"t":"@"},"where":{"any":[\#(conditions)]}}"#, "[" + repeated("1", 9_000) + "]")
    #expect(sample.defects.map(\.message) == ["the definition's paths and texts take too long on this file"])
  }

  @Test("Exceptions that all items share are read once, and at most 10,000")
  func exceptions() throws {
    let items = #"{"each":"$.i[*]","start":{"day":"2026-11-22"},"repeats":"FREQ=DAILY","except":"$.x[*]"}"#
    let days = repeated(#""2026-11-23""#, 10_000)
    let sample = try SampleSession(items, #"{"i":[\#(repeated("1", 5_000))],"x":[\#(days)]}"#)
    #expect(sample.items.count == 5_000)
    #expect(sample.items.last?.except.count == 10_000)
    let more = try SampleSession(items, #"{"i":[1],"x":[\#(days),"2026-11-23"]}"#)
    #expect(more.defects.map(\.message) == ["more than 10,000 exceptions of one item"])
  }

  @Test("A long object whose members all have the same key has one defect")
  func sameKeys() throws {
    let members = repeated(#""a":1"#, 50_000)
    let sample = try SampleSession(#"{"each":"$","fields":{"a":"@.a"}}"#, "{\(members)}")
    #expect(sample.places == [#"1:12: duplicate key "a" [/a]"#])
  }

  @Test("Of more than 10,000 defects, the first 10,000 by offset are kept")
  func manyDefects() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"a":"@.a","b":"@.b"}}"#, "[" + repeated(#"{"a":1,"a":1,"b":1,"b":1}"#, 6_000) + "]")
    #expect(sample.defects.count == 10_000)
    #expect(zip(sample.defects, sample.defects.dropFirst()).allSatisfy { $0.offset < $1.offset })
    #expect(sample.places.first?.hasSuffix("[/0/a]") == true)
    #expect(sample.places.last?.hasSuffix("[/4999/b]") == true)
  }

  @Test("If no item can be read, each has one defect, and 10,000 are kept")
  func noReadableItem() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","start":"@.s","end":"@.e"}"#, "[" + repeated(#"{"e":"x","s":"y"}"#, 6_000) + "]")
    #expect(sample.defects.count == 6_000)
    #expect(sample.places.last?.hasSuffix("[/5999/s]") == true)
  }

  @Test("The deepest valid file is read, with the longest path and as a value")
  func depth() throws {
    let stars = String(repeating: "[*]", count: 511)
    let arrays = String(repeating: "[", count: 511) + "1" + String(repeating: "]", count: 511)
    #expect(try SampleSession(#"{"each":"$\#(stars)","fields":{"a":"@"}}"#, arrays).values() == [.number(1)])
    let whole = try SampleSession(#"{"each":"$","fields":{"a":"@","t":{"from":"@","as":"text"}}}"#, arrays)
    #expect(whole.values(1) == [.text("1")])
    let objects = String(repeating: #"{"a":"#, count: 511) + "1" + String(repeating: "}", count: 511)
    let names = String(repeating: ".a", count: 511)
    let inner = try SampleSession(#"{"each":"$","fields":{"a":"$\#(names)","o":"$"}}"#, objects)
    #expect(inner.values(0) == [.number(1)])
    #expect(inner.items.count == 1)
  }

  @Test("Matching a pattern with very many single letters stops")
  func patterns() {
    let pattern = TimePattern((0..<200).map { _ in .digits(.day, 1...2) })
    #expect(pattern.match(String(repeating: "1", count: 201) + "x").map { _ in true } == nil)
  }
}
