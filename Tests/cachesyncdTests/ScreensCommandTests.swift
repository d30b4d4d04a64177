import CacheSync
import Testing

@Suite struct ScreensCommandTests {
  @Test("screens --json has each screen with its defaults filled in, and those that were never valid")
  func json() throws {
    let cache = try CommandCache([
      "screens/kitchen.json": #"{"widgets":["calendar:large","todays-tasks"],"size":"800×480"}"#,
      "screens/hall.json": #"""
      {"widgets":["macros:small"],"rotate":90,"bits":4,"appearance":"eink","clock":true,"title":"Hall","redacted":true,
       "columns":3,"rotateEvery":"PT30S"}
      """#,
      "screens/bad.json": #"{"widgets":[]}"#,
    ])
    let outcome = try cache.run("screens", "--json")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let hall =
      #"{"appearance":"eink","bits":4,"clock":true,"columns":3,"displayNames":{"macros":"Macros"},"name":"hall","problems":[],"redacted":true,"rotate":90,"#
      + #""rotateEvery":"PT30S","size":"fill","title":"Hall","widgets":["macros:systemSmall"]}"#
    let kitchen =
      #"{"appearance":"auto","bits":32,"clock":false,"columns":null,"displayNames":{"calendar":"Calendar","#
      + #""todays-tasks":"Today's Tasks"},"name":"kitchen","problems":[],"redacted":false,"#
      + #""rotate":0,"rotateEvery":null,"size":"800x480","title":null,"widgets":["calendar:systemLarge","todays-tasks"]}"#
    #expect(outcome.output.hasSuffix(",\(hall),\(kitchen)]}\n"), "\(outcome.output)")
    let bad = try cachesyncdTests.json(outcome.output)["screens"]?[0]
    #expect(bad?["name"]?.string == "bad" && bad?["size"] == .null && bad?["widgets"] == .array([]))
    #expect(bad?["problems"]?[0]?["pointer"]?.string == "/widgets")
    let text = try cache.run("screens").output
    #expect(text.contains("\nkitchen  800x480  calendar:systemLarge todays-tasks\n"))
    #expect(text.hasPrefix("bad  was never valid\n  screens/bad.json:1:12: error: "))
  }

  @Test("Without a screen it prints a file that drop takes")
  func example() throws {
    let cache = try CommandCache(["tasks/a.json": #"{"tasks":[]}"#])
    #expect(try cache.run("screens", "--json").output == "{\"screens\":[]}\n")
    let text = try cache.run("screens").output
    #expect(text.contains("\(cache.path)/screens/kitchen.json"))
    #expect(text.contains(#"{ "widgets": ["todays-tasks"], "clock": true }"#), "\(text)")
    let empty = try CommandCache().run("screens").output
    #expect(empty.contains(#"{ "widgets": ["meal-plan", "daily-progress", "budget"], "clock": true }"#), "\(empty)")
    let file = try #require(text.split(separator: "\n").first { $0.contains("{") })
    #expect(try cache.run("drop", "screens", "-", "--name", "kitchen", input: String(file)).status == 0)
    #expect(try cache.run("screens").output.hasPrefix("kitchen  fill  "))
    #expect(try cache.run("check").output == "")
  }

  @Test("drop warns as check does: of an unknown widget, an unknown family, and a card that does not fit")
  func warnings() throws {
    let cache = try CommandCache()
    let screen = #"{"widgets":["todays-task","calendar:inline","calendar:large"],"size":"200x200"}"#
    let dropped = try cache.run("drop", "screens", "-", "--name", "hall", input: screen)
    #expect(dropped.status == 0 && cache.has("screens/hall.json"))
    // At half a pixel, 200 are 400 points. Beside a large card of 290 there are 78 for two others, of 150 at least.
    let checked = try cache.run("check").output.split(separator: "\n")
    #expect(checked.count == 3 && checked.last?.contains("'calendar:large' does not fit in 200x200: ") == true)
    for line in checked { #expect(dropped.errors.contains(line), "\(dropped.errors)") }
  }

  @Test("drop refuses a screen that is wrong, and a definition may not be named screens or claim their files")
  func refusals() throws {
    let cache = try CommandCache()
    let dropped = try cache.run("drop", "screens", "-", "--name", "a", input: #"{"widgets":["a"],"bits":3}"#)
    #expect(dropped.status == 65 && dropped.errors.contains("expected one of 1, 2, 4, 8, 32"), "\(dropped)")
    #expect(!cache.has("screens"))
    #expect(try cache.run("feed", "new", "screens").isWrongUsage)
    let definition = #"{"version":1,"files":"screens/**","items":{"each":"$"},"kinds":{"bins":{"show":"all"}}}"#
    let claim = try cache.run("drop", "feeds", "-", "--name", "bins", input: definition)
    #expect(claim.status == 65 && claim.errors.contains("[/files]"), "\(claim)")
  }
}
