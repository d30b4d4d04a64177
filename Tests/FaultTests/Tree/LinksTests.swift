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
      "A link that takes the place of .cachesync as it is made leads the agent to no other file", .needsTracing,
      arguments: [(true, 0o755), (false, 0o644)] as [(Bool, mode_t)])
    func swappedStateDirectory(isDirectory: Bool, mode victimMode: mode_t) throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let victim = cache.path + ".victim"
      if isDirectory { mkdir(victim, 0o755) } else { try TestCache.put(victim, Array("mine".utf8)) }
      chmod(victim, victimMode)
      // The agent is held for a second between making the directory and whatever it does next.
      let sync = try ChildProcess([
        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=mkdirat", "-e",
        "inject=mkdirat:delay_exit=1000000:when=1", Machine.agent, "sync", "--cache", cache.path, "--time-zone",
        Machine.zone,
      ])
      try until("the directory is made") { rmdir(cache.at(".cachesync")) == 0 }
      #expect(symlink(victim, cache.at(".cachesync")) == 0)
      #expect(try sync.wait() == 77, "\(sync.error)")
      #expect(mode(victim) == victimMode)
    }

    @Test(
      "The agent's own directory has mode 0700 under a umask that takes every right away", .needsRoot,
      .needs("setpriv"))
    func hostileUmask() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      try cache.makeDirectory("snapshots")
      try ChildProcess.shell("chown -R 65534:65534 '\(cache.path)'; chmod 755 '\(cache.path)/snapshots'")
      // The products may lie where only root may go.
      try ChildProcess.shell("install -m 755 '\(Machine.agent)' '\(cache.path).agent'")
      let result = try ChildProcess.run(
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c",
        "umask 0777; exec '\(cache.path).agent' sync --cache '\(cache.path)' --time-zone '\(Machine.zone)'")
      #expect(result.status == 0, "\(result.error)")
      #expect(mode(cache.at(".cachesync")) == 0o700)
      #expect(try cache.taskCount() == 1)
    }
  }
}
