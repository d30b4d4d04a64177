import CacheSync
import Foundation
import Glibc
import Testing

extension Faults {
  /// What outputs inherit from `snapshots`, and that readers do not see the temporaries in it.
  @Suite("The directory of outputs") struct OutputDirectoryTests {
    private func about(_ path: String) throws -> stat {
      var about = stat()
      try #require(lstat(path, &about) == 0, "\(path)")
      return about
    }

    private func sync(_ cache: TestCache, umask: String = "022") throws {
      let result = try ChildProcess.run(
        "sh", "-c",
        "umask \(umask); exec '\(Machine.agent)' sync --cache '\(cache.path)' --time-zone '\(Machine.zone)'")
      try #require(result.status == 0, "\(result.error)")
    }

    @Test("Outputs have the group of snapshots, even if it changes later", .needsRoot)
    func group() throws {
      let cache = try TestCache()
      try cache.makeDirectory("snapshots")
      for (round, group) in [gid_t(33), 33, 34].enumerated() {
        try #require(chown(cache.at("snapshots"), 0, group) == 0 && chmod(cache.at("snapshots"), 0o2750) == 0)
        try cache.drop("tasks/a.json", Sessions.task(1, "round \(round)"))
        try sync(cache, umask: "027")
        for name in ["todays-tasks.json", "manifest.json"] {
          let file = try about(cache.at("snapshots/\(name)"))
          #expect(file.st_gid == group && file.st_mode & 0o777 == 0o640, "round \(round), \(name)")
        }
        #expect(cache.temporaries.isEmpty)
      }
      // Without the bit they have the process's group again.
      try #require(chmod(cache.at("snapshots"), 0o755) == 0)
      try cache.drop("tasks/a.json", Sessions.task(1, "last"))
      try sync(cache)
      #expect(try about(cache.at("snapshots/todays-tasks.json")).st_gid == getegid())
    }

    @Test(
      "Outputs follow the default access list of snapshots, even if it is set while the agent runs",
      .needs("python3"))
    func accessList() throws {
      let cache = try TestCache()
      try cache.makeDirectory("snapshots")
      /// Lets one more user read: acl(5) in the kernel's format of tag, permissions and id.
      func setList(user: Int) throws -> Bool {
        try ChildProcess.run(
          "python3", "-c",
          """
          import os, struct, sys
          entries = [(1, 7, -1), (2, 5, \(user)), (4, 5, -1), (16, 5, -1), (32, 0, -1)]
          value = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
          os.setxattr(sys.argv[1], "system.posix_acl_default", value)
          """, cache.at("snapshots")
        ).status == 0
      }
      guard try setList(user: 33) else { return print("skipped: this file system has no access lists") }
      /// The ids of the users in an output's access list.
      func users(_ name: String) throws -> String {
        try ChildProcess.run(
          "python3", "-c",
          """
          import os, struct, sys
          value = os.getxattr(sys.argv[1], "system.posix_acl_access")
          print([id for tag, _, id in struct.iter_unpack("<HHi", value[4:]) if tag == 2], end="")
          """, cache.at("snapshots/\(name)")
        ).output
      }
      try cache.drop("tasks/a.json", Sessions.task(1, "one"))
      let agent = try Agent(cache)
      #expect(try users("todays-tasks.json") == "[33]")
      // 0644, from which the list removes the permissions of others.
      #expect(try about(cache.at("snapshots/todays-tasks.json")).st_mode & 0o777 == 0o640)
      #expect(try setList(user: 34))
      try cache.drop("tasks/a.json", Sessions.task(1, "two"))
      try agent.settled()
      #expect(try users("todays-tasks.json") == "[34]")
      try agent.stop()
      // Nothing is written again, although the outputs lack the permissions that the umask would allow.
      let before = try about(cache.at("snapshots/todays-tasks.json")).st_ino
      try sync(cache)
      #expect(try about(cache.at("snapshots/todays-tasks.json")).st_ino == before)
    }

