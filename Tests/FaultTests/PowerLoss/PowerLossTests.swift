import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

extension Faults {
  /// The real program's calls, interrupted after each, on a disk that keeps only what fsync(2) guarantees.
  @Suite("Power loss") struct PowerLoss {
    /// A program's run in a cache, and the files before it.
    struct Run {
      let cache: TestCache
      let before: [String: [UInt8]]
      let directories: [String]
      var recording: Recording
      let seed: UInt64 = setting("POWER_LOSS_SEED", or: 1)

      init(_ cache: TestCache, _ arguments: [String]) throws {
        self.cache = cache
        before = try tree(of: cache)
        directories = try FileManager.default.subpathsOfDirectory(atPath: cache.path).filter { path in
          var about = stat()
          return lstat(cache.at(path), &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
        }
        recording = try Recording(of: [Machine.agent] + arguments + ["--cache", cache.path], in: cache.path)
      }

      /// The states after power loss at every moment. `isOver` is true after the program's end.
      func forEachState(_ body: (_ state: [String: [UInt8]], _ isOver: Bool) throws -> Void) throws {
        var random = SeededGenerator(state: seed)
        var disk = WeakDisk(directories, holding: before)
        for (number, call) in recording.calls.enumerated() {
          disk.apply(call)
          let isOver = number == recording.calls.count - 1
          for state in disk.statesAfterPowerLoss(isOver ? 60 : 12, using: &random) { try body(state, isOver) }
        }
      }
    }

    /// Every regular file below a cache.
    private static func tree(of cache: TestCache) throws -> [String: [UInt8]] {
      var tree: [String: [UInt8]] = [:]
      for path in try FileManager.default.subpathsOfDirectory(atPath: cache.path) {
        var about = stat()
        guard lstat(cache.at(path), &about) == 0, about.st_mode & S_IFMT == S_IFREG else { continue }
        tree[path] = TestCache.read(cache.at(path))
      }
      return tree
    }

    private static func sync(_ cache: TestCache, _ durability: String = "flush") -> [String] {
      ["sync", "--time-zone", Machine.zone, "--durability", durability]
    }

    private static func run(_ arguments: [String], in cache: TestCache) throws {
      let result = try ChildProcess([Machine.agent] + arguments + ["--cache", cache.path]).wait()
      guard result == 0 else { throw TestFailure("\(arguments) ended with \(result)") }
    }

    /// The state of the cache before the `sync` that is recorded.
    enum Earlier: String, CaseIterable, CustomTestStringConvertible {
      case nothing, flushed, renamed, removed

      var testDescription: String { rawValue }
    }

    private static func recordedSync(after earlier: Earlier) throws -> Run {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      try cache.drop("events/a.json", Sessions.session(of: "events", 1))
      if earlier != .nothing { try run(sync(cache, earlier == .renamed ? "rename" : "flush"), in: cache) }
      if earlier == .removed { try ChildProcess.shell("rm -r '\(cache.path)/snapshots'") }
      try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      var run = try Run(cache, sync(cache))
      if earlier == .renamed {
        // Files that no program flushed: the disk has their names and none of their data.
        run.recording.calls =
          run.before.filter { $0.key.hasPrefix("snapshots/") }.map { .write($0.key, at: 0, $0.value) }
          + run.recording.calls
        return Run(
          run,
          before: run.before.merging(run.before.filter { $0.key.hasPrefix("snapshots/") }.mapValues { _ in [] }) { $1 })
      }
      return run
    }

    /// Whether a reader that compares the generations with the manifest accepts the files as one publication.
    private static func isAccepted(_ outputs: [String: [UInt8]], _ parsed: [[UInt8]: JSONValue]) -> Bool {
      guard let manifest = outputs["snapshots/manifest.json"].flatMap({ parsed[$0] }),
        let listed = manifest["files"]?.object
      else { return false }
      return listed.allSatisfy { name, file in
        outputs["snapshots/\(name)"].flatMap { parsed[$0] }?["generation"] == file["generation"]
      }
    }

    private static let log = ".cachesync/sessions"

    /// The first fault in what readers find in a state, or nil.
    private static func firstFault(_ run: Run, earlier: Earlier) throws -> String? {
      var versions: [String: Set<[UInt8]>] = [:]
      var latest: [String: [UInt8]] = run.before.filter { $0.key.hasPrefix("snapshots/") }
      var contents: [String: [UInt8]] = run.before
      for call in run.recording.calls {
        switch call {
        case .write(let path, let offset, let bytes):
          contents[path] = Array((contents[path] ?? []).prefix(offset)) + bytes
        case .rename(let old, let new):
          contents[new] = contents.removeValue(forKey: old)
        default: break
        }
      }
      for (path, bytes) in contents where path.hasPrefix("snapshots/") && path.hasSuffix(".json") {
        latest[path] = bytes
      }
      var files: [[UInt8]: JSONValue] = [:]
      for (path, bytes) in latest { versions[path, default: []].insert(bytes) }
      for (path, bytes) in run.before where path.hasPrefix("snapshots/") { versions[path, default: []].insert(bytes) }
      for bytes in versions.values.joined() { files[bytes] = bytes.withUnsafeBytes { JSONValue.parse($0) } }
      var fault: String?
      let sets = [run.before.filter { latest[$0.key] != nil }, latest]
      try run.forEachState { state, isOver in
        guard fault == nil else { return }
        let outputs = state.filter { $0.key.hasPrefix("snapshots/") && $0.key.hasSuffix(".json") }
        // Until it ends, `sync` guarantees nothing for files that were published with `rename`.
        if earlier != .renamed || isOver {
          for (path, bytes) in outputs where versions[path]?.contains(bytes) != true {
            fault = "\(path) is damaged: \(bytes.count) bytes"
          }
        }
        if fault == nil, !sets.contains(outputs), isAccepted(outputs, files) {
          fault = "a reader accepts files of two publications"
        }
        if isOver, state[Self.log] != contents[Self.log] { fault = fault ?? "last good versions are lost" }
        if isOver, outputs != latest {
          fault = fault ?? "published, and then lost: \(Set(latest.keys).subtracting(outputs.keys))"
        }
      }
      return fault
    }

