import CacheSync
import CacheSyncSystem
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

extension Faults {
  @Suite("Input") struct Input {
    static let task =
      #"{"tasks":[{"id":9,"title":"a","completed":true ,"createdAt":%}],"lastUpdate":"2026-11-21T10:00:00Z"}"#

    /// Files that are rejected, or taken without a member, with the place and pointer of the expected problem.
    static let rejected: [(name: String, bytes: [UInt8], line: Int, column: Int, pointer: String)] = [
      ("empty", [], 1, 1, ""),
      ("nul", [0, 0, 0], 1, 1, ""),
      ("invalid-utf8", Array(#"{"tasks":[],"x":""#.utf8) + [0xff] + Array("\"}".utf8), 1, 18, ""),
      ("byte-order-mark", [0xef, 0xbb, 0xbf] + Array("[]".utf8), 1, 1, ""),
      // The decoder rejects a list in place of a task before it sees the depth. It limits the depth of unread values too.
      ("deep-arrays", [UInt8](repeating: UInt8(ascii: "["), count: 100_000), 1, 2, "/0"),
      ("deep-unread-arrays", Array(#"{"x":"#.utf8) + [UInt8](repeating: UInt8(ascii: "["), count: 100_000), 1, 517, ""),
      ("deep-objects", Array(String(repeating: #"{"a":"#, count: 100_000).utf8), 1, 512 * 5 + 1, ""),
      ("too-great", Array("{\n  \"tasks\": [],\n  \"lastUpdate\": 1e999\n}".utf8), 3, 17, "/lastUpdate"),
      ("duplicate-key", Array(#"{"tasks":[],"tasks":[]}"#.utf8), 1, 21, "/tasks"),
      ("lone-surrogate", Array(#"{"tasks":[],"x":"\ud800"}"#.utf8), 1, 18, ""),
      ("more-after-it", Array("[] x".utf8), 1, 4, ""),
      ("no-such-day", Array(task.replacing("%", with: #""2026-02-30T00:00:00Z""#).utf8), 1, 61, "/tasks/0/createdAt"),
      ("a-day-for-a-date", Array(task.replacing("%", with: #""2026-02-20""#).utf8), 1, 61, "/tasks/0/createdAt"),
      ("no-offset", Array(task.replacing("%", with: #""2026-02-20T00:00:00""#).utf8), 1, 61, "/tasks/0/createdAt"),
      ("wrong-type", Array(task.replacing("%", with: "true").utf8), 1, 61, "/tasks/0/createdAt"),
      ("missing-field", Array(#"{"tasks":[{"id":1}]}"#.utf8), 1, 11, "/tasks/0/title"),
    ]

    @Test("Bad files are problems with their places, good ones are published, and check and the agent agree")
    func badFiles() throws {
      let cache = try TestCache()
      try cache.drop("tasks/good.json", Sessions.task(1))
      let agent = try Agent(cache)
      for file in Self.rejected { try TestCache.put(cache.at("tasks/\(file.name).json"), file.bytes) }
      let sparse = open(cache.at("tasks/sparse.json"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      #expect(ftruncate(sparse, 1 << 30) == 0)
      close(sparse)
      try cache.drop("tasks/after.json", Sessions.task(2))
      try agent.settled()
      #expect(try cache.taskCount() == 2)
      let problems = try cache.output("todays-tasks")?["problems"]?.array ?? []
      let checked = try agent.ask("check", "--json")
      #expect(checked.status == 65)
      let found = Array(checked.output.utf8).withUnsafeBytes { JSONValue.parse($0) }?["problems"]?.array ?? []
      #expect(problems.count == Self.rejected.count + 1)
      for file in Self.rejected {
        let problem = try #require(problems.first { $0["path"]?.string == "tasks/\(file.name).json" }, "\(file.name)")
        #expect(problem["line"]?.int == file.line, "\(file.name)")
        #expect(problem["column"]?.int == file.column, "\(file.name)")
        #expect(problem["pointer"]?.string == file.pointer, "\(file.name)")
        #expect(found.contains(problem), "\(file.name): check says the same")
      }
      #expect(problems.contains { $0["path"]?.string == "tasks/sparse.json" && $0["line"]?.int == 1 })
      #expect(agent.resources.resident < 100_000, "KiB in use")
    }

    @Test(
      "A value of a wrong type in any field is a problem with that field's pointer, for check and the agent"
    )
    func wrongTypes() throws {
      let cache = try TestCache()
      var expected: [String: String] = [:]
      var count = 0
      for fields in DocumentedFields.all {
        guard let feed = fields.feed else { continue }
        let directory = Sessions.directory(of: feed)
        // The other good intents are about records of other files than these.
        if feed != "intents" || fields.whole.contains("add-task") {
          try cache.drop("\(directory)/good-\(count).json", fields.whole)
        }
        for pointer in fields.pointers {
          count += 1
          try cache.drop("\(directory)/\(count).json", try Self.wrongType(at: pointer, in: fields.whole))
          expected["\(directory)/\(count).json"] = pointer
        }
      }
      #expect(Set(DocumentedFields.all.compactMap(\.feed)) == Set(Sessions.feeds) && expected.count > 80)
      let agent = try Agent(cache)
      try agent.settled()
      func found(_ problems: JSONValue?) -> [String: String] {
        Dictionary(
          (problems?.array ?? []).map { ($0["path"]?.string ?? "", $0["pointer"]?.string ?? "") },
          uniquingKeysWith: { first, _ in first })
      }
      let told = found(try agent.status().value["problems"])
      let checked = found(
        Array(try agent.ask("check", "--json").output.utf8).withUnsafeBytes { JSONValue.parse($0) }?["problems"])
      for (path, pointer) in expected {
        #expect(told[path] == pointer, "\(path), for the agent")
        #expect(checked[path] == pointer, "\(path), for check")
      }
      #expect(told.count == expected.count, "the good ones are good")
    }

    /// A document in which only one value has a wrong type.
    private static func wrongType(at pointer: String, in document: String) throws -> String {
      let whole = try JSONSerialization.jsonObject(with: Data(document.utf8))
      let damaged = replacing(pointer.split(separator: "/").map(String.init)[...], in: whole)
      return String(decoding: try JSONSerialization.data(withJSONObject: damaged), as: UTF8.self)
    }

    private static func replacing(_ path: ArraySlice<String>, in value: Any) -> Any {
      guard let first = path.first else {
        // No field is both an object and an array, and no scalar is either.
        return value is [String: Any] ? [Any]() : [String: Any]()
      }
      if var array = value as? [Any], let index = Int(first) {
        array[index] = replacing(path.dropFirst(), in: array[index])
        return array
      }
      guard var object = value as? [String: Any] else { return value }
      object[first] = replacing(path.dropFirst(), in: object[first] ?? NSNull())
      return object
    }

    @Test("The last good version stays in use across a restart, even if the file became bad just before")
    func lastGood() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      var agent: Agent? = try Agent(cache)
      try cache.drop("tasks/a.json", "{")
      try agent?.settled()
      #expect(try cache.taskCount() == 1)
      #expect(try cache.output("todays-tasks")?["entries"]?[0]?["state"]?.string == "stale")
      try until("the last good version is kept") { cache.hasLastGood }
      try agent?.stop(SIGKILL)
      agent = try Agent(cache)
      try agent?.settled()
      #expect(try cache.taskCount() == 1)
      try cache.drop("tasks/a.json", Sessions.task(2))
      try agent?.settled()
      try agent?.stop()
      // The next agent starts before the bad file has been unchanged for 250 ms.
      try cache.drop("tasks/a.json", "{")
      agent = try Agent(cache)
      try agent?.settled()
      #expect(try cache.firstTitle() == "t2")
      #expect(try cache.output("todays-tasks")?["problems"]?.array?.count == 1)
    }

    @Test(
      "Anything but a regular file is never opened or followed, and is reported with escapes", .needsDevices,
      .needs("python3"))
    func specialFiles() throws {
      let cache = try TestCache()
      try cache.drop("tasks/good.json", Sessions.task(1))
      try cache.makeDirectory("events/directory.json")
      #expect(mkfifo(cache.at("events/fifo.json"), 0o644) == 0)
      #expect(mknod(cache.at("events/device.json"), S_IFCHR | 0o666, 1 << 8 | 3) == 0)
      try ChildProcess.shell(
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"\(cache.path)/events/socket.json\")'")
      let links = [
        "shadow": "/etc/shadow", "self": "self.json", "dangling": "nowhere", "zero": "/dev/zero",
        "out": "../../../../../../etc/passwd",
      ]
      for (name, target) in links { #expect(symlink(target, cache.at("tasks/\(name).json")) == 0) }
      #expect(symlink("/etc", cache.at("tasks/etc")) == 0)
      #expect(symlink("good.json", cache.at("tasks/inside.json")) == 0)
      try cache.write("tasks/new\nline.json", "{")
      try cache.write("tasks/escape\u{1b}[31m.json", "{")
      try ChildProcess.shell("printf '{' > \"$(printf '\(cache.path)/tasks/\\377.json')\"")
      try cache.write("tasks/\(String(repeating: "x", count: 250)).json", Sessions.task(2))
      // fifo(7): the kernel refuses to open a FIFO for writing with O_NONBLOCK while no process has it open for reading.
      let fifo = cache.at("events/fifo.json")
      let opened = Mutex(0)
      let watching = Churn { _ in
        let end = open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if end >= 0 {
          close(end)
          opened.withLock { $0 += 1 }
        } else if errno != ENXIO {
          opened.withLock { $0 += 1 }
        }
      }
      let agent = try Agent(cache)
      try agent.settled()
      if Machine.canTrace, Machine.tool("strace") != nil {
        let scan = try Injection(nil, calls: "openat,openat2,open", into: agent.process)
        agent.process.signal(SIGHUP)
        try until("everything was looked at again") { scan.calls.contains { $0.contains("good.json") } }
        try agent.settled()
        try scan.end()
        // Each line ends with the path of the opened file. A file that is opened with O_PATH cannot be read.
        let results = scan.calls.filter { !$0.contains("O_PATH") }.compactMap { $0.split(separator: "=").last }
        for secret in ["/etc/shadow", "/etc/passwd", "/dev/zero", "/dev/null", "fifo.json", "device.json"] {
          #expect(!results.contains { $0.contains(secret) }, "\(secret) was opened")
        }
      }
      #expect(watching.end() > 0 && opened.withLock { $0 } == 0, "the FIFO was opened")
      let status = try agent.status()
      #expect(status.code == 0)
      #expect(try cache.taskCount() == 2)
      #expect(!cache.has("snapshots/calendar.json"), "no file of events makes it present")
      let paths = Set((status.value["problems"]?.array ?? []).compactMap { $0["path"]?.string })
      #expect(
        paths
          == Set(
            ["directory", "fifo", "device", "socket"].map { "events/\($0).json" }
              + links.keys.map { "tasks/\($0).json" }
              + ["tasks/etc", "tasks/new\nline.json", "tasks/escape\u{1b}[31m.json", #"tasks/\xff.json"#]))
      let lines = try agent.ask("check").output
      #expect(lines.split(separator: "\n").count == paths.count)
      #expect(!lines.contains("\u{1b}"))
      #expect(lines.contains(#"tasks/escape\x1b[31m.json"#) && lines.contains(#"tasks/\xff.json"#))
      #expect(!agent.process.error.contains("\u{1b}"))
    }

    @Test("Mutated sessions never cause a crash, and check reports every file that the agent rejects")
    func mutations() throws {
      let seed = setting("FAULTS_SEED", or: 20)
      let runs = Int(setting("FAULTS_RUNS", or: 200))
      var mutator = Mutator(seed: seed)
      let samples = try SampleSessions.all()
      #expect(Set(samples.map(\.feed)).isSuperset(of: Sessions.feeds.map { FeedName($0) }), "every feed has a sample")
      var rejections = 0
      for sample in samples {
        let feed = try #require(FeedRegistry.builtIn.feed(named: sample.feed))
        #expect(Self.defects(sample.bytes, feed).isEmpty, "\(sample.feed): the sample is good")
        // The agent needs longer for the large ones.
        for run in 0..<min(runs, max(10, 4_000_000 / sample.bytes.count)) {
          let bytes = mutator.mutated(sample.bytes)
          let rejected = Self.defects(bytes, feed)
          let again =
            "FAULTS_SEED=\(seed) FAULTS_RUNS=\(runs), \(sample.feed), run \(run): \(String(decoding: bytes.prefix(2000), as: UTF8.self))"
          guard let first = rejected.first else { continue }
          rejections += 1
          #expect(rejected.allSatisfy { $0.offset >= first.offset }, "not the first: \(again)")
        }
      }
      #expect(rejections > runs)
    }

    private static func defects(_ bytes: [UInt8], _ feed: FeedDescriptor) -> [JSONDefect] {
      bytes.withUnsafeBytes { feed.decode($0, at: CachePath("a.json")).defects }
    }
  }
}
