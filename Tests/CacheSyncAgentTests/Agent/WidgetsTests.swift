import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Testing
import TestSupport

@Suite("Widgets of a cache")
struct WidgetsTests {
  private func snapshot(_ name: String, _ served: ServedTestCache) throws -> Snapshot {
    try SnapshotReader(cache: served.cache.path).snapshot(name)
  }

  private func titles(_ name: String, _ served: ServedTestCache) throws -> [String] {
    (try snapshot(name, served).entries[0].content["tasks"]?.array ?? []).compactMap { $0["title"]?.string }
  }

  private static func task(_ id: Int, _ title: String) -> String {
    ServedTestCache.task(title).replacing(#""id":1"#, with: "\"id\":\(id)")
  }

  private static let anna = #"{"kind":"todays-tasks","title":"Anna","from":"tasks/anna"}"#

  @Test("A widget shows only the files that it covers, in its first publication and after every change")
  func from() throws {
    let served = try ServedTestCache([
      "tasks/anna/a.json": Self.task(1, "Beans"), "tasks/annabel.json": Self.task(2, "Corn"),
      "widgets/anna.json": Self.anna,
    ])
    #expect(try titles("anna", served) == ["Beans"])
    #expect(try titles("todays-tasks", served) == ["Beans", "Corn"])
    let snapshot = try snapshot("anna", served)
    #expect(snapshot.kind == "anna" && snapshot.widgetKind == "TodaysTasksWidget")
    #expect(snapshot.widget?.kind == "todays-tasks" && snapshot.widget?.title == "Anna")
    #expect(snapshot.sources == ["tasks/anna/a.json"])
    try served.drop("tasks/anna/b.json", Self.task(3, "Apples"))
    served.pass(after: .seconds(1))
    #expect(try titles("anna", served) == ["Apples", "Beans"])
    try served.cache.remove("tasks/anna/a.json")
    served.pass()
    served.pass(after: .seconds(1))
    #expect(try titles("anna", served) == ["Apples"])
  }

  @Test("A widget that is dropped later shows what existed before, and changes with its file")
  func later() throws {
    let served = try ServedTestCache([
      "tasks/anna/a.json": Self.task(1, "Beans"), "tasks/bob.json": Self.task(2, "Corn"),
    ])
    try served.drop("widgets/anna.json", Self.anna)
    served.pass(after: .seconds(1))
    #expect(try titles("anna", served) == ["Beans"])
    try served.drop("widgets/anna.json", #"{"kind":"todays-tasks","from":"tasks/bob.json"}"#)
    served.pass(after: .seconds(1))
    #expect(try titles("anna", served) == ["Corn"])
    #expect(try snapshot("anna", served).widget?.title == nil)
    try served.drop("widgets/anna.json", #"{"kind":"task-count"}"#)
    served.pass(after: .seconds(1))
    #expect(try snapshot("anna", served).entries[0].content["count"] == .integer(2))
  }

  @Test("Snapshots of plain kinds have no member `widget`")
  func plain() throws {
    let served = try ServedTestCache(["tasks/a.json": Self.task(1, "Beans")])
    #expect(try snapshot("todays-tasks", served).widget == nil)
    #expect(try !served.cache.text("snapshots/todays-tasks.json").contains("\"widget\":"))
  }

  @Test(
    "An invalid widget file is a problem of its snapshot only, and its last good version stays, also after a restart")
  func invalid() throws {
    let served = try ServedTestCache([
      "tasks/anna/a.json": Self.task(1, "Beans"), "tasks/b.json": Self.task(2, "Corn"), "widgets/anna.json": Self.anna,
      "widgets/other.json": #"{"kind":"task-count"}"#,
    ])
    served.saveLastGood()
    try served.drop("widgets/anna.json", #"{"kind":"todays-task"}"#)
    served.pass()
    served.pass(after: .seconds(1))
    func expect(_ served: ServedTestCache) throws {
      #expect(try titles("anna", served) == ["Beans"])
      #expect(try snapshot("anna", served).problems.map(\.path) == ["widgets/anna.json"])
      #expect(try snapshot("anna", served).problems.map(\.pointer) == ["/kind"])
      #expect(try snapshot("other", served).problems == [] && snapshot("todays-tasks", served).problems == [])
    }
    try expect(served)
    served.saveLastGood()
    served.served.shutDown()
    try expect(try ServedTestCache(in: served.cache))
  }

  @Test("When the widget file is deleted, its snapshot is published once more, empty")
  func removed() throws {
    let served = try ServedTestCache(["tasks/anna/a.json": Self.task(1, "Beans"), "widgets/anna.json": Self.anna])
    try served.cache.remove("widgets/anna.json")
    served.pass()
    served.pass(after: .seconds(1))
    let snapshot = try snapshot("anna", served)
    #expect(snapshot.entries.map(\.state) == [.empty] && snapshot.entries[0].content == .object([:]))
    #expect(snapshot.reloadAfter == nil && snapshot.widget == nil)
  }

  @Test(
    "At most 64 widgets count, in the order of their paths; each further one is a problem; invalid files do not count")
  func many() throws {
    var files = ["tasks/a.json": Self.task(1, "Beans"), "widgets/a-bad.json": "{"]
    for number in 10..<75 { files["widgets/w\(number).json"] = #"{"kind":"task-count"}"# }
    let contents = try ServedTestCache(files)
    let names = SnapshotReader(cache: contents.cache.path).kinds().filter { $0.hasPrefix("w") }
    #expect(names == (10..<74).map { "w\($0)" })
    let read = try OneShot.contents(of: contents.cache.path, environment: contents.cache.laterEnvironment)
    let problems = read.allProblems(at: read.moment(at: .now)).map(\.problem)
    #expect(problems.map { $0.path?.description } == ["widgets/a-bad.json", "widgets/w74.json"])
  }

  @Test("A widget can show a defined kind, and a kind with the name of a widget wins")
  func definitions() throws {
    let definition = """
      {"version":1,"files":"bins/**","items":{"each":"$[*]"},
      "kinds":{"bins":{"show":"all","template":"table","items":{"n":"{index}"}}}}
      """
    let served = try ServedTestCache([
      "bins/a/x.json": "[1,2]", "bins/b.json": "[3]", "feeds/bins.json": definition,
      "widgets/ours.json": #"{"kind":"bins","from":"bins/a"}"#,
    ])
    #expect(try snapshot("ours", served).entries[0].content["items"]?.array?.count == 2)
    #expect(try snapshot("bins", served).entries[0].content["items"]?.array?.count == 3)
    try served.drop("widgets/paper.json", #"{"kind":"task-count"}"#)
    try served.drop("tasks/a.json", Self.task(1, "Beans"))
    served.pass(after: .seconds(1))
    #expect(try snapshot("paper", served).widget != nil)
    try served.drop("feeds/paper.json", definition.replacing("bins", with: "paper"))
    try served.drop("paper/a.json", "[1]")
    served.pass()
    served.pass(after: .seconds(1))
    #expect(try snapshot("paper", served).widget == nil)
    #expect(try snapshot("paper", served).entries[0].content["items"]?.array?.count == 1)
    let read = try OneShot.contents(of: served.cache.path, environment: served.cache.laterEnvironment)
    let problems = read.allProblems(at: read.moment(at: .now)).map(\.problem)
    #expect(problems.map { $0.path?.description } == ["widgets/paper.json"])
  }

  @Test("An added task appears in widgets without `from`, and in those that cover its path")
  func addedTasks() throws {
    let served = try ServedTestCache([
      "tasks/anna/a.json": Self.task(1, "Beans"), "tasks/bob/b.json": Self.task(2, "Corn"),
      "widgets/anna.json": Self.anna, "widgets/bob.json": #"{"kind":"todays-tasks","from":"tasks/bob"}"#,
      "widgets/both.json": #"{"kind":"todays-tasks"}"#,
    ])
    let now = SystemWallClock().now().description
    try served.drop(
      "intents/1.json", #"{"id":"1","type":"add-task","title":"For Anna","to":"tasks/anna","at":"\#(now)"}"#)
    try served.drop("intents/2.json", #"{"id":"2","type":"add-task","title":"For all","at":"\#(now)"}"#)
    served.pass(after: .seconds(1))
    #expect(try titles("anna", served) == ["Beans", "For Anna"])
    #expect(try titles("bob", served) == ["Corn"])
    #expect(try titles("both", served) == ["Beans", "Corn", "For Anna", "For all"])
  }

  @Test(
    "An intent takes effect in the widget that covers its record, and is absorbed by the files that the widget covers")
  func absorbed() throws {
    let served = try ServedTestCache([
      "tasks/anna/a.json": Self.task(1, "Beans"), "tasks/bob/b.json": Self.task(2, "Corn"),
      "widgets/anna.json": Self.anna, "widgets/bob.json": #"{"kind":"todays-tasks","from":"tasks/bob"}"#,
    ])
    let now = SystemWallClock().now()
    let done = now.advanced(by: .seconds(-7_200)).description
    try served.drop("intents/1.json", #"{"id":"1","type":"complete-task","taskId":1,"at":"\#(done)"}"#)
    served.pass(after: .seconds(1))
    #expect(try titles("anna", served) == [] && titles("bob", served) == ["Corn"])
    // Bob's newer file absorbs the intent for the whole cache, but Anna's widget does not see that file.
    let written = now.advanced(by: .seconds(-3_600)).description
    try served.drop("tasks/bob/c.json", #"{"tasks":[],"lastUpdate":"\#(written)"}"#)
    served.pass(after: .seconds(1))
    #expect(try titles("anna", served) == [])
    #expect(try titles("todays-tasks", served) == ["Beans", "Corn"])
  }
}
