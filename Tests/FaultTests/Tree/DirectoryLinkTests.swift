import CacheSync
import Foundation
import Glibc
import Testing

extension Faults {
  @Suite("Links that replace directories") struct DirectoryLinks {
    /// How the link replaces the directory, and is removed again.
    enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
      case moved = "mv and ln"
      case exchanged = "rename-exchange"
      case whileStopped = "while the agent is stopped"

      var testDescription: String { rawValue }
    }

    @Test(
      "When a directory becomes a link and back, the outputs are those of a fresh sync, and no thread spins",
      .needs("python3"),
      arguments: ["tasks", "tasks/deeper"], Way.allCases)
    func directoryBecomesLink(_ place: String, _ way: Way) throws {
      let cache = try TestCache()
      let (outside, aside) = (cache.path + ".outside", cache.at("aside~"))
      try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
      try TestCache.put(outside + "/secret.json", Array(Sessions.task(9, "from outside").utf8))
      // This file keeps the feed present without its directory, also for a fresh `sync`.
      try cache.drop("cachedTasks.json", Sessions.task(1))
      try cache.drop("\(place)/a.json", Sessions.task(2))
      try cache.drop("\(place)/below/b.json", Sessions.task(3))
      try cache.drop("events/inside/c.json", Sessions.session(of: "events", 4))
      var agent = try Agent(cache)
      let name = place.split(separator: "/").last.map(String.init) ?? place
      let inside = place == "tasks" ? "events/inside" : "../events/inside"

      func exchange() throws {
        let (here, there) = (cache.at(place), aside)
        switch way {
        case .moved, .whileStopped:
          try ChildProcess.shell(
            "cd '\(cache.path)' && mv -T '\(here)' x~ && mv -T '\(there)' '\(here)' && mv -T x~ '\(there)'")
        case .exchanged:
          try ChildProcess.shell(
            "python3 -c 'import ctypes, sys; libc = ctypes.CDLL(None); "
              + "exit(libc.renameat2(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2))' '\(here)' '\(there)'")
        }
      }
      func change() throws {
        guard way == .whileStopped else { return try exchange() }
        try agent.stop()
        try exchange()
        agent = try Agent(cache)
      }
      func expectAsFresh(_ what: String) throws {
        try agent.settled()
        #expect(try cache.comparable() == cache.freshlySynced(), "\(what)")
      }

      for (number, target) in [outside, inside, name, "nothing"].enumerated() {
        #expect(symlink(target, aside) == 0)
        try change()
        try expectAsFresh("a link to \(target)")
        #expect(try cache.taskCount() == 1)
        // How the link was created makes no difference to a busy loop, so the test measures it once.
        let used = way == .moved ? agent.process.processorSecondsInOne() : 0
        #expect(used < 0.1, "\(used) s of the processor in a second, for a link to \(target)")
        let status = try agent.status()
        let paths = (status.value["problems"]?.array ?? []).compactMap { $0["path"]?.string }
        #expect(paths == [place], "a link to \(target): \(status.messages)")
        // An agent that followed the link to the inside would get an event of this file through it.
        try cache.drop("events/inside/c.json", Sessions.session(of: "events", 5 + number))
        try TestCache.put(outside + "/later.json", Array(Sessions.task(8, "from outside").utf8))
        try expectAsFresh("a file behind a link to \(target)")
        #expect(try cache.taskCount() == 1)

        try change()
        #expect(unlink(aside) == 0)
        try expectAsFresh("the directory after a link to \(target)")
        #expect(try cache.taskCount() == 3)
        try cache.drop("\(place)/below/heard.json", Sessions.task(6))
        try until("it is heard again") { try cache.taskCount() == 4 }
        cache.remove("\(place)/below/heard.json")
        try until("and its end") { try cache.taskCount() == 3 }
      }
    }
  }
}
