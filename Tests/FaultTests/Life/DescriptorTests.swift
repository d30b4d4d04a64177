import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Few descriptors", .needs("python3")) struct FewDescriptors {
    /// The beginning of a command that limits the number of descriptors, and passes on only the first three.
    private func limit(_ count: Int) -> [String] {
      let program = """
        import os, resource, sys
        os.closerange(3, 4096)
        resource.setrlimit(resource.RLIMIT_NOFILE, (\(count), \(count)))
        os.execv(sys.argv[1], sys.argv[1:])
        """
      return ["python3", "-c", program]
    }

    @Test(
      "With a directory of ten caches that come and go, the agent does not spin or end, and serves as many as it can",
      arguments: [26, 30, 34, 40])
    func cachesComeAndGo(_ count: Int) throws {
      let parent = try TestCache()
      let names = (0..<10).map { "c\($0)" }
      let (caches, away) = (parent.at("caches"), parent.at("away"))
      func served(_ title: String) -> Int {
        names.count { name in
          guard let bytes = TestCache.read("\(caches)/\(name)/snapshots/todays-tasks.json") else { return false }
          let value = JSONValue.parse(text: String(decoding: bytes, as: UTF8.self))
          return value["entries"]?[0]?["content"]?["tasks"]?[0]?["title"]?.string == title
        }
      }
      func makeCaches(_ title: String) throws {
        for name in names { try parent.drop("caches/\(name)/tasks/a.json", Sessions.task(1, title)) }
      }
      try makeCaches("first")
      let agent = try ChildProcess(
        limit(count) + [Machine.agent, "run", "--caches-in", caches, "--time-zone", Machine.zone])
      func expectIdle(_ what: String) throws {
        let used = agent.processorSecondsInOne()
        #expect(used < 0.3, "\(what): \(used) s of the processor in a second")
        #expect(agent.isRunning, "\(what): \(agent.error)")
      }
      try until("one is served") { served("first") >= 1 }
      try expectIdle("at the start")
      let room = served("first")
      try ChildProcess.shell("rm -rf '\(caches)'")
      try expectIdle("without the directory")
      try makeCaches("second")
      try until("as many are served as before") { served("second") >= room }
      #expect(rename(caches, away) == 0)
      try expectIdle("with the directory moved away")
      try makeCaches("third")
      try until("as many are served in a new one") { served("third") >= room }
      try expectIdle("at the end")
      agent.signal(SIGTERM)
      // The exit status says that the agent could not serve some caches at the start. It is not the status of a crash.
      #expect(try agent.wait() < 128, "\(agent.error)")
    }

    @Test("If connections use up all descriptors, the agent does not spin, and answers once they are closed")
    func connectionFlood() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache, prefix: limit(64))
      for _ in 0..<2 {
        var clients: [Int32] = []
        defer { for client in clients { close(client) } }
        try until("no descriptor is left") {
          clients += (0..<5).map { _ in connection(to: cache.at(".cachesync/socket")) }
          return agent.resources.descriptors >= 64
        }
        let used = agent.process.processorSecondsInOne()
        #expect(used < 0.3, "\(used) s of the processor in a second")
      }
      try agent.settled()
      try cache.drop("tasks/b.json", Sessions.task(2))
      try until("it goes on") { try cache.taskCount() == 2 }
      #expect(try agent.status().code == 0)
    }

    /// Connects a client that sends nothing. The socket does not block, so the test never waits for space in the listen
    /// queue.
    private func connection(to path: String) -> Int32 {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(descriptor, $0, size) }
      }
      return descriptor
    }
  }
}
