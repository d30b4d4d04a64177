import CacheSync
import Foundation
import Glibc
import Testing

extension Faults {
  @Suite("Tree") struct Tree {
    @Test(
      "A directory that is renamed while the agent walks into it is watched only under its new name", .needsTracing)
    func renamedDuringWalk() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      // strace delays the walk between opening a directory and watching it.
      let log = cache.path + ".strace"
      let agent = try Agent(
        cache,
        prefix: [
          "strace", "-D", "-f", "-qq", "-o", log, "-e", "signal=none", "-e", "trace=openat2,fstatfs", "-e",
          "inject=fstatfs:delay_enter=400000",
        ])
      try cache.makeDirectory("tasks/x")
      try until("the walk is in the directory") {
        String(decoding: TestCache.read(log) ?? [], as: UTF8.self).contains("\"tasks/x\"")
      }
      #expect(rename(cache.at("tasks/x"), cache.at("tasks/y")) == 0)
      try until("the cache, tasks and tasks/y are watched") { try agent.status().value["watches"]?.int == 3 }
      try cache.drop("tasks/y/b.json", Sessions.task(2))
      try until("what is dropped there shows") { try cache.taskCount() == 2 }
      #expect(try agent.status().value["watches"]?.int == 3)
    }

    @Test(
      "A cache that is deleted and created again 20 times is followed, with greater generations",
      .timeLimit(.minutes(10)))
    func deletedAndCreatedAgain() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "first"))
      let agent = try Agent(cache)
      var generation = try agent.settled()
      for round in 1...20 {
        try cache.delete()
        // The test waits to see that the agent restores nothing, for longer than the half second in which the agent
        // does not touch a directory that is being deleted.
        if round % 3 == 1 { usleep(700_000) }
        #expect(!cache.has("."), "nothing comes back by itself")
        #expect(mkdir(cache.path, 0o755) == 0)
        try cache.drop("tasks/a.json", Sessions.task(1, "round \(round)"))
        try until("round \(round) is published") { try cache.firstTitle() == "round \(round)" }
        let next = try agent.settled()
        #expect(next > generation)
        generation = next
      }
      #expect(try cache.manifestIsCorrect())
    }

    @Test("A large cache can be deleted while the agent runs")
    func largeCacheDeleted() throws {
      let cache = try TestCache()
      for number in 0..<300 { try cache.drop("tasks/\(number % 30)/\(number).json", Sessions.task(number)) }
      let agent = try Agent(cache)
      try agent.settled()
      try cache.delete()
      #expect(!cache.has("."))
      #expect(try agent.ask("status").status == 66)
      #expect(agent.process.isRunning)
    }

    private func state(of directory: String) throws -> String {
      try ChildProcess.shell("cd '\(directory)' && find . -type f -printf '%p %T@ %i %s\\n' | sort && cat snapshots/*")
    }

    @Test("A cache that is renamed away keeps its snapshots, and one that replaces it is followed")
    func renamedAway() throws {
      let cache = try TestCache()
      let away = cache.path + ".away"
      try cache.drop("tasks/a.json", Sessions.task(1, "old"))
      let agent = try Agent(cache)
      let generation = try agent.settled()
      // The last good versions may be a second late. Then nothing more is written.
      try until("the last good versions are kept") { cache.hasLastGood }
      let before = try state(of: cache.path)
      #expect(rename(cache.path, away) == 0 && mkdir(cache.path, 0o755) == 0)
      try cache.drop("tasks/a.json", Sessions.task(1, "new"))
      try until("the new one is followed") { try cache.firstTitle() == "new" }
      #expect(try agent.settled() > generation)
      try TestCache.put(away + "/tasks/a.json", Array(Sessions.task(1, "old").utf8))
      try agent.settled()
      #expect(
        try state(of: away).split(separator: "\n").filter { !$0.contains("tasks/") }
          == before.split(separator: "\n").filter { !$0.contains("tasks/") })
      // And back again.
      #expect(rename(cache.path, cache.path + ".second") == 0 && rename(away, cache.path) == 0)
      try until("the first one is followed again") { try (cache.generation() ?? 0) > generation + 1 }
      #expect(try cache.firstTitle() == "old")
    }

    @Test("A link that replaces the cache is refused until there is a directory again")
    func replacedByLink() throws {
      let cache = try TestCache()
      let elsewhere = cache.path + ".elsewhere"
      try cache.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache)
      let generation = try agent.settled()
      #expect(rename(cache.path, cache.path + ".away") == 0)
      try FileManager.default.createDirectory(atPath: elsewhere + "/tasks", withIntermediateDirectories: true)
      try TestCache.put(elsewhere + "/tasks/a.json", Array(Sessions.task(9).utf8))
      #expect(symlink(elsewhere, cache.path) == 0)
      try until("the agent says so") { agent.process.error.contains("is not a directory") }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: elsewhere) == ["tasks"], "nothing is written through it")
      #expect(unlink(cache.path) == 0 && mkdir(cache.path, 0o755) == 0)
      try cache.drop("tasks/a.json", Sessions.task(2))
      try until("the directory is followed") { try cache.firstTitle() == "t2" }
      #expect(try agent.settled() > generation)
    }

    @Test(
      "An unmounted cache keeps its snapshots, and is followed when it is mounted again",
      .needsLoopDevices)
    func unmounted() throws {
      let cache = try TestCache()
      try cache.mountDisk()
      try cache.drop("tasks/a.json", Sessions.task(1, "on the disk"))
      let agent = try Agent(cache)
      let generation = try agent.settled()
      let before = cache.outputs()
      try cache.unmount()
      // The empty mount point is a directory in place of the cache.
      try cache.drop("tasks/b.json", Sessions.task(2, "below"))
      try until("the mount point is followed") { try cache.firstTitle() == "below" }
      let second = try agent.settled()
      #expect(second > generation)
      let image = cache.path + ".img"
      let aside = try TestCache()
      try ChildProcess.shell("mount -o loop '\(image)' '\(aside.path)'")
      #expect(aside.outputs() == before, "the disk keeps its snapshots as they were")
      try aside.unmount()
      try until("the disk is free again") {
        try ChildProcess.run("/bin/sh", "-c", "losetup -j '\(image)' | grep -q .").status != 0
      }
      try cache.mountDiskAgain()
      try until("it is followed, with a greater generation") { try (cache.generation() ?? 0) > second }
      try cache.drop("tasks/a.json", Sessions.task(1, "again"))
      try until("the disk is followed again") { try cache.firstTitle() == "again" }
      #expect(try agent.settled() > second)
      try agent.stop()
    }

    @Test(
      "When directories are created deep and filled at once, moved in, renamed and moved out, nothing is missed or kept"
    )
    func directories() throws {
      let cache = try TestCache()
      let agent = try Agent(cache)
      try ChildProcess.shell(
        """
        cd '\(cache.path)'; for i in $(seq 1000); do mkdir -p tasks/$i/b/c && \
        echo '[{"id":'$i',"title":"x","completed":false,"createdAt":"2026-11-01T00:00:00Z"}]' > tasks/$i/b/c/x.json; done
        """)
      try agent.settled()
      #expect(try cache.taskCount() == 1000)
      let outside = cache.path + ".outside"
      try FileManager.default.createDirectory(atPath: outside + "/in/m", withIntermediateDirectories: true)
      for number in 0..<50 {
        try TestCache.put("\(outside)/in/m/\(number).json", Array(Sessions.task(2000 + number).utf8))
      }
      #expect(rename(outside + "/in", cache.at("tasks/in")) == 0)
      try agent.settled()
      #expect(try cache.taskCount() == 1050)
      #expect(rename(cache.at("tasks/in"), cache.at("tasks/renamed")) == 0)
      try agent.settled()
      #expect(try cache.taskCount() == 1050)
      try cache.drop("tasks/renamed/m/more.json", Sessions.task(3000))
      try agent.settled()
      #expect(try cache.taskCount() == 1051, "a renamed directory is still heard")
      #expect(rename(cache.at("tasks/renamed"), outside + "/out") == 0)
      try agent.settled()
      #expect(try cache.taskCount() == 1000)
      #expect(rename(cache.at("tasks"), outside + "/tasks") == 0)
      try agent.settled()
      #expect(try cache.taskCount() == 0)
      #expect(rename(outside + "/tasks", cache.at("tasks")) == 0)
      try agent.settled()
      #expect(try cache.taskCount() == 1000)
      try cache.drop("tasks/500/b/c/y.json", Sessions.task(4000))
      try agent.settled()
      #expect(try cache.taskCount() == 1001)
    }

    @Test("3,000 files renamed at once are published within seconds")
    func manyRenames() throws {
      let cache = try TestCache()
      try cache.makeDirectory("tasks")
      for number in 0..<3_000 { try cache.write("tasks/a\(number).json", Sessions.task(number)) }
      let agent = try Agent(cache)
      for number in 0..<3_000 { rename(cache.at("tasks/a\(number).json"), cache.at("tasks/b\(number).json")) }
      try agent.settled(seconds: 60)
      #expect(try cache.taskCount() == 3_000)
      try ChildProcess.shell("rm -rf '\(cache.path)/tasks'")
      try agent.settled(seconds: 60)
      #expect(try cache.taskCount() == 0)
    }

    @Test("After a start during churn, every directory is watched")
    func startUnderChurn() throws {
      let cache = try TestCache()
      try cache.makeDirectory("tasks")
      let churn = Churn { round in
        let directory = "tasks/\(round % 50)"
        try? cache.drop("\(directory)/in/a.json", Sessions.task(round % 50))
        if round % 3 == 0 { _ = try? FileManager.default.removeItem(atPath: cache.at("tasks/\((round + 25) % 50)")) }
      }
      for _ in 0..<5 {
        let agent = try Agent(cache)
        try agent.stop()
      }
      let agent = try Agent(cache)
      churn.end()
      try agent.settled()
      #expect(try cache.comparable() == cache.freshlySynced())
      let directories = try ChildProcess.shell("cd '\(cache.path)' && find . tasks -mindepth 1 -type d -path '*tasks*'")
      let paths = Set(
        directories.split(separator: "\n").map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : String($0) })
      #expect(try agent.status().value["watches"]?.int == paths.count + 1)
      var expected = try cache.taskCount() ?? 0
      for (index, path) in paths.sorted().enumerated() {
        try cache.drop("\(path)/probe.json", Sessions.task(10_000 + index))
        expected += 1
      }
      try agent.settled()
      #expect(try cache.taskCount() == expected)
    }

    /// The ways in which programs save files, as shell commands on `$old` with the new text in `$new`.
    static let waysToSave = [
      "in place": "cat \"$new\" > \"$old\"",
      "write and rename": "cp \"$new\" \"$old.tmp\" && mv \"$old.tmp\" \"$old\"",
      "sed -i": "sed -i s/before/after/ \"$old\"",
      "cp": "cp \"$new\" \"$old\"",
      "mv over": "cp \"$new\" ./outside.json.tmp && mv ./outside.json.tmp \"$old\"",
      "backup by rename": "mv \"$old\" \"$old~\" && cp \"$new\" \"$old\"",
      "hard link": "cp \"$new\" \"$old.tmp\" && rm \"$old\" && ln \"$old.tmp\" \"$old\" && rm \"$old.tmp\"",
      "truncate and dribble": """
      : > "$old"; size=$(wc -c < "$new"); i=0; while [ $i -lt $size ]; do \
      dd if="$new" bs=1 skip=$i count=16 2>/dev/null >> "$old"; i=$((i + 16)); sleep 0.3; done
      """,
    ]

    @Test(
      "However a file is saved, readers see the old content, then the new one, and never an empty one",
      arguments: waysToSave.keys.sorted())
    func saved(_ way: String) throws {
      try expectNoEmpty(saving: { cache in
        try ChildProcess.shell(
          "cd '\(cache.path)' && old='tasks/a.json' new='\(cache.path).new' && \(Self.waysToSave[way] ?? "false")")
      })
    }

    @Test(
      "Saving with vim shows the old content, then the new one", .enabled(if: Machine.vim != nil, "needs vim"),
      arguments: ["yes", "no", "auto"])
    func vim(_ backupCopy: String) throws {
      let vim = try #require(Machine.vim)
      try expectNoEmpty(saving: { cache in
        try ChildProcess.shell(
          "cd '\(cache.path)' && \(vim) -u NONE -n -es -c 'set backup writebackup backupcopy=\(backupCopy)' "
            + "-c '%s/before/after/' -c 'wq' tasks/a.json </dev/null >/dev/null 2>&1")
      })
    }

    @Test(
      "An exchange of two names and Foundation's atomic write show the old content, then the new one",
      .needs("python3"))
    func exchangeAndFoundation() throws {
      try expectNoEmpty(saving: { cache in
        try TestCache.put(cache.at("tasks/other.tmp"), Array(Sessions.task(1, "after").utf8))
        try ChildProcess.shell(
          "cd '\(cache.path)' && python3 -c 'import ctypes; libc = ctypes.CDLL(None); "
            + "exit(libc.renameat2(-100, b\"tasks/other.tmp\", -100, b\"tasks/a.json\", 2))'")
      })
      try expectNoEmpty(saving: { cache in
        try Data(Sessions.task(1, "after").utf8).write(
          to: URL(fileURLWithPath: cache.at("tasks/a.json")), options: .atomic)
      })
    }

    /// A file that is missing for 250 ms counts as deleted. On a busy machine a program may take that long between its
    /// steps. Then readers may see the file missing, and the test tries again.
    private func expectNoEmpty(saving: (TestCache) throws -> Void) throws {
      for _ in 0..<10 {
        let (titles, absence) = try titles(while: saving)
        guard titles == ["before", "empty", "after"], absence >= .milliseconds(250) - FileStamps.tick else {
          #expect(titles == ["before", "after"], "the file was away for \(absence)")
          return
        }
      }
    }

    /// What readers see while a file is saved, and the longest time that the file was missing.
    private func titles(while saving: (TestCache) throws -> Void) throws -> (titles: [String], absence: Duration) {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      try TestCache.put(cache.path + ".new", Array(Sessions.task(1, "after").utf8))
      let agent = try Agent(cache, arguments: ["--durability", "rename"])
      let seen = SeenTitles()
      let reader = Churn { _ in
        guard let output = try? cache.output("todays-tasks") else { return seen.add("no file") }
        let entry = output["entries"]?[0]
        let title = entry?["content"]?["tasks"]?[0]?["title"]?.string
        seen.add(entry?["state"]?.string == "empty" ? "empty" : title ?? "nothing")
        usleep(1000)
      }
      try until("the reader sees the old content") { seen.titles == ["before"] }
      // The open file shows when it lost its name, and the new one when it was complete.
      let file = open(cache.at("tasks/a.json"), O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      try saving(cache)
      let (old, new) = (try #require(FileStamps(of: file)), try #require(FileStamps(cache.at("tasks/a.json"))))
      try agent.settled()
      try until("the reader sees the new content") { seen.titles.last == "after" }
      reader.end()
      return (seen.titles, old.inode == new.inode ? .zero : new.changed - old.changed)
    }

    @Test("While no producer writes, the agent writes nothing, and readers do not wake it")
    func quiet() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      // The agent checks its caches at every mount, and other tests mount. So it gets its own mounts.
      let agent = try Agent(cache, prefix: Machine.ownMounts)
      try agent.settled()
      try until("the last good versions are kept") { cache.hasLastGood }
      // On a busy machine what a start leaves to do, such as flushing, may come after half a second of rest.
      try agent.process.waitForRest(of: 3)
      let before = try state(of: cache.path)
      let rest = try agent.process.activity()
      for _ in 0..<100 {
        try ChildProcess.shell(
          "cat '\(cache.path)'/tasks/* '\(cache.path)'/snapshots/* > /dev/null; ls -R '\(cache.path)' > /dev/null")
      }
      let later = try agent.process.activity()
      #expect(later.switches - rest.switches <= 2, "what woke: \(later.changes(since: rest))")
      // The producer writes the same content again, which is not a change either.
      try cache.drop("tasks/a.json", Sessions.task(1))
      try agent.settled()
      let after = try state(of: cache.path)
      #expect(
        before.split(separator: "\n").filter { $0.contains("./snapshots") }
          == after.split(separator: "\n").filter { $0.contains("./snapshots") })
    }
  }
}
