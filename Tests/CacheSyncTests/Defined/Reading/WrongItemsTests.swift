import Testing

@testable import CacheSyncValues

@Suite struct WrongItemsTests {
  private static let version = "\"version\":1,"
  private static let each = "\"$.bins[*]\""
  private static let field = "\"title\":\"@.title\","
  private static let id = "\"{title}\",\n"
  private static let start = "\"@.start\""
  private static let lasts = "\"lasts\":\"PT1H\""

  private static func badName(_ name: String, _ message: String) -> WrongDefinition {
    WrongDefinition(field, "\"title\":\"@.title\",»\"\(name)\":\"@.a\",", "/items/fields/\(name)", message)
  }

  static let fields: [WrongDefinition] = [
    .init("\"items\":{\"each\":\"$.bins[*]\",", "\"items\":»{", "/items/each", "missing field 'each'"),
    .init(each, "»[]", "/items/each", "expected at least one element"),
    .init(each, #"["$[*]",»3]"#, "/items/each/1", "expected a path, found a number"),
    .init(each, #""$.bins[*]","columns":»1"#, "/items/columns", "expected true or false, found a number"),
    badName("", "the name of a field has 1 to 64 bytes"),
    badName(String(repeating: "a", count: 65), "the name of a field has 1 to 64 bytes"),
    badName("a:b", "the name of a field has no '{', '}', ':' or control character, and no '-' at its start"),
    badName("a}", "the name of a field has no '{', '}', ':' or control character, and no '-' at its start"),
    badName("-a", "the name of a field has no '{', '}', ':' or control character, and no '-' at its start"),
    badName("start", "invalid field name 'start': it has a meaning already"),
    badName("more", "invalid field name 'more': it has a meaning already"),
    .init(field, #""title":"@.title","a":»{},"#, "/items/fields/a/from", "missing field 'from'"),
    .init(field, #""title":"@.title","a":»3,"#, "/items/fields/a", "expected a path, found a number"),
    .init(
      field, #""title":"@.title","a":{"from":"@","as":»"numbr"},"#, "/items/fields/a/as",
      "expected one of number, text, plain, found 'numbr'; 'number'?"),
    .init(
      field, #""title":"@.title","a":{"from":"@","map":{"x":»{}}},"#, "/items/fields/a/map/x",
      "expected a string, a number, true, false, null or a list of them, found an object"),
    .init(
      field, #""title":"@.title","a":{"from":"@","map":»[]},"#, "/items/fields/a/map",
      "expected an object, found an array"),
    .init(
      field, #""title":"@.title","a":{"from":"@","scale":»"2"},"#, "/items/fields/a/scale",
      "expected a number, found a string"),
    .init(field, #""title":"@.title","a":{"from":"@","scale":»1e400},"#, "/items/fields/a/scale", "number too large"),
    .init(
      field, #""title":"@.title","a":{"from":"@","round":»7},"#, "/items/fields/a/round",
      "expected a whole number from 0 to 6, found 7"),
    .init(
      field, #""title":"@.title","a":{"from":"@","round":»1.5},"#, "/items/fields/a/round",
      "expected a whole number from 0 to 6, found 1.5"),
    .init(
      field, #""title":"@.title","a":{"from":"@","else":[1,»[2]]},"#, "/items/fields/a/else/1",
      "expected a string, a number, true, false or null, found an array"),
    .init(
      field, #""title":"@.title","a":{»"form":"@","from":"@"},"#, "/items/fields/a/form", "unknown key 'form'; 'from'?"),
    .init(field, #""title":"@.title","a":"@.»*","#, "/items/fields/a", "'*' is only for 'each' and 'except'"),
  ]

  @Test("Defects in where items are and in their fields", arguments: fields)
  func wrongFields(_ wrong: WrongDefinition) { wrong.check() }

  static let texts: [WrongDefinition] = [
    .init(id, "\"{»titel}\",\n", "/items/id", "no field 'titel'; 'title'?"),
    .init(id, #""\u00e4\n\"{»titel}","#, "/items/id", "no field 'titel'; 'title'?"),
    .init(
      id, "\"{»start}\",\n", "/items/id",
      "no field 'start'; with several files 'id' decides which item counts before it has times"),
    .init(id, "\"{»end}\",\n", "/items/id", "no field 'end'"),
    .init(id, "»3,\n", "/items/id", "expected a text, found a number"),
    .init(lasts, #""lasts":"PT{»pice}H""#, "/items/lasts", "no field 'pice'; 'price'?"),
    .init(lasts, #""lasts":"P{»start}D""#, "/items/lasts", "no field 'start'"),
    .init(lasts, #""lasts":"PT»{{1H""#, "/items/lasts", "no brace belongs here"),
    .init(lasts, #""lasts":"»-P1D""#, "/items/lasts", "an item does not end before its start"),
    .init(
      lasts, #""lasts":"P1»M""#, "/items/lasts",
      "the number needs W or D behind it; hours, minutes and seconds follow a T"),
    .init(lasts, #""lasts":"»""#, "/items/lasts", "a duration begins with P, as P1W, P2D or PT90M"),
    .init(
      lasts, #""repeats":"INTERVAL=\u0032;FREQ=»DAILI""#, "/items/repeats",
      "no frequency \"DAILI\"; did you mean DAILY?"),
    .init(
      lasts, #""repeats":"»""#, "/items/repeats",
      "no FREQ in the rule; write FREQ= and one of SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY"),
    .init(lasts, #""repeats":"FREQ={title:»x}""#, "/items/repeats", Self.noFormat("x", in: "title")),
    .init(lasts, #""except":»["$"]"#, "/items/except", "expected a path, found an array"),
  ]

  private static func noUnit(_ letters: String) -> String {
    "unknown unit '\(letters)'; the units are \(TimePattern.choice); other letters are quoted: '…'"
  }

  static func noFormat(_ format: String, in name: String = "names") -> String {
    "unknown format '\(format)': write it as in '{\(name):HH:mm}'; the formats are 0, 0.0, 0.00, HH:mm, EEE, EEEE, d MMM, yyyy-MM-dd, relative, days, "
      + "dayCount, years, one|other, one|few|many|other"
  }

  @Test("An item's texts may use its fields, and its `id` may use the start only if one file counts", arguments: texts)
  func wrongTexts(_ wrong: WrongDefinition) { wrong.check() }

  @Test("If one file or the newest counts, an id may contain the start")
  func idWithStart() {
    let json = WrongDefinition.good.replacing("\"id\":\"{title}\"", with: "\"id\":\"{start}{key}{index}{count}\"")
    #expect(described(json).count == 1)
    #expect(described(json.replacing(Self.version, with: "\"version\":1,\"use\":\"newest\",")) == [])
    #expect(described(json.replacing(Self.version, with: "\"version\":1,\"files\":\"a.json\",")) == [])
  }

  static let times: [WrongDefinition] = [
    .init(start, "»{}", "/items/start/at", "missing field 'at', or 'day'"),
    .init(start, #"{"at":"@","plus":»"P1D"}"#, "/items/start/plus", "'plus' does not go with 'at'"),
    .init(start, #"{"at":"@","day":»"@"}"#, "/items/start/day", "'day' does not go with 'at'"),
    .init(start, #"{"day":"@","timeAs":»"HH:mm"}"#, "/items/start/timeAs", "'timeAs' needs 'time'"),
    .init(
      start, #"{"day":»"24/11/2026"}"#, "/items/start/day",
      "expected a path, or a day such as 2026-11-21, found '24/11/2026'"),
    .init(start, #"{"day":»20261124}"#, "/items/start/day", "expected a path, found a number"),
    .init(
      start, #"{"day":"@","time":»"8:00"}"#, "/items/start/time",
      "expected a path, or a time such as 08:00, found '8:00'"),
    .init(
      start, #"{"day":"@","time":»"24:00"}"#, "/items/start/time",
      "expected a path, or a time such as 08:00, found '24:00'"),
    .init(start, #"{"at":"@","as":"»unixms"}"#, "/items/start/as", "no form 'unixms'; 'unix-ms'?"),
    .init(start, #"{"at":"@","as":"»HH:mm"}"#, "/items/start/as", "a pattern here needs the year, yyyy"),
    .init(start, #"{"day":"@","time":"@","timeAs":"»mm"}"#, "/items/start/timeAs", "a pattern here needs the hour, HH"),
    .init(
      start, #"{"day":"@","time":"@","timeAs":"»unix"}"#, "/items/start/timeAs",
      noUnit("u")),
    .init(start, #"{"day":"@","as":"dd/MM/»yy"}"#, "/items/start/as", noUnit("yy")),
    .init(
      start, #"{"at":"@","allDay":{"field":"»titl","is":1}}"#, "/items/start/allDay/field", "no field 'titl'; 'title'?"),
    .init(
      start, #"{"at":"@","allDay":»3}"#, "/items/start/allDay", "expected true, a path or a condition, found a number"),
    .init(start, #"["@",{"at":"@","as":"»unx"}]"#, "/items/start/1/as", "no form 'unx'; 'unix'?"),
    .init(start, #"[{"day":"@"},»3]"#, "/items/start/1", "expected a path, found a number"),
    .init(start, #"{"at":"@","timeZone":»3}"#, "/items/start/timeZone", "expected a path, found a number"),
    .init(start, #"{"day":"@","plus":"»PT1H"}"#, "/items/start/plus", "expected weeks and days, such as P1W"),
    .init(start, #"{"day":"@","plus":"P{»when}D"}"#, "/items/start/plus", "no field 'when'"),
    .init(lasts, #""end":»3"#, "/items/end", "expected a path, found a number"),
    .init(lasts, #""end":"»nxt""#, "/items/end", "expected a path that begins with '$', '@', '^' or '#', found 'n'"),
    .init(
      "\"start\":\"@.start\",\n\"lasts\":\"PT1H\"},", "\"lasts\":»\"PT1H\"},", "/items/lasts", "'lasts' needs 'start'"
    )
    .showingAll,
    .init("\"start\":\"@.start\",\n\"lasts\":\"PT1H\"},", "\"end\":»\"next\"},", "/items/end", "'end' needs 'start'")
      .showingAll,
  ]

  @Test("Defects in times", arguments: times) func wrongTimes(_ wrong: WrongDefinition) { wrong.check() }

  private static func wrongCondition(_ condition: String, _ pointer: String, _ message: String) -> WrongDefinition {
    WrongDefinition(lasts, "\"where\":[\(condition)]", "/items/where/0\(pointer)", message)
  }

  static let conditions: [WrongDefinition] = [
    wrongCondition("»3", "", "expected an object, found a number"),
    wrongCondition(#"»{"is":3}"#, "/field", "missing field 'field', or 'any'"),
    wrongCondition(
      #"»{"field":"price"}"#, "", "a condition needs one of is, isNot, in, above, below, atLeast, atMost, has"),
    wrongCondition(
      #"{"field":"price","above":1,"below":»5}"#, "/below", "one comparison in a condition; 'below' is one of its own"),
    wrongCondition(#"{"field":"»pric","is":1}"#, "/field", "no field 'pric'; 'price'?"),
    wrongCondition(#"{"field":"»start","is":1}"#, "/field", "no field 'start'"),
    wrongCondition(#"{"field":»1,"is":1}"#, "/field", "expected the name of a field, found a number"),
    wrongCondition(
      #"{"field":"price","is":»[]}"#, "/is", "expected a string, a number, true, false or null, found an array"),
    wrongCondition(#"{"field":"price","in":»3}"#, "/in", "expected an array, found a number"),
    wrongCondition(#"{"field":"price","above":»true}"#, "/above", "expected a number or a string, found true"),
    wrongCondition(
      #"{"field":"price","has":»{}}"#, "/has", "expected a string, a number, true or false, found an object"),
    wrongCondition(#"{"any":»[]}"#, "/any", "expected at least one condition"),
    wrongCondition(#"{"any":»{}}"#, "/any", "expected an array of conditions, found an object"),
    wrongCondition(
      #"{"any":[{"field":"price","is":null}],"field":»"price"}"#, "/field", "'field' does not go with 'any'"),
    wrongCondition(
      #"{"any":[{"any":[{"field":"»prize","is":null}]}]}"#, "/any/0/any/0/field", "no field 'prize'; 'price'?"),
  ]

  @Test("Defects in conditions", arguments: conditions) func wrongConditions(_ wrong: WrongDefinition) { wrong.check() }

  @Test("An `any` within an `any` is one `any`")
  func nestedAny() throws {
    let condition = #"{"any":[{"any":[{"field":"price","is":1},{"field":"price","is":2}]},{"field":"price","is":3}]}"#
    let json = WrongDefinition.good.replacing("\"lasts\"", with: "\"where\":\(condition),\"lasts\"")
    let definition = try #require(GoodDefinitions.read(json).definition)
    let tests = [1.0, 2, 3].map { Condition.test(.field(1), .is, .number($0)) }
    #expect(definition.items.condition == [.any(tests)])
  }
}
