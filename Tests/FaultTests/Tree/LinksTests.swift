import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Links") struct Links {
    private func mode(_ path: String) -> mode_t? {
      var about = stat()
      return lstat(path, &about) == 0 ? about.st_mode & 0o7777 : nil
    }

    @Test(
      "A link that replaces a directory while the agent creates it leads to no other file", .needsTracing,
      // The agent creates .cachesync first, then snapshots and in it the directory of temporaries.
      arguments: [(".cachesync", 1), ("snapshots/.tmp", 3)], [(true, 0o755), (false, 0o644)] as [(Bool, mode_t)])
    func swapped(_ directory: (name: String, call: Int), _ victim: (isDirectory: Bool, mode: mode_t)) throws {
      let (isDirectory, victimMode) = victim
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let victim = cache.path + ".victim"
      if isDirectory { mkdir(victim, 0o755) } else { try TestCache.put(victim, Array("mine".utf8)) }
      chmod(victim, victimMode)
      // strace stops the agent for a second after it has created the directory.
      let sync = try ChildProcess([
        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=mkdirat", "-e",
        "inject=mkdirat:delay_exit=1000000:when=\(directory.call)", Machine.agent, "sync", "--cache", cache.path,
        "--time-zone",
        Machine.zone,
      ])
      try until("the directory is made") { rmdir(cache.at(directory.name)) == 0 }
      #expect(symlink(victim, cache.at(directory.name)) == 0)
      #expect(try sync.wait() == 77, "\(sync.error)")
      #expect(mode(victim) == victimMode)
      #expect(TestCache.files(in: victim).isEmpty)
    }

    @Test(
      "The agent's own directory has mode 0700 even under a umask that removes every permission", .needsRoot,
      .needs("setpriv"))
    func hostileUmask() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      try cache.makeDirectory("snapshots")
      try ChildProcess.shell("chown -R 65534:65534 '\(cache.path)'; chmod 755 '\(cache.path)/snapshots'")
      // The build directory may be one that only root can enter.
      try ChildProcess.shell("install -m 755 '\(Machine.agent)' '\(cache.path).agent'")
      let result = try ChildProcess.run(
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c",
        "umask 0777; exec '\(cache.path).agent' sync --cache '\(cache.path)' --time-zone '\(Machine.zone)'")
      #expect(result.status == 0, "\(result.error)")
      #expect(mode(cache.at(".cachesync")) == 0o700)
      #expect(try cache.taskCount() == 1)
    }

    @Test("A write by one name of a file shows under its other names too", arguments: ["a", "b"])
    func hardLinks(name: String) throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      #expect(link(cache.at("tasks/a.json"), cache.at("tasks/b.json")) == 0)
      let agent = try Agent(cache)
      // Both files have one task, and the version of the greatest path counts: the other name must be read too.
      for title in ["after", "later"] {
        try cache.write("tasks/\(name).json", Sessions.task(1, title))
        try agent.settled()
        #expect(try cache.firstTitle() == title)
      }
      // Bad content is a problem of both.
      try cache.write("tasks/\(name).json", "{")
      try until("both are problems") {
        let problems = try agent.status().value["problems"]?.array?.compactMap { $0["path"]?.string }
        return Set(problems ?? []) == ["tasks/a.json", "tasks/b.json"]
      }
    }

    @Test("Links to a file system that does not respond delay neither sync nor the agent", .needsFUSE)
    func deadMount() throws {
      let cache = try TestCache()
      let (behind, dead) = (cache.path + ".behind", cache.path + ".dead")
      for directory in [behind, dead] { #expect(mkdir(directory, 0o755) == 0) }
      for name in ["x.json", "mounted"] { try TestCache.put("\(behind)/\(name)", Array(Sessions.task(9).utf8)) }
      let server = try ChildProcess(["bindfs", "-f", behind, dead])
      defer {
        server.signal(SIGCONT)
        _ = try? ChildProcess.shell("umount -l '\(dead)'")
      }
      // The test checks another file than the links lead to, because the kernel would cache that one.
      try until("it is mounted") { access(dead + "/mounted", F_OK) == 0 }
      try cache.drop("tasks/a.json", Sessions.task(1))
      try cache.drop("tasks/sub/b.json", Sessions.task(2))
      let name = cache.path.split(separator: "/").last ?? ""
      #expect(symlink(dead + "/x.json", cache.at("tasks/absolute.json")) == 0)
      #expect(symlink("../../\(name).dead/x.json", cache.at("tasks/relative.json")) == 0)
      #expect(symlink(dead, cache.at("tasks/linked")) == 0)
      #expect(symlink("linked/x.json", cache.at("tasks/through.json")) == 0)
      server.signal(SIGSTOP)

      let sync = try ChildProcess([Machine.agent, "sync", "--cache", cache.path, "--time-zone", Machine.zone])
      #expect(try sync.wait() == 0, "\(sync.error)")
      #expect(try cache.taskCount() == 2)
      let agent = try Agent(cache)
      let messages = try agent.status().messages
      #expect(messages.count { $0.contains("leaves the cache") } == 4, "\(messages)")
      // A link replaces a directory of sessions, and the agent checks the sessions that it knew below it.
      #expect(rename(cache.at("tasks/sub"), cache.path + ".sub") == 0)
      #expect(symlink(dead, cache.at("tasks/sub")) == 0)
      try until("its sessions are gone") { try cache.taskCount() == 1 }
      #expect(try agent.ask("sync").status == 0)
      try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      try until("the rest is published") { try cache.firstTitle() == "after" }
    }
  }
}
