import Testing

import CacheSync

@Suite struct WrongKindTests {
  private static let kind = "\"bins\":{"
  private static let show = "\"show\":\"coming\","
  private static let values = "\"names\":{\"list\":\"title\"}"
  private static let content = "\"text\":\"{names}\""
  private static let items = ",\n\"items\":{\"title\":\"{title}\"}}}}"

  /// - Parameter member: a member of the kind, and its name.
  private static func wrong(_ name: String, _ member: String, _ message: String, at inner: String = "")
    -> WrongDefinition
  {
    WrongDefinition(show, "\"show\":\"coming\",\"\(name)\":\(member),", "/kinds/bins/\(name)\(inner)", message)
  }

  static let settings: [WrongDefinition] = [
    .init(
      kind, "»\"bin\":{", "/kinds/bin", "expected a kind named 'bins' or 'bins-<word>', found 'bin'"),
    .init(
      kind, "»\"bins-A\":{", "/kinds/bins-A", "expected a kind named 'bins' or 'bins-<word>', found 'bins-A'"),
    .init(
      kind, "»\"bins-\":{", "/kinds/bins-", "expected a kind named 'bins' or 'bins-<word>', found 'bins-'"),
    .init(
      kind, "»\"bins-\(String(repeating: "a", count: 60))\":{", "/kinds/bins-\(String(repeating: "a", count: 60))",
      "the name of a kind has 64 bytes at most"),
    .init(kind, "\"bins-x\":»3,\"bins\":{", "/kinds/bins-x", "expected an object, found a number"),
    .init("\"bins\":{\"show\":\"coming\",", "\"bins\":»{", "/kinds/bins/show", "missing field 'show'"),
    .init(
      show, #""show":»"nextday","#, "/kinds/bins/show",
      "expected one of all, today, now, next, coming, nextDay, due, found 'nextday'; 'nextDay'?"),
    .init(show, #""show":"coming",»"limits":3,"#, "/kinds/bins/limits", "unknown key 'limits'; 'limit'?"),
    wrong("within", "»0", "expected a whole number from 1 to 366, found 0"),
    wrong("within", "»367", "expected a whole number from 1 to 366, found 367"),
    wrong("limit", "»101", "expected a whole number from 0 to 100, found 101"),
    wrong("limit", "»-1", "expected a whole number from 0 to 100, found -1"),
    wrong("reach", "»\"7days\"", "expected one of 7 days, midnight, found '7days'; '7 days'?"),
    wrong("hours", "[0,»24]", "expected a whole number from 0 to 23, found 24", at: "/1"),
    wrong("hours", "»7", "expected an array, found a number"),
    wrong("where", "[{\"field\":\"»titl\",\"is\":1}]", "no field 'titl'; 'title'?", at: "/0/field"),
    wrong("order", "[\"title\",\"-»prise\"]", "no field 'prise'; 'price'?", at: "/1"),
    wrong("order", "[\"-»\\u0301title\"]", "no field '\u{301}title'; 'title'?", at: "/0"),
    wrong("order", "[»1]", "expected a field, or \"-\" and a field, found a number", at: "/0"),
    wrong("template", "»\"lst\"", "expected one of list, value, ring, table, strip, found 'lst'; 'list'?"),
    wrong("template", "»\"value\"", "the template 'value' needs 'value' in 'content'"),
    wrong("template", "»\"ring\"", "the template 'ring' needs 'progress' in 'content'"),
    wrong("template", "»\"strip\"", "the template 'strip' needs 'value' in 'items'"),
    wrong("title", "»3", "expected a string, found a number"),
    wrong("title", "{»\"xx\":\"a\"}", "unknown language 'xx': use \(LanguageTag.expectation)", at: "/xx"),
    wrong("widgetKind", "»\"\"", "expected a string that is not empty"),
    wrong("families", "[»3]", "expected a string, found a number", at: "/0"),
    wrong(
      "tone", "[{\"if\":{\"field\":\"»titl\",\"is\":1},\"tone\":\"bad\"}]", "no field 'titl'; 'title'?",
      at: "/0/if/field"),
    wrong(
      "tone", "[{\"if\":[],\"tone\":»\"red\"}]", "expected one of good, warn, bad, found 'red'; 'bad'?", at: "/0/tone"),
    wrong("tone", "[»{\"tone\":\"bad\"}]", "missing field 'if'", at: "/0/if"),
  ]

  @Test("Defects in a kind", arguments: settings) func wrongSettings(_ wrong: WrongDefinition) { wrong.check() }

  private static func wrongValue(_ value: String, _ message: String, at inner: String = "") -> WrongDefinition {
    WrongDefinition(values, "\"names\":\(value)", "/kinds/bins/values/names\(inner)", message)
  }

  static let rules: [WrongDefinition] = [
    wrongValue(
      "»{}", "a value needs one of count, sum, min, max, mean, first, last, list, least, greatest, share"),
    wrongValue("»3", "expected an object, found a number"),
    wrongValue(#"{"first":"title","last":»"title"}"#, "one rule in a value; 'last' is one of its own", at: "/last"),
    wrongValue(#"{"sum":"»prce"}"#, "no field 'prce'; 'price'?", at: "/sum"),
    wrongValue(#"{"list":"»names"}"#, "no field 'names'", at: "/list"),
    wrongValue(#"{"count":»false}"#, "expected true, found false", at: "/count"),
    wrongValue(#"{"count":»1}"#, "expected true or false, found a number", at: "/count"),
    wrongValue(#"»{"least":"price"}"#, "missing field 'give'", at: "/give"),
    wrongValue(#"{"greatest":"price","give":"»strat"}"#, "no field 'strat'; 'start'?", at: "/give"),
    wrongValue(#"{"min":"price","give":»"title"}"#, "'give' goes with 'least' and 'greatest' only", at: "/give"),
    wrongValue(#"{"share":[{"field":"»pric","is":1}]}"#, "no field 'pric'; 'price'?", at: "/share/0/field"),
    wrongValue(
      #"{"of":»"tody","count":true}"#,
      "expected one of all, today, now, next, coming, nextDay, due, day, week, month, year, found 'tody'; 'today'?",
      at: "/of"),
    .init(
      values, #""names":{"list":"title"},»"items":{"count":true}"#, "/kinds/bins/values/items",
      "invalid value name 'items': it has a meaning already"),
    .init(
      values, #""names":{"list":"title"},»"a{":{"count":true}"#, "/kinds/bins/values/a{",
      "the name of a value has no '{', '}', ':' or control character, and no '-' at its start"),
  ]

  @Test("Defects in values", arguments: rules) func wrongRules(_ wrong: WrongDefinition) { wrong.check() }

  private static func wrongText(_ text: String, _ message: String) -> WrongDefinition {
    WrongDefinition(content, "\"text\":\"\(text)\"", "/kinds/bins/content/text", message)
  }

  static let texts: [WrongDefinition] = [
    wrongText("{»nmaes}", "no value 'nmaes'; 'names'?"),
    wrongText("{»title}", "no value 'title'; of one item it is known in 'items', of all 'values' names it"),
    wrongText("{»start}", "no value 'start'; of one item it is known in 'items', of all 'values' names it"),
    wrongText("»{names", "'{' without '}'; a brace is written '{{'"),
    wrongText("{{»{names", "'{' without '}'; a brace is written '{{'"),
    wrongText("{»}", "expected a name after '{'; a brace is written '{{'"),
    wrongText("{»:0}", "expected a name after '{'; a brace is written '{{'"),
    wrongText("{names:»}", WrongItemsTests.noFormat("")),
    wrongText("{names:»HH.mm}", WrongItemsTests.noFormat("HH.mm")),
    wrongText("{names:»a|b|c}", WrongItemsTests.noFormat("a|b|c")),
    wrongText("{names:»|}", WrongItemsTests.noFormat("|")),
    wrongText("»{{ names }}", "'{{ names }}' belongs to another system: write '{names}'"),
    wrongText(
      "a »${names}", "'${names}' belongs to another system: write '{names}'; for a dollar sign write '$ {names}'"),
    wrongText(
      "»$.names", "a text has names in braces, not paths: give '$.names' a name in 'fields', and write '{names}'"),
    wrongText("{»start:years}", "'{start:years}' is for the texts of 'items' alone"),
    wrongText("{names:»years}", "'years' is a format of 'start': write '{start:years}'"),
    wrongText(#"\u00e4\ud83d\ude00\"ä{»nmaes}"#, "no value 'nmaes'; 'names'?"),
    .init(content, #"»"count":"""#, "/kinds/bins/content/count", "'count' is written by itself; use another name"),
    .init(content, #"»"items":"""#, "/kinds/bins/content/items", "'items' is written by itself; use another name"),
    .init(content, #"»"":"""#, "/kinds/bins/content/", "the name of a text has 1 to 64 bytes"),
    .init(
      content, #""text":[{"if":{"field":"»title","is":1},"text":"x"},"y"]"#, "/kinds/bins/content/text/0/if/field",
      "no value 'title'; of one item it is known in 'items', of all 'values' names it"),
    .init(
      content, #""text":[»{"if":{"field":"names","is":1},"text":"x"}]"#, "/kinds/bins/content/text/0",
      #"expected a list of { "if": …, "text": … } that ends with a plain text"#),
    .init(content, #""text":»7"#, "/kinds/bins/content/text", "expected a text, found a number"),
    .init(
      items, ",\n\"items\":{\"title\":\"\",»\"start\":\"\"}}}}", "/kinds/bins/items/start",
      "'start' is written by itself; use another name"),
    .init(
      items, ",\n\"items\":»3,\"template\":\"table\"}}}", "/kinds/bins/items", "expected an object, found a number"),
    .init(items, ",\n\"items\":{\"title\":\"{»tittle}\"}}}}", "/kinds/bins/items/title", "no field 'tittle'; 'title'?"),
    .init(
      items, ",\n\"items\":{\"title\":\"{»names}\"}}}}", "/kinds/bins/items/title",
      "no field 'names'; it is known in 'content' and 'empty'"),
    .init(
      items, ",\n\"items\":{\"title\":\"{»count}\"}}}}", "/kinds/bins/items/title",
      "no field 'count'; it is known in 'content' and 'empty'"),
    .init(
      items, ",\n\"items\":{\"title\":\"\"},\"empty\":{\"a\":\"{»id}\"}}}}", "/kinds/bins/empty/a",
      "no value 'id'; of one item it is known in 'items', of all 'values' names it"),
  ]

  @Test("Texts may use only the names that exist at their place", arguments: texts)
  func wrongTexts(_ wrong: WrongDefinition) { wrong.check() }

  private static func wrongLink(_ link: String, _ message: String) -> WrongDefinition {
    wrong("deepLink", "\"\(link)\"", message)
  }

  private static func wrongItemLink(_ link: String, _ message: String) -> WrongDefinition {
    WrongDefinition(
      items, ",\n\"items\":{\"title\":\"\",\"deepLink\":\"\(link)\"}}}}", "/kinds/bins/items/deepLink", message)
  }

  private static let relative = "expected an absolute URL such as https://example.org/ or app://place"

  static let links: [WrongDefinition] = [
    wrongLink("»/a/b", relative),
    wrongLink("»", relative),
    wrongLink("»1a://b", relative),
    wrongLink("app:»", "expected more after 'app:'"),
    wrongLink("»JavaScript:alert(1)", "no link begins with 'JavaScript:'"),
    wrongLink("»data:text/html,x", "no link begins with 'data:'"),
    wrongLink("»file:///etc/passwd", "no link begins with 'file:'"),
    wrongLink("app://»{title}", "a kind's link has no '{'; a link of an item may have one"),
    wrongLink("app://a» b", "a URL does not hold a blank; write it percent-encoded"),
    wrongLink("app://»ä", "a URL does not hold 'ä'; write it percent-encoded"),
    wrongLink("app://a»%2", "expected two hexadecimal digits after '%'; the sign itself is %25"),
    wrongItemLink("»{title}", relative),
    wrongItemLink("»{title}://a", relative),
    wrongItemLink("»javascript:{title}", "no link begins with 'javascript:'"),
    wrongItemLink("app:{title}»<", "a URL does not hold '<'; write it percent-encoded"),
    wrongItemLink("app:{»titel}", "no field 'titel'; 'title'?"),
  ]

  @Test("Defects in links", arguments: links) func wrongLinks(_ wrong: WrongDefinition) { wrong.check() }

  @Test(
    "Valid links are accepted",
    arguments: ["app:x", "https://a.example/b?c=d#e", "http://[::1]/%C3%a4", "x-app+1.0://a"])
  func goodLinks(link: String) {
    #expect(described(WrongDefinition.good.replacing(Self.show, with: Self.show + "\"deepLink\":\"\(link)\",")) == [])
  }

  @Test("Every `show` except all needs a start")
  func startless() {
    let json = WrongDefinition.good.replacing("\"start\":\"@.start\",\n\"lasts\":\"PT1H\"", with: "\"where\":[]")
    #expect(described(json) == ["6:25: 'coming' needs 'start' in 'items' [/kinds/bins/show]"])
    #expect(described(json.replacing("coming", with: "all")) == [])
  }
}
