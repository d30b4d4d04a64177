import Testing

import CacheSync
import TestSupport

@Suite struct JSONNumberTests {
  @Test(
    "A whole number may have any notation that is exactly whole",
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("2.0", 2), ("2e0", 2), ("2E+0", 2), ("20e-1", 2), ("0.2e1", 2),
      ("1.5e1", 15),
      ("2.000000000000000000000000000", 2), ("0e999", 0), ("0.000e-999", 0), ("-0.0", 0),
      ("1e18", 1_000_000_000_000_000_000),
      ("100000000000000000", 100_000_000_000_000_000), ("999999999999999999", 999_999_999_999_999_999),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9007199254740993", 9_007_199_254_740_993),
      ("9007199254740993.0", 9_007_199_254_740_993), ("922337203685477580.7e1", .max), ("12300", 12300),
      ("1230000e-2", 12300),
      ("0.00000000000000000000012e23", 12), ("1000000000000000000000000e-20", 10000),
    ])
  func integers(_ document: String, _ value: Int) {
    let result = read(document) { $0.integer() }
    #expect(result.value == value)
    #expect(result.defects == [])
  }

  @Test(
    "A number that is not whole, or not in range, is a defect at its first byte",
    arguments: [
      ("7", "7"), ("-1", "-1"), ("2.5", "2.5"), ("1e1", "1e1"), ("25e-1", "25e-1"), ("1e999", "1e999"),
      ("1e-999", "1e-999"),
      ("9223372036854775808", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
      ("99999999999999999999999", "99999999999999999999999"), ("0.1", "0.1"),
      ("6.0000000000000000000000001", "6.0000000000000000000000001"),
      ("\"3\"", "a string"), ("true", "true"), ("null", "null"), ("{}", "an object"), ("[3]", "an array"),
    ])
  func integerDefects(_ document: String, _ found: String) {
    #expect(
      read(" " + document) { $0.integer(in: 0...6) }.defects == [
        JSONDefect(offset: 1, message: "expected a whole number from 0 to 6, found \(found)", place: .value)
      ])
  }

  @Test("The message for a range fits the range")
  func rangeWords() {
    #expect(read("1.5") { $0.integer() }.defects.map(\.message) == ["expected a whole number, found 1.5"])
    #expect(
      read("-1") { $0.integer(in: 0 ... .max) }.defects.map(\.message) == [
        "expected a whole number of at least 0, found -1"
      ])
    #expect(
      read("2") { $0.integer(in: .min...1) }.defects.map(\.message) == ["expected a whole number of at most 1, found 2"]
    )
    #expect(
      read("-1") { $0.number(in: 0 ... .greatestFiniteMagnitude) }.defects.map(\.message) == [
        "expected a number of at least 0, found -1"
      ])
    #expect(read("1.5") { $0.number(in: 0...1) }.defects.map(\.message) == ["expected a number from 0 to 1, found 1.5"])
    #expect(
      read("\"x\"") { $0.number(in: 0.5...1) }.defects.map(\.message) == [
        "expected a number from 0.5 to 1, found a string"
      ])
    #expect(read("\"x\"") { $0.number() }.defects.map(\.message) == ["expected a number, found a string"])
    let long = String(repeating: "1", count: 50)
    #expect(
      read(long) { $0.integer() }.defects.map(\.message) == [
        "expected a whole number, found \(String(repeating: "1", count: 40))…"
      ])
  }

  @Test(
    "A number is rounded to the nearest double",
    arguments: [
      "0", "-0", "1", "0.1", "0.5", "-2.25", "1e22", "1e23", "123456789e-22", "9007199254740991", "9007199254740993",
      "9007199254740992.5",
      "9007199254740993.00000000000000000000001", "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324", "1e-999", "1.7976931348623157e308", "1.7976931348623158e308", "0.1e1",
      "3.141592653589793238462643383279",
      "784887600.5", "1e0000000000000000000000001", "0e99999999999999999999",
      "0.000000000000000000000000000000000000000001e42",
      "100000000000000000000000000000000000000000e-41", "8.5e-1", "6.02214076e23", "5e-1", "7205759403792793e0",
      "90071992547409925e-1",
    ])
  func doubles(_ document: String) throws {
    // Swift's own conversion rounds correctly.
    let expected = try #require(Double(document))
    #expect(read(document) { $0.number() }.value?.bitPattern == expected.bitPattern)
  }

  @Test("Random decimals are rounded like in the standard library")
  func randomDoubles() {
    var generator = SeededGenerator(state: 2)
    for _ in 0..<20_000 {
      var text = Bool.random(using: &generator) ? "-" : ""
      text += String(UInt64.random(in: 0...(1 << UInt64.random(in: 1...63, using: &generator)), using: &generator))
      if Bool.random(using: &generator) { text += "." + String(UInt32.random(in: 0 ... .max, using: &generator)) }
      if Bool.random(using: &generator) { text += "e" + String(Int.random(in: -40...40, using: &generator)) }
      let value = read(text) { $0.number() }.value
      if value?.bitPattern != Double(text)?.bitPattern { Issue.record("\(text): \(value as Double?)") }
    }
  }

  @Test(
    "A number that no double can hold is a defect when it is read",
    arguments: ["1e999", "-1e999", "1.8e308", "1e99999999999999999999"])
  func tooLarge(_ document: String) {
    #expect(
      read(document) { $0.number() }.defects == [JSONDefect(offset: 0, message: "number too large", place: .value)])
    #expect(skipping(bytes(document)) == [])
  }
}
