import Testing

import CacheSync
import TestSupport

@Suite struct JSONRobustnessTests {
  @Test(
    "A valid document that is cut off anywhere has one syntax defect at its end, after at most an invalid character")
  func truncation() {
    let whole = bytes(sample)
    #expect(readingAll(whole).map(\.message) == ["duplicate key \"id\"", "number too large"])
    let end = sample.utf8.count - 1
    for count in 0..<end {
      let document = Array(whole.prefix(count))
      let isBetweenCharacters = String(validating: document, as: UTF8.self) != nil
      for defects in [skipping(document), read(document, Record.read).defects] {
        let offsets = defects.map(\.offset)
        if isBetweenCharacters {
          #expect(offsets == [count])
        } else {
          #expect(offsets.count == 2 && offsets[0] >= count - 3 && offsets[1] == count)
          #expect(defects.first?.message == "broken UTF-8")
        }
      }
    }
  }

  /// Whether reading gave what it promises.
  private func holds(_ document: [UInt8]) -> Bool {
    let result = read(document, pruning: true, Record.read)
    let offsets = result.defects.map(\.offset)
    guard offsets == offsets.sorted(), offsets.allSatisfy({ (0...document.count).contains($0) }) else { return false }
    guard places(result.defects, in: document).count == offsets.count else { return false }
    let skipped = skipping(document)
    // Reading finds every defect that skipping finds. A valid document is valid UTF-8.
    guard skipped.allSatisfy({ result.defects.contains($0) }) else { return false }
    if skipped.isEmpty, String(validating: document, as: UTF8.self) == nil { return false }
    if let pruned = result.pruned { return read(pruned, Record.read).value == result.value }
    return (result.value == nil) == !result.defects.isEmpty
  }

  @Test("A byte that is changed, removed or inserted anywhere leaves a value or defects in order")
  func mutations() {
    var generator = SeededGenerator(state: 4)
    let whole = bytes(sample)
    let favourites = bytes("{}[]\",:\\u0dDeE.-+ \n\u{0}\u{1}tfn/") + [0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xff]
    for index in whole.indices {
      for _ in 0..<8 {
        var document = whole
        document[index] =
          Bool.random(using: &generator)
          ? favourites.randomElement(using: &generator) ?? 0 : .random(in: 0...255, using: &generator)
        if !holds(document) { Issue.record("byte \(index) is \(document[index])") }
        document = whole
        document.insert(favourites.randomElement(using: &generator) ?? 0, at: index)
        if !holds(document) { Issue.record("\(document[index]) before byte \(index)") }
      }
      var document = whole
      document.remove(at: index)
      if !holds(document) { Issue.record("without byte \(index)") }
    }
  }

  @Test("Random bytes of JSON's alphabet leave a value or defects in order")
  func noise() {
    var generator = SeededGenerator(state: 5)
    let parts = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\"id\"", "\"count\":", "1", "-", "e5", ".0", "true", "null", " ", "\n",
      "\\u", "d800", "é",
    ]
    for _ in 0..<20_000 {
      let document = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        parts.randomElement(using: &generator) ?? ""
      }.joined()
      if !holds(bytes(document)) { Issue.record("\(document)") }
    }
  }

  @Test("Nothing after the document's end is read")
  func bounds() {
    // The document ends at the end of a page, and the next byte would change the document.
    let tail = bytes("\"}]}0123456789null\\\"")
    for document in JSONGrammarTests.good.map(bytes) + JSONGrammarTests.bad.map({ bytes($0.0) }) {
      let longer = document + tail
      let defects = longer.withUnsafeBytes { buffer in
        JSONTree.read(UnsafeRawBufferPointer(rebasing: buffer[..<document.count]), strictly: true).defects
      }
      #expect(defects == readingAll(document))
    }
  }
}
