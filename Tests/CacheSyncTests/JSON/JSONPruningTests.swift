import Testing

import CacheSync

@Suite struct JSONPruningTests {
  @Test(
    "A pruned document has \"\":0 for each skipped member",
    arguments: [
      ("{\"id\":\"a\"}", "{\"id\":\"a\"}"), ("{\"id\":\"a\",\"x\":[1,2,{\"id\":3}]}", "{\"id\":\"a\",\"\":0}"),
      ("{ \"x\" : 1 , \"id\" : \"a\" , \"y\" : \"long\" }", "{ \"\":0 , \"id\" : \"a\" , \"\":0 }"),
      ("{\"x\":1,\"x\":2,\"id\":\"a\"}", "{\"\":0,\"\":0,\"id\":\"a\"}"),
      ("{\"id\":\"a\",\"\":0}", "{\"id\":\"a\",\"\":0}"),
      (
        "{\"id\":\"a\",\"child\":{\"x\":{},\"count\":1,\"\\u0078\":null}}",
        "{\"id\":\"a\",\"child\":{\"\":0,\"count\":1,\"\":0}}"
      ),
      ("\n{\"id\":\"a\"} ", "\n{\"id\":\"a\"} "),
    ])
  func pruned(_ document: String, _ expected: String) throws {
    let result = read(bytes(document), pruning: true, Record.read)
    let pruned = try #require(result.pruned)
    #expect(String(decoding: pruned, as: UTF8.self) == expected)
    #expect(read(pruned, Record.read).value == result.value)
    #expect(read(pruned, pruning: true, Record.read).pruned == pruned)
  }

  @Test("Members that the decoder does not want or does not read are pruned too, also in arrays")
  func skippedByDecoder() {
    let decoder = { (json: inout JSONReader) -> Int? in
      var sum = 0
      let isWhole = json.array { json in
        let wanted = [Record.Key.count, .tags, .child].reduce(0) { $0 | $1.bit }
        _ = json.object(JSONNames(of: Record.Key.self), required: 0, optional: wanted) { json, index in
          if Record.Key.allCases[index] == .count { sum += json.integer() ?? 0 }
        }
      }
      return isWhole ? sum : nil
    }
    let document = bytes("[{\"note\":\"n\",\"count\":1,\"tags\":[{\"x\":1}]},{\"count\":2,\"child\":{\"y\":{}}}]")
    let result = read(document, pruning: true, decoder)
    #expect(result.pruned == bytes("[{\"\":0,\"count\":1,\"\":0},{\"count\":2,\"\":0}]"))
    #expect(read(result.pruned ?? [], decoder).value == 3)
  }

  @Test("The sample reads the same after pruning")
  func roundTrip() throws {
    let result = read(bytes(sample), pruning: true, Record.read)
    let pruned = try #require(result.pruned)
    #expect(pruned.count < sample.utf8.count)
    #expect(read(pruned, Record.read).value == result.value)
  }

  @Test("Without a request, or with defects, there is no pruned document")
  func none() {
    #expect(read(bytes("{\"id\":\"a\"}"), Record.read).pruned == nil)
    #expect(read(bytes("{\"id\":1}"), pruning: true, Record.read).pruned == nil)
    #expect(read(bytes("{\"id\":\"a\"},"), pruning: true, Record.read).pruned == nil)
  }
}
