import CacheSync
import Foundation
import Glibc
import Testing

extension Faults {
  @Suite("Random operations") struct Operations {
    /// Two at a time, so that both end within half a minute.
    @Test(
      "After random operations outputs are those of a fresh sync, every directory is watched, and the agent is idle",
      .timeLimit(.minutes(10)), arguments: [[], ["sh", "-c", "ulimit -n 64; exec \"$@\"", "sh"]])
    func randomOperations(prefix: [String]) throws {
      let seed = setting("FAULTS_SEED", or: UInt64.random(in: 1...999_999))
      let seconds = Double(setting("FAULTS_SECONDS", or: 20))
      let rounds = Int(setting("FAULTS_ROUNDS", or: 1_000_000))
      let cache = try TestCache()
      let agent = try Agent(cache, prefix: prefix)
      var operations = RandomOperations(cache, seed: seed)
      let start = secondsNow()
      var round = 0
      while round < rounds, secondsNow() - start < seconds {
        round += 1
        let again = "FAULTS_SEED=\(seed) FAULTS_ROUNDS=\(round) make test-faults FAULTS=randomOperations"
        do {
          if operations.chance(25) { operations.roundWithDroppedEvents(of: agent) } else { operations.round() }
          try expectSameAsFresh(cache, agent)
          try expectEvents(cache, agent)
          try expectRest(agent)
        } catch {
          Issue.record("after round \(round): \(error). Again: \(again)\n\(agent.process.error)")
          return
        }
      }
      print("random operations: seed \(seed), \(round) rounds, \(operations.count) operations")
      #expect(!agent.process.error.contains("Too many open files"), "\(agent.process.error)")
      #expect(round < 5 || Set(operations.feedsTouched) == Set(Sessions.feeds))
    }

