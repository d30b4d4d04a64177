import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Testing
import TestSupport

@Suite("Problems of valid files")
struct CurrentProblemsTests {
  @Test("A problem has the time of the publication that first found it, until it ends")
  @LoopActor func since() throws {
    let cache = try TemporaryCache()
    let before = Instant.now
    func writeTasks(_ tasks: String) throws {
      try cache.write("tasks/a.json", #"{"lastUpdate": "\#(before + .seconds(-3600))", "tasks": [\#(tasks)]}"#)
    }
    try writeTasks("")
    try cache.write(
      "intents/i.json", #"{"id": "i", "type": "complete-task", "at": "\#(before + .seconds(-60))", "taskId": 5}"#)
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    let contents = CacheContents(root: root, environment: cache.environment)
    contents.readEverything(isPatient: false)
    contents.closeLastGoodOnceJudged()
    let publisher = Publisher(contents: contents, store: SnapshotStore(root: root), logger: quietLogger)
    let state = try StateDirectory(root: root)
    func problem(at instant: Instant) -> ProblemNote? {
      contents.allProblems(at: contents.moment(at: instant)).first { $0.problem.path == CachePath("intents/i.json") }
    }
    #expect(publisher.publish(state: state) != nil)
    let after = Instant.now
    let note = try #require(problem(at: after + .seconds(60)))
    #expect(note.since >= before && note.since <= after)
    #expect(problem(at: after + .seconds(120))?.since == note.since)
    // The intent now names a task that exists, and then again one that does not.
    try writeTasks(#"{"id": 5, "title": "A", "completed": false, "createdAt": "\#(before + .seconds(-7200))"}"#)
    contents.readEverything(isPatient: false)
    #expect(problem(at: after + .seconds(180)) == nil)
    try writeTasks("")
    contents.readEverything(isPatient: false)
    #expect(problem(at: after + .seconds(240))?.since == after + .seconds(240))
  }

  @Test("Of a file with an error only errors are listed, in status and in snapshots")
  @LoopActor func besideErrors() throws {
    let cache = try TemporaryCache()
    func write(_ name: String, _ title: String) throws {
      try cache.write("tasks/\(name).json", #"[{"id":1,"title":"\#(title)","completed":false}]"#)
    }
    try write("a", "A")
    try write("b", "B")
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    let contents = CacheContents(root: root, environment: cache.environment)
    contents.readEverything(isPatient: false)
    func listed() throws -> [[String]] {
      let moment = contents.moment(at: .now)
      let kind = try #require(contents.projector.kinds.first { $0.name == "todays-tasks" })
      let all = contents.allProblems(at: moment).map(\.problem)
      return [all, contents.projector.problems(of: kind, at: moment)].map { problems in
        problems.map { "\($0.severity) \($0.path?.description ?? "")" }
      }
    }
    #expect(try listed() == Array(repeating: ["warning tasks/a.json", "warning tasks/b.json"], count: 2))
    try cache.write("tasks/a.json", "[{")
    contents.readEverything(isPatient: false)
    #expect(try listed() == Array(repeating: ["error tasks/a.json", "warning tasks/b.json"], count: 2))
  }
}