    @Test(
      "If snapshots is a separate file system, the agent survives a kill, and retries while it is read-only",
      .needsMounts)
    func ownFileSystem() throws {
      let cache = try TestCache()
      try cache.makeDirectory("snapshots")
      try ChildProcess.shell("mount -t tmpfs -o size=1m tmpfs '\(cache.path)/snapshots'")
      defer { while umount2(cache.at("snapshots"), Int32(MNT_DETACH)) == 0 {} }
      try cache.drop("tasks/a.json", Sessions.task(1, "one"))
      var agent = try Agent(cache)
      #expect(try cache.firstTitle() == "one")
      agent.process.signal(SIGKILL)
      #expect(try agent.process.wait() == 128 + SIGKILL)
      try cache.write("snapshots/.tmp/tmp-0", "left behind")
      try cache.drop("tasks/a.json", Sessions.task(1, "two"))
      agent = try Agent(cache)
      #expect(try cache.firstTitle() == "two" && cache.temporaries.isEmpty)

      try ChildProcess.shell("mount -o remount,ro '\(cache.path)/snapshots'")
      try cache.drop("tasks/a.json", Sessions.task(1, "three"))
      try until("it says that it cannot write") { try !agent.status().isWritable }
      try ChildProcess.shell("mount -o remount,rw '\(cache.path)/snapshots'")
      try until("it is published by itself") { try cache.firstTitle() == "three" }
      #expect(try agent.status().isWritable && cache.temporaries.isEmpty)
    }

    @Test("If snapshots is removed and created again while the agent runs, it gets every output again")
    func removedAndMadeAgain() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "one"))
      let agent = try Agent(cache)
      let names = Set(cache.outputs().keys)
      for title in ["two", "three"] {
        try ChildProcess.shell(
          "rm -r '\(cache.path)/snapshots'\(title == "two" ? "" : " && mkdir '\(cache.path)/snapshots'")")
        try cache.drop("tasks/a.json", Sessions.task(1, title))
        try until("everything is published") { try cache.firstTitle() == title && Set(cache.outputs().keys) == names }
        #expect(try agent.settled() > 1 && cache.temporaries.isEmpty)
      }
    }

    @Test("A watcher of snapshots gets events only of finished outputs", arguments: ["flush", "rename"])
    func quietTemporaries(_ durability: String) throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "one"))
      let agent = try Agent(cache, arguments: ["--durability", durability])
      let queue = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
      defer { close(queue) }
      let changes = IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE
      try #require(inotify_add_watch(queue, cache.at("snapshots"), UInt32(changes)) >= 0)
      try cache.drop("tasks/a.json", Sessions.task(1, "two"))
      try agent.settled()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(queue, &buffer, buffer.count)
      var (start, names) = (0, Set<String>())
      while start + 16 <= count {
        // struct inotify_event: wd, mask, cookie, length, name.
        let mask = buffer[(start + 4)..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        let length = Int(buffer[start + 12]) | Int(buffer[start + 13]) << 8
        names.insert(String(decoding: buffer[(start + 16)..<(start + 16 + length)].prefix { $0 != 0 }, as: UTF8.self))
        #expect(mask == UInt32(IN_MOVED_TO))
        start += 16 + length
      }
      #expect(names == ["manifest.json", "todays-tasks.json"])
    }

    @Test(
      "An agent and a sync remove what a killed writer left over an hour ago, and no similar files",
      arguments: ["run", "sync"])
    func abandoned(_ command: String) throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let old = [".cachesync-1y2p0ij32e8e7", "tasks/.cachesync-0", "tasks/deep/.cachesync-abc"]
      let kept = [
        "tasks/.cachesync-", "tasks/.cachesync-00", "tasks/.cachesync-A", "tasks/.cachesync-3w5e11264sgsg",
        "tasks/.cachesync-a.json",
        "tasks/.cachesync-young", "notes/.cachesync-1",
      ]
      for name in old + kept {
        try cache.makeDirectory(String(name.prefix(upTo: name.lastIndex(of: "/") ?? name.startIndex)))
        try cache.write(name, "half")
        if !name.hasSuffix("young") { try ChildProcess.shell("touch -d '61 minutes ago' '\(cache.at(name))'") }
      }
      try cache.makeDirectory("tasks/.cachesync-d")
      try ChildProcess.shell("touch -d '61 minutes ago' '\(cache.at("tasks/.cachesync-d"))'")
      if command == "sync" { try sync(cache) } else { _ = try Agent(cache) }
      #expect(old.filter { cache.has($0) }.isEmpty)
      #expect(kept.filter { !cache.has($0) }.isEmpty && cache.has("tasks/.cachesync-d"))
    }
  }
}