    /// Compares for a while, because last good versions may be saved a second after the publication, and a session may
    /// become stale between two comparisons. If no session can, the final outputs must be those at the agent's reply to
    /// `wait`.
    private func expectSameAsFresh(_ cache: TestCache, _ agent: Agent) throws {
      // The agent does not touch a deleted cache for 2 s.
      try agent.untilItServes()
      let atReply = try cache.comparable()
      let settings = TestCache.read(cache.at("cachesync.json")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let end = secondsNow() + 6
      // On a busy machine one comparison may take longer than that.
      var comparisons = 0
      while true {
        comparisons += 1
        // The test reads the outputs twice, because the fresh ones must be of the same moment.
        let before = try cache.comparable()
        let expected = try cache.syncedWithLastGood()
        let found = try cache.comparable()
        let differing = Self.differing(found, expected)
        let isTrue = try cache.manifestIsCorrect()
        if before == found, differing.isEmpty, isTrue {
          if settings.contains("staleAfter") || found == atReply { return }
          throw TestFailure("not published when wait returned: \(Self.differences(atReply, found))")
        }
        if secondsNow() < end || comparisons < 4 {
          usleep(200_000)
          continue
        }
        throw TestFailure(
          "not as from a fresh sync: \(Self.differences(found, expected)); the manifest is true: \(isTrue)")
      }
    }

    private static func differences(_ found: TextMap<JSONValue>, _ expected: TextMap<JSONValue>) -> String {
      differing(found, expected).map { "\($0): \(difference(found[$0], expected[$0]))" }.joined(separator: "\n")
    }

    private static func differing(_ found: TextMap<JSONValue>, _ expected: TextMap<JSONValue>) -> [String] {
      Set(found.keys).union(expected.keys).filter { name in
        // A kind whose feed lost its last file stays as `empty`, and a fresh sync may not have it. The manifest's list
        // of files follows from that, so `manifestIsCorrect` compares the manifest with the files instead.
        if name == "manifest.json" { return false }
        if expected[name] == nil { return found[name]?["entries"]?[0]?["state"]?.string != "empty" }
        return found[name] != expected[name]
      }.sorted()
    }

    /// The first members that differ, as a readable text.
    private static func difference(_ a: JSONValue?, _ b: JSONValue?) -> String {
      guard let a = a?.object, let b = b?.object else {
        return "\(a == nil ? "missing" : "there"), \(b == nil ? "unexpected" : "expected")"
      }
      return Set(a.keys).union(b.keys).sorted().filter { a[$0] != b[$0] }.map {
        "\($0): \("\(a[$0] ?? .null)".prefix(600)) for \("\(b[$0] ?? .null)".prefix(600))"
      }.joined(separator: "; ")
    }

    /// Checks that events arrive: a bad file in every directory of sessions becomes a problem, which ends when the file
    /// is removed.
    private func expectEvents(_ cache: TestCache, _ agent: Agent) throws {
      let directories = cache.sessionDirectories()
      let probes = Set(directories.map { "\($0)/probe.json" })
      for probe in probes { try cache.write(probe, "{") }
      try expectProbes(probes, agent, directories.count)
      for probe in probes { cache.remove(probe) }
      try expectProbes([], agent, directories.count)
    }

    private func expectProbes(_ probes: Set<String>, _ agent: Agent, _ directoryCount: Int) throws {
      try agent.wait()
      var status = try agent.status()
      // If a disk is slow for a moment, the agent reports only that.
      try until("the disk answers") {
        if status.messages.contains(where: { $0.contains("does not answer") }) { status = try agent.status() }
        return !status.messages.contains { $0.contains("does not answer") }
      }
      let watches = "\(status.value["watches"]?.int ?? -1) watches for \(directoryCount) directories"
      let problems = Self.probes(in: status)
      guard problems == probes else {
        // Whether the events are late, or an event or a watch is missing.
        sleep(2)
        let later = Self.probes(in: try agent.status())
        throw TestFailure(
          """
          not heard: \(probes.subtracting(problems)), 2 s later: \(probes.subtracting(later)); \
          kept: \(problems.subtracting(probes)), 2 s later: \(later.subtracting(probes)); \(watches)
          """)
      }
      guard status.polled.isEmpty else { throw TestFailure("polled: \(status.polled)") }
      // And one for the cache itself.
      guard status.value["watches"]?.int == directoryCount + 1 else { throw TestFailure(watches) }
    }

    private static func probes(in status: Agent.Status) -> Set<String> {
      Set((status.value["problems"]?.array ?? []).compactMap { $0["path"]?.string })
        .filter { $0.hasSuffix("/probe.json") }
    }

    /// Within some seconds there must be one in which the agent's threads did not run. In others a session may become
    /// stale.
    private func expectRest(_ agent: Agent) throws {
      for _ in 0..<6 {
        let before = agent.processorTicks
        sleep(1)
        if agent.processorTicks - before <= 1 { return }
      }
      throw TestFailure("the agent does not rest")
    }
  }
}

extension Agent {
  /// Processor time in the kernel's ticks, usually of 10 ms (proc_pid_stat(5)).
  fileprivate var processorTicks: Int {
    let text = TestCache.read("/proc/\(process.pid)/stat").map { String(decoding: $0, as: UTF8.self) } ?? ""
    // The fields after the name: state, and ten others before the 14th and 15th fields.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
  }
}

extension TestCache {
  /// The directories of session files, without following links.
  fileprivate func sessionDirectories() -> [String] {
    var found: [String] = []
    var waiting = ["meal-plan", "widget-data"] + Sessions.feeds.map { Sessions.directory(of: $0) }
    while let directory = waiting.popLast() {
      var about = stat()
      guard lstat(at(directory), &about) == 0, about.st_mode & S_IFMT == S_IFDIR else { continue }
      found.append(directory)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: at(directory))) ?? []
      waiting += names.filter { !$0.contains(".") }.map { "\(directory)/\($0)" }
    }
    return found
  }

  /// The outputs of a fresh `sync` of the same session files and last good versions.
  fileprivate func syncedWithLastGood() throws -> TextMap<JSONValue> {
    let other = try TestCache()
    try ChildProcess.shell(
      """
      cd '\(path)' && tar cf - --format=posix --exclude=./snapshots --exclude=./.cachesync/lock \
      --exclude=./.cachesync/socket --exclude='./.cachesync/tmp*' . | tar xpf - -C '\(other.path)'
      """)
    try other.sync()
    return try other.comparable()
  }
}
