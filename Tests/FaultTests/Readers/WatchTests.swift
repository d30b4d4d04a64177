import CacheSync
import Foundation
import Glibc
import Testing

extension Faults {
  @Suite("watch", .timeLimit(.minutes(10))) struct Watch {
    let cache: TestCache

    init() throws {
      cache = try TestCache()
      try cache.makeDirectory("snapshots")
    }

    /// The command, and the reading end of its standard output. Only tests read from it.
    final class Watcher {
      let process: ChildProcess
      private var output: Int32
      private var received: [UInt8] = []

      /// - Parameter script: Python that makes standard output non-blocking and then becomes the program.
      init(_ cache: TestCache, prefix: [String] = [], through script: String? = nil) throws {
        let pipe = cache.path + ".pipe"
        guard mkfifo(pipe, 0o600) == 0 else { throw TestFailure("no pipe \(pipe)") }
        output = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let shell = ["/bin/sh", "-c", #"out=$0; exec "$@" > "$out""#, pipe]
        let python = script.map { ["python3", "-c", $0] } ?? []
        process = try ChildProcess(prefix + shell + python + [Machine.agent, "watch", "--cache", cache.path])
      }

      deinit { goAway() }

      func goAway() {
        if output >= 0 { close(output) }
        output = -1
      }

      /// Whether there are bytes in the pipe.
      var hasWritten: Bool {
        var count: Int32 = 0
        return ioctl(output, UInt(FIONREAD), &count) == 0 && count > 0
      }

      /// The complete lines that have arrived so far, as snapshots.
      func lines() throws -> [Snapshot] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = read(output, &buffer, buffer.count)
          if count <= 0 { break }
          received += buffer[..<count]
        }
        return try received.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map {
          try Snapshot(bytes: Array($0) + [UInt8(ascii: "\n")])
        }
      }

      var residentKilobytes: Int {
        let text = (try? String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
      }
    }

    /// Publishes by a rename, as an agent does. A snapshot of 100 kB is more than a pipe holds.
    private func publish(_ kind: String, _ generation: Int, of size: Int = 100_000) throws {
      let text = String(repeating: "x", count: size)
      try cache.drop(
        "snapshots/\(kind).json",
        #"{"deepLink":"brados://mealplan","entries":[{"content":{"text":"\#(text)"},"date":"2026-11-21T05:00:00Z","#
          + #""state":"current"}],"generation":\#(generation),"kind":"\#(kind)","#
          + #""publishedAt":"2026-11-21T14:03:22Z","timeZone":"UTC","widgetKind":"MealPlanWidget"}"# + "\n")
    }

    /// Publishes until the command has filled the pipe and waits for the reader. Then it is listening.
    private func publishUntilWritten(_ watcher: Watcher) throws -> Int {
      var generation = 0
      try until("it writes") {
        generation += 1
        try publish("meal-plan", generation)
        return watcher.hasWritten
      }
      return generation
    }

    @Test("A reader that does not read causes no memory growth, and gets the newest of each kind when it reads again")
    func readerThatDoesNotRead() throws {
      let watcher = try Watcher(cache)
      var generation = try publishUntilWritten(watcher)
      func publishBoth(_ count: Int) throws {
        for _ in 0..<count {
          generation += 1
          try publish("meal-plan", generation)
          try publish("task-count", generation)
        }
      }
      try publishBoth(50)
      let before = watcher.residentKilobytes
      try publishBoth(300)
      // A command that kept all 600 snapshots would use 60 MB.
      #expect(watcher.residentKilobytes - before < 16 * 1024)
      try until("the newest of each kind has come") {
        let newest = try watcher.lines().filter { $0.generation == generation }.map(\.kind)
        return Set(newest) == ["meal-plan", "task-count"]
      }
      // The line that the command was writing, and each kind once. There may be a few more, because it goes on while
      // the test reads.
      #expect(try watcher.lines().count < 10)
    }

    @Test("SIGTERM and SIGINT end the command while its reader does not read", arguments: [SIGTERM, SIGINT])
    func signals(_ signal: Int32) throws {
      let watcher = try Watcher(cache)
      _ = try publishUntilWritten(watcher)
      watcher.process.signal(signal)
      #expect(try watcher.process.wait() == 128 + signal)
    }

    @Test("The command waits for the reader even if standard output is non-blocking", .needs("python3"))
    func outputThatDoesNotBlock() throws {
      let unblock = "import os, sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])"
      let watcher = try Watcher(cache, through: unblock)
      let generation = try publishUntilWritten(watcher)
      try publish("meal-plan", generation + 1)
      try until("the newest has come") { try watcher.lines().last?.generation == generation + 1 }
    }

    @Test("If the reader goes away during a write, the command ends with 0")
    func readerThatGoesAway() throws {
      let watcher = try Watcher(cache)
      _ = try publishUntilWritten(watcher)
      watcher.goAway()
      #expect(try watcher.process.wait() == 0)
      #expect(watcher.process.error.isEmpty)
    }

    /// Nothing reports when the command listens. So the test publishes at the pace of its polling, until a snapshot
    /// shows.
    private func expectUpdate(_ watcher: Watcher, from first: Int) throws -> Int {
      var generation = first
      var next = 0.0
      try until("it tells of \(first) or later") {
        if secondsNow() >= next {
          generation += 1
          try publish("meal-plan", generation, of: 10)
          next = secondsNow() + 3
        }
        return try watcher.lines().contains { $0.generation > first }
      }
      return generation
    }

    @Test(
      "Without an inotify instance or a watch, the command polls, and uses events once it can",
      .needsNamespaces, arguments: [WatchLimits.Limit.instances, .watches])
    func limits(_ limit: WatchLimits.Limit) throws {
      let limits = try WatchLimits(cache)
      try limits.set(limit, 0)
      let watcher = try Watcher(cache, prefix: limits.prefix)
      let generation = try expectUpdate(watcher, from: 0)
      try limits.set(limit, 1000)
      try until("it watches") { Self.watchCount(of: watcher.process.pid) == 2 }
      _ = try expectUpdate(watcher, from: generation)
    }

    /// How many watches its inotify instances have (proc(5), fdinfo).
    private static func watchCount(of process: pid_t) -> Int {
      let directory = "/proc/\(process)/fdinfo"
      let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      return files.reduce(0) { count, file in
        let text = (try? String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)) ?? ""
        return count + text.split(separator: "\n").filter { $0.hasPrefix("inotify wd:") }.count
      }
    }

    @Test("On a file system without events the command polls", .needsFUSE)
    func fileSystemWithoutEvents() throws {
      let front = try TestCache()
      try ChildProcess.shell("bindfs '\(cache.path)' '\(front.path)'")
      let watcher = try Watcher(front)
      _ = try expectUpdate(watcher, from: 0)
      watcher.process.signal(SIGTERM)
      try watcher.process.wait()
    }
  }
}
