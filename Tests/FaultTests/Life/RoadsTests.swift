import CacheSync
import Glibc
import Testing

extension Faults {
  /// Locks do not pass bindfs, overlay and some other mounts.
  @Suite("Two roads to one cache") struct Roads {
    @Test(
      "A second agent or sync by another road ends with 75 and names the first; after its end it may start", .needsFUSE,
      arguments: [true, false])
    func second(isFirstBehind: Bool) throws {
      let behind = try TestCache()
      let mount = try TestCache()
      try ChildProcess.shell("bindfs '\(behind.path)' '\(mount.path)'")
      try refusal(behind, mount, isFirstBehind: isFirstBehind)
    }

    @Test(
      "An agent on overlay, which hears nothing of its upper directory, refuses a second one there too", .needsOverlay,
      arguments: [true, false])
    func overlay(isFirstBehind: Bool) throws {
      let upper = try TestCache()
      let mount = try TestCache()
      try mount.mountOverlay(over: upper)
      try refusal(upper, mount, isFirstBehind: isFirstBehind)
    }

    private func refusal(_ behind: TestCache, _ mount: TestCache, isFirstBehind: Bool) throws {
      let (first, second) = isFirstBehind ? (behind, mount) : (mount, behind)
      try first.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(first)
      for command in ["run", "sync"] {
        let other = try ChildProcess.run(Machine.agent, command, "--cache", second.path)
        #expect(other.status == 75, "\(other)")
        #expect(other.error.contains("another agent (process \(agent.process.pid) on "), "\(other.error)")
        #expect(other.error.contains(", at \(first.path)) holds \(second.path): stop it first"), "\(other.error)")
      }
      try first.drop("tasks/b.json", Sessions.task(2))
      try until("the first goes on") { try behind.taskCount() == 2 }
      // The first is killed, so its token stays; on this machine it is known to be dead.
      try agent.stop(SIGKILL)
      let generation = try #require(try behind.generation())
      let next = try Agent(second)
      #expect(try next.settled() >= generation)
      try next.stop()
      #expect(access(behind.at(".cachesync/holder"), F_OK) != 0)
    }

    @Test("A holder whose token another one replaced gives way, and says who has the cache")
    func replaced() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache)
      let token = #"{"holder":"agent","host":"elsewhere","id":"x","path":"/mnt/road","process":7}"#
      try cache.drop(".cachesync/holder", token)
      utimensat(AT_FDCWD, cache.at(".cachesync"), nil, 0)
      try until("it gives way") {
        agent.process.error.contains("another agent (process 7 on elsewhere, at /mnt/road) holds \(cache.path)")
      }
    }
  }
}
