import Testing

import CacheSync

@Suite struct WrongDefinitionTests {
  @Test("The definition that the other tests change is valid")
  func good() {
    #expect(described(WrongDefinition.good) == [])
  }

  private static let version = "\"version\":1,"

  static let whole: [WrongDefinition] = [
    .init(version, #""version":»2,"itmes":1,"#, "/version", "this agent knows version 1"),
    .init(version, #""version":»0,"#, "/version", "expected 1, found 0"),
    .init(version, #""version":»"1","#, "/version", "expected 1, found a string"),
    .init("{\"version\":1,", "»{", "/version", "missing field 'version'"),
    .init(version, #""version":1,»"itmes":{},"#, "/itmes", "unknown key 'itmes'; 'items'?"),
    .init(version, #""version":1,»"a\u0001":{},"#, "/a\u{1}", "unknown key 'a\\x01'"),
    .init(version, #""version":1,"version":»1,"#, "/version", "duplicate key \"version\""),
    .init(version, #""version":1,"comment":[1,»},"#, "", "unexpected '}', expected a value"),
    .init(version, "\"version\":1,\"comment\":\"»\n\",", "", "unescaped control character 0x0a in a string"),
    .init(version, #""version":1,"comment":"»\ud800","#, "", "lone surrogate escape"),
  ]

  @Test("Defects in the whole document", arguments: whole) func wrongWhole(_ wrong: WrongDefinition) { wrong.check() }

  private static func wrongFiles(_ pattern: String) -> WrongDefinition {
    let expected = #""<directory>/**" or "<name>.json", at the top of the cache and not the agent's own"#
    return WrongDefinition(
      version, "\"version\":1,\"files\":»\"\(pattern)\",", "/files", "expected \(expected), found '\(pattern)'")
  }

  static let files: [WrongDefinition] =
    [
      "", "bins", "bins/*", "/**", "a/b/**", "b*/**", "../**", "feeds/**", "snapshots/**", ".cachesync/**", "a.tmp/**",
      "a~/**", "cachesync.json", "a/b.json", ".a.json", "a.part.json", "a.txt",
    ].map(wrongFiles) + [
      .init(
        version, #""version":1,"files":»3,"#, "/files", #"expected "<directory>/**" or "<name>.json", found a number"#),
      .init(
        version, #""version":1,"files":»[],"#, "/files",
        #"expected "<directory>/**" or "<name>.json", found an empty list"#),
      .init(
        version, #""version":1,"files":["a/**",»"b"],"#, "/files/1",
        #"expected "<directory>/**" or "<name>.json", at the top of the cache and not the agent's own, found 'b'"#),
    ]

  @Test("Defects in files", arguments: files) func wrongFiles(_ wrong: WrongDefinition) { wrong.check() }

  static let feed: [WrongDefinition] = [
    .init(version, #""version":1,"use":»"newst","#, "/use", "expected one of all, newest, found 'newst'; 'newest'?"),
    .init(
      version, #""version":1,"timeZone":»"Europe/Atlantis","#, "/timeZone",
      "expected a time zone such as Europe/Berlin, or a path from '$', found 'Europe/Atlantis'"),
    .init(
      version, #""version":1,"timeZone":»"Europe/Berln","#, "/timeZone",
      "expected a time zone such as Europe/Berlin, or a path from '$', found 'Europe/Berln'; 'Europe/Berlin'?"),
    .init(
      version, #""version":1,"timeZone":»"../etc/passwd","#, "/timeZone",
      "expected a time zone such as Europe/Berlin, or a path from '$', found '../etc/passwd'"),
    .init(
      version, #""version":1,"timeZone":"»@.zone","#, "/timeZone", "expected a path that begins with '$', found '@'"),
    .init(version, #""version":1,"$schema":»3,"#, "/$schema", "expected a string, found a number"),
    .init(version, #""version":1,"$schema":»["x"],"#, "/$schema", "expected a string, found an array"),
    .init(version, #""version":1,"timeZone":"$.»*","#, "/timeZone", "'*' is only for 'each' and 'except'"),
    .init(version, #""version":1,"updated":"»@.at","#, "/updated", "expected a path that begins with '$', found '@'"),
    .init(version, #""version":1,"updated":{"day":"$.a","plus":"P{»title}D"},"#, "/updated/plus", "no field 'title'"),
    .init(
      version, #""version":1,"staleAfter":»"P1W","#, "/staleAfter",
      "expected a duration such as PT24H or P2D, found 'P1W'"),
    .init(version, #""version":1,"marks":»"done","#, "/marks", "expected an array, found a string"),
    .init(
      version, #""version":1,"marks":[»"is done"],"#, "/marks/0", "expected a word of a-z and 0-9, found 'is done'"),
    .init(
      version, #""version":1,"marks":[»"count"],"#, "/marks/0",
      "invalid mark name 'count': it has a meaning already"),
    .init(version, #""version":1,"marks":["a",»"a"],"#, "/marks/1", "the mark 'a' comes twice"),
    .init(version, #""version":1,"words":{»"Mondy":"x"},"#, "/words/Mondy", "unknown word 'Mondy'; 'Monday'?"),
    .init(version, #""version":1,"words":{»"Mondy":null},"#, "/words/Mondy", "unknown word 'Mondy'; 'Monday'?"),
    .init(version, #""version":1,"words":{"Mon":»1},"#, "/words/Mon", "expected a string, found a number"),
  ]

  @Test("Defects in zone, age, marks and words", arguments: feed) func wrongFeed(_ wrong: WrongDefinition) {
    wrong.check()
  }

  @Test(
    "A definition's zone is valid if it is valid in the settings",
    arguments: ["Europe/Berlin", "UTC", "GMT", "GMT+03:37", "GMT-00:30"])
  func zone(_ name: String) {
    let zoned = WrongDefinition.good.replacing(Self.version, with: #"\#(Self.version)"timeZone":"\#(name)","#)
    #expect(zoned != WrongDefinition.good)
    #expect(described(zoned) == [])
  }

  @Test("Marks need ids, and only kinds know them")
  func marks() {
    let marked = WrongDefinition.good.replacing("\"version\":1,", with: "\"version\":1,\"marks\":[\"done\"],")
    #expect(described(marked) == [])
    let withoutID = marked.replacing("\"id\":\"{title}\",\n", with: "")
    #expect(described(withoutID) == ["1:23: marks need 'id' in 'items' [/marks/0]"])
    let inWhere = marked.replacing("\"lasts\"", with: "\"where\":[{\"field\":\"done\",\"is\":true}],\"lasts\"")
    #expect(described(inWhere) == ["6:20: no field 'done'; marks are known in kinds only [/items/where/0/field]"])
    let inID = marked.replacing("\"id\":\"{title}\"", with: "\"id\":\"{done}\"")
    #expect(described(inID) == ["4:8: no field 'done'; marks are known in kinds only [/items/id]"])
  }

  @Test("Names of built-in feeds are reserved")
  func reserved() {
    let reserved = ReservedNames(
      feeds: ["taken"], kinds: ["bins-a", "shown"],
      claims: ["health": .init(directories: ["samples", "health"], files: ["weight.json"])])
    func first(_ json: String, _ name: String = "bins") -> String? {
      described(json, named: name, reserved: reserved).first
    }
    let good = WrongDefinition.good
    #expect(first(good) == nil)
    let named = { (name: String) in good.replacing("{\"bins\"", with: "{\"\(name)\"") }
    #expect(first(named("taken"), "taken") == "1:1: a built-in feed is named 'taken'; give the file another name []")
    #expect(first(named("shown"), "shown") == "1:1: a built-in kind is named 'shown'; give the file another name []")
    #expect(
      first(named("samples"), "samples") == "1:1: feed 'samples' claims 'samples/**', which feed 'health' reads []")
    let files = { (files: String) in good.replacing("\"version\":1,", with: "\"version\":1,\"files\":\"\(files)\",") }
    #expect(first(files("health/**")) == "1:22: feed 'bins' claims 'health/**', which feed 'health' reads [/files]")
    #expect(first(files("weight.json")) == "1:22: feed 'bins' claims 'weight.json', which feed 'health' reads [/files]")
    #expect(first(files("weight/**")) == nil)
    let index = good.replacing("{\"bins\"", with: "{\"day-index\"")
    #expect(first(index, "day") == "7:10: 'day-index' is the name of a built-in snapshot [/kinds/day-index]")
    #expect(first(named("bins-a")) == "7:10: 'bins-a' is the name of a built-in snapshot [/kinds/bins-a]")
    #expect(
      first(named("Bins"), "Bins")
        == "1:1: invalid feed name 'Bins': use up to 31 characters a-z and 0-9, beginning with a letter; "
        + "feeds, screens, snapshots and widgets are reserved []")
  }

  @Test("A part that could not be read causes no further defects")
  func cascades() {
    let kinds = #""kinds":{"bins":{"show":"now","items":{"title":"{title}"},"order":["x"]}}}"#
    #expect(described(#"{"version":1,"# + kinds) == ["1:1: missing field 'items' [/items]"])
    #expect(
      described(#"{"version":1,"items":[],"# + kinds) == ["1:22: expected an object, found an array [/items]"])
  }

  @Test("A key in the wrong place is told where it belongs, even if a key of that place is near")
  func placesOfKeys() {
    func unknown(_ top: String, _ kind: String = "") -> [String] {
      described(#"{"version":1,"items":{"each":"$"},\#(top)"kinds":{"bins":{\#(kind)"show":"all"}}}"#)
    }
    #expect(unknown(#""values":{},"#) == ["1:35: unknown key 'values'; it belongs in 'kinds.NAME' [/values]"])
    #expect(unknown(#""scale":2,"#) == ["1:35: unknown key 'scale'; it belongs in 'items.fields.NAME' [/scale]"])
    #expect(unknown(#""least":"a","#) == ["1:35: unknown key 'least'; it belongs in 'kinds.NAME.values.NAME' [/least]"])
    #expect(unknown("", #""each":"$","#) == ["1:52: unknown key 'each'; it belongs in 'items' [/kinds/bins/each]"])
    #expect(unknown("", #""use":"all","#) == ["1:52: unknown key 'use'; it belongs at the top [/kinds/bins/use]"])
    #expect(unknown(#""colours":{},"#) == ["1:35: unknown key 'colours' [/colours]"])
  }

  @Test("All defects are reported, in the order of their places")
  func all() {
    let json = """
      {"kinds":{"bins":{"show":"al","items":{"title":"{tittle} {","x":"{names}"},"content":{"text":"{title}"}}},
       "version":1,"items":{"fields":{"title":"$..a"},"itmes":0,"each":"@"}}
      """
    #expect(
      described(json) == [
        "1:26: expected one of all, today, now, next, coming, nextDay, due, found 'al'; 'all'? [/kinds/bins/show]",
        "1:50: no field 'tittle'; 'title'? [/kinds/bins/items/title]",
        "1:58: '{' without '}'; a brace is written '{{' [/kinds/bins/items/title]",
        "1:67: no field 'names' [/kinds/bins/items/x]",
        "1:96: no value 'title'; of one item it is known in 'items', of all 'values' names it [/kinds/bins/content/text]",
        "2:44: a path has no '..'; name each step [/items/fields/title]",
        "2:49: unknown key 'itmes' [/items/itmes]",
        "2:67: expected a path that begins with '$', found '@' [/items/each]",
      ])
  }
}
