import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Testing
import TestSupport

@Suite("Screens of a cache")
struct ScreensTests {
  private static let kitchen = #"{"widgets":["task-count:small","todays-tasks"]}"#

  private func screens(_ served: ServedTestCache) throws -> [String: ScreenListing] {
    let read = try OneShot.contents(of: served.cache.path, environment: served.cache.laterEnvironment)
    let listed = ScreenListing.all(of: read, at: read.moment(at: .now))
    return Dictionary(uniqueKeysWithValues: listed.map { ($0.name, $0) })
  }

  @Test("A screen that comes, changes, breaks and goes publishes nothing, and belongs to no feed")
  func silent() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("Beans")])
    let generation = served.report.generation
    func change(_ text: String?) throws {
      let file = "screens/kitchen.json"
      if let text { try served.drop(file, text) } else { try served.cache.remove(file) }
      served.pass()
      served.pass(after: .seconds(1))
      #expect(served.report.generation == generation)
      #expect(try served.problems() == 0)
    }
    try change(Self.kitchen)
    #expect(try screens(served)["kitchen"]?.screen?.widgets.count == 2)
    try change(#"{"widgets":["task-count"]}"#)
    #expect(try screens(served)["kitchen"]?.screen?.widgets.count == 1)
    try change("{")
    try change(nil)
    #expect(try screens(served).isEmpty)
    let read = try OneShot.contents(of: served.cache.path, environment: served.cache.laterEnvironment)
    #expect(!FeedListing.all(of: read, at: read.moment(at: .now)).contains { $0.name == ScreensFeed.name })
  }

  @Test("The last good version of a file that breaks counts, also for programs beside the agent and after a restart")
  func lastGood() throws {
    let served = try ServedTestCache(["screens/kitchen.json": Self.kitchen, "screens/never.json": "{}"])
    served.saveLastGood()
    try served.drop("screens/kitchen.json", #"{"widgets":["task-count"],"colums":2}"#)
    served.pass()
    served.pass(after: .seconds(1))
    served.saveLastGood()
    func expect(_ served: ServedTestCache) throws {
      let screens = try screens(served)
      #expect(screens["kitchen"]?.screen?.widgets.map(\.description) == ["task-count:systemSmall", "todays-tasks"])
      #expect(screens["kitchen"]?.problems.map(\.pointer) == ["/colums"])
      #expect(screens["never"]?.screen == nil && screens["never"]?.problems.count == 1)
    }
    try expect(served)
    served.served.shutDown()
    try expect(try ServedTestCache(in: served.cache))
  }

  @Test("What depends on other files is a warning, which goes when they come")
  func warnings() throws {
    let served = try ServedTestCache([
      "screens/kitchen.json": #"{"widgets":["todays-task","mine:large","quick-add:inline","calendar:large"]}"#,
      "widgets/mine.json": #"{"kind":"task-count"}"#,
    ])
    func problems() throws -> [String] { try screens(served)["kitchen"]?.problems.map { $0.line() } ?? [] }
    let found = try problems()
    #expect(found.count == 3)
    let unknown = "unknown widget \"todays-task\": did you mean todays-tasks?"
    #expect(found[0] == "screens/kitchen.json:1:13: warning: \(unknown) [/widgets/0]")
    #expect(found[1].hasPrefix("screens/kitchen.json:1:27: warning: mine has no family systemLarge"))
    #expect(found[2].hasPrefix("screens/kitchen.json:1:40: warning: quick-add has no family accessoryInline"))
    try served.drop("widgets/todays-task.json", #"{"kind":"todays-tasks"}"#)
    #expect(try problems().count == 2)
    let check = SessionCheck(cache: served.cache.path, environment: served.cache.laterEnvironment)
    #expect(try check.wholeCache().map(\.severity) == [.warning, .warning])
  }

  @Test("A card that does not fit in the screen's size is a warning, until there is room for it")
  func fitting() throws {
    // By hand, at 1.25 pixels a point: 800x480 are 640x384 points, of which two large cards take 604x372.
    func screen(_ size: String) -> String {
      #"{"widgets":["calendar:large","todays-tasks:large","budget"],"bits":1,"size":"\#(size)"}"#
    }
    let served = try ServedTestCache(["screens/kitchen.json": screen("800x480")])
    func problems() throws -> [String] { try screens(served)["kitchen"]?.problems.map { $0.line() } ?? [] }
    let advice = "choose smaller families or a larger size, or remove widgets"
    let warning =
      "screens/kitchen.json:1:51: warning: 'budget' does not fit in 800x480 at 1 bit: \(advice) [/widgets/2]"
    #expect(try problems() == [warning])
    let check = SessionCheck(cache: served.cache.path, environment: served.cache.laterEnvironment)
    #expect(try check.wholeCache().map { $0.line() } == [warning])
    // A third column of 150 points, with its gap.
    for size in ["998x480", "fill"] {
      try served.drop("screens/kitchen.json", screen(size))
      #expect(try problems() == [], "\(size)")
    }
    // Of an unknown kind there is room for the card that says so: 76 points.
    try served.drop("screens/kitchen.json", screen("905x480").replacing("budget", with: "mine"))
    #expect(try problems().map { $0.contains("unknown widget") } == [true])
    try served.drop("widgets/mine.json", #"{"kind":"budget"}"#)
    #expect(try problems().map { $0.contains("'mine' does not fit in 905x480") } == [true])
  }

  @Test("At most 64 screens count, in the order of their paths; each further one is a problem")
  func many() throws {
    var files: [String: String] = [:]
    for number in 10..<75 { files["screens/s\(number).json"] = Self.kitchen }
    let screens = try screens(try ServedTestCache(files))
    #expect(screens.values.count { $0.screen != nil } == 64)
    #expect(screens["s74"]?.screen == nil && screens["s74"]?.problems.map(\.severity) == [.error])
  }
}