    @Test(
      "What sync publishes is whole at any moment, and complete once sync has ended", .needsTracing,
      arguments: Earlier.allCases)
    func published(after earlier: Earlier) throws {
      let run = try Self.recordedSync(after: earlier)
      #expect(run.recording.calls.contains { if case .rename = $0 { true } else { false } })
      let fault = try Self.firstFault(run, earlier: earlier)
      #expect(fault == nil)
    }

    /// Ways to damage a recording. The test must detect each of them.
    enum Spoiling: String, CaseIterable, CustomTestStringConvertible {
      case noDataFlush, noDirectoryFlush, noParentFlush, noLogFlush, renameBeforeData

      var testDescription: String { rawValue }

      func spoil(_ calls: inout [Recording.Call]) {
        func isTemporary(_ path: String) -> Bool { path.hasPrefix("snapshots/.tmp/tmp-") }
        switch self {
        case .noDataFlush:
          calls.removeAll { if case .flush(let path) = $0 { isTemporary(path) } else { false } }
        case .noDirectoryFlush: calls.removeAll { $0 == .flush("snapshots") }
        case .noLogFlush: calls.removeAll { $0 == .flush(".cachesync/sessions") }
        case .noParentFlush: calls.removeAll { $0 == .flush("") }
        case .renameBeforeData:
          for call in calls {
            guard case .rename(let old, let new) = call, isTemporary(old),
              let created = calls.firstIndex(of: .create(old)), let renamed = calls.firstIndex(of: call)
            else { continue }
            calls.remove(at: renamed)
            for index in created..<renamed {
              switch calls[index] {
              case .write(old, let offset, let bytes): calls[index] = .write(new, at: offset, bytes)
              case .flush(old): calls[index] = .flush(new)
              default: break
              }
            }
            calls.insert(call, at: created + 1)
          }
        }
      }
    }

    @Test(
      "A missing flush, and a rename before its data, are detected", .needsTracing, arguments: Spoiling.allCases)
    func spoiled(_ spoiling: Spoiling) throws {
      var run = try Self.recordedSync(after: .nothing)
      #expect(try Self.firstFault(run, earlier: .nothing) == nil)
      let before = run.recording.calls
      spoiling.spoil(&run.recording.calls)
      #expect(run.recording.calls != before)
      #expect(try Self.firstFault(run, earlier: .nothing) != nil)
    }

    @Test("A sync repairs the result of a power loss, and last good versions survive it", .needsTracing)
    func repaired() throws {
      let run = try Self.recordedSync(after: .flushed)
      let expected = try run.cache.freshlySynced()
      var states: [(tree: [String: [UInt8]], isOver: Bool)] = []
      try run.forEachState { states.append(($0, $1)) }
      var random = SeededGenerator(state: run.seed)
      let chosen =
        states.filter { !$0.isOver }.shuffled(using: &random).prefix(8)
        + states.suffix(60).shuffled(using: &random).prefix(4)
      for (tree, isOver) in chosen {
        let cache = try TestCache()
        for (path, bytes) in tree {
          try cache.makeDirectory(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
          try TestCache.put(cache.at(path), bytes)
        }
        try Self.run(Self.sync(cache), in: cache)
        #expect(try cache.comparable() == expected)
        #expect(try cache.manifestIsCorrect())
        #expect(cache.temporaries.isEmpty)
        guard isOver else { continue }
        try cache.drop("tasks/a.json", "{")
        try Self.run(Self.sync(cache), in: cache)
        #expect(try cache.firstTitle() == "after")
      }
    }

    @Test(
      "Files from drop, intent and feed new are whole at any moment, and exist once the command has ended",
      .needsTracing,
      arguments: [
        ["drop", "tasks", "SAMPLE", "--name", "a"], ["drop", "health", "SAMPLE", "--name", "a"],
        ["intent", "add-task", "title=Milk", "id=i"], ["feed", "new", "bins"],
      ])
    func dropped(_ arguments: [String]) throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let feed = arguments[1]
      let sample = cache.path + ".sample"
      try TestCache.put(
        sample, Array((feed == "health" ? Sessions.session(of: feed, 1) : Sessions.task(1, "after")).utf8))
      let run = try Run(cache, arguments.map { $0 == "SAMPLE" ? sample : $0 })
      let after = try Self.tree(of: cache)
      var isSafe = true
      try run.forEachState { state, isOver in
        let files = state.filter { !$0.key.contains("/.cachesync-") }
        if files != after, isOver || files != run.before { isSafe = false }
      }
      #expect(isSafe)
      var spoiled = run
      spoiled.recording.calls.removeAll { if case .flush = $0 { true } else { false } }
      #expect(spoiled.recording.calls.count >= run.recording.calls.count - 3)
      var isFound = false
      try spoiled.forEachState { state, isOver in if isOver, state != after { isFound = true } }
      #expect(isFound)
    }
  }
}

extension Faults.PowerLoss.Run {
  /// The same run on another tree.
  init(_ run: Self, before: [String: [UInt8]]) {
    cache = run.cache
    directories = run.directories
    recording = run.recording
    self.before = before
  }
}
