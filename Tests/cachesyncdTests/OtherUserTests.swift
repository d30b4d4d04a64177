import Foundation
import Glibc
import Testing

/// What commands say to a user who may not use a cache: who owns what, and a command to paste (commands.md, Messages).
@Suite struct OtherUserTests {
  /// The user without rights, by the number that distributions give it.
  private static let user: uid_t = 65_534

  private static let asOther = [
    "/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups",
  ]

  private static let canBeOther: Bool = {
    guard geteuid() == 0, access(asOther[0], X_OK) == 0, let child = try? Child(["--version"], through: asOther) else {
      return false
    }
    return (try? child.outcome().status) == 0
  }()

  private static func name(of user: uid_t) -> String {
    getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
  }

  /// The new owner as chown(1) takes it.
  private static func owner(_ user: uid_t) -> String { getpwuid(user) == nil ? "\(user)" : name(of: user) + ":" }

  /// A cache that everyone may enter, with a blank in its path.
  private func cache() throws -> (CommandCache, TemporaryFolder) {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    return (try CommandCache(["tasks/a.json": "[]"], at: folder.path + "/a cache"), folder)
  }

  private func run(_ arguments: [String], _ cache: CommandCache, input: String = "") throws -> Outcome {
    try Child(arguments + ["--cache", cache.path], input: input, through: Self.asOther).outcome()
  }

  private func give(_ cache: CommandCache, to user: uid_t, _ names: String...) throws {
    for name in names.isEmpty ? [""] : names {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/chown")
      process.arguments = ["-R", "\(user)", name.isEmpty ? cache.path : cache.file(name)]
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
  }

  private static let needs = ConditionTrait.enabled(if: canBeOther, "needs root, and setpriv(1)")

  /// What belongs to root, and the rest to the other user.
  @Test(
    "A command that is refused names the owner, and ends with a command that gives the cache to its user", needs,
    arguments: [".", ".cachesync", "snapshots", "snapshots/.tmp", ".cachesync/lock"], ["sync", "run"])
  func refused(_ name: String, _ command: String) throws {
    let (cache, folder) = try cache()
    defer { withExtendedLifetime(folder) {} }
    #expect(try cache.run("sync").status == 0)
    if name != "." {
      try give(cache, to: Self.user)
      try give(cache, to: 0, name)
    }
    if name.hasSuffix("lock") { chmod(cache.file(name), 0o600) }
    // `run` serves a cache whose lock it cannot take, and retries.
    if command == "run", name.hasSuffix("lock") {
      let agent = try Child(["run", "--cache", cache.path], through: Self.asOther)
      defer { agent.send(SIGKILL) }
      #expect(holds { agent.errors.contains("\n") })
      return expectCommand(in: Outcome(status: 77, output: "", errors: agent.errors.firstLine), cache)
    }
    let outcome = try run([command], cache)
    expectCommand(in: outcome, cache)
    #expect(command == "run" || outcome.hasOneLineError)
  }

  private func expectCommand(in outcome: Outcome, _ cache: CommandCache) {
    #expect(outcome.status == 77)
    for line in outcome.errors.split(separator: "\n") {
      #expect(
        line.contains("belongs to user root, and this is \(Self.name(of: Self.user)): ")
          && line.hasSuffix(": sudo chown -R \(Self.owner(Self.user)) '\(cache.path)'"))
    }
  }

  @Test("The commands that write files name the directory that they cannot write, and the agent's stay its own", needs)
  func writers() throws {
    let (cache, folder) = try cache()
    defer { withExtendedLifetime(folder) {} }
    let owner = Self.owner(Self.user)
    let drop = try run(["drop", "tasks", "-", "--name", "b"], cache, input: "[]")
    #expect(drop.status == 77 && drop.hasOneLineError)
    #expect(drop.errors.hasSuffix(": sudo chown -R \(owner) '\(cache.file("tasks"))'\n"), "\(drop)")
    for command in [["intent", "add-task", "title=x"], ["feed", "new", "bins"]] {
      let outcome = try run(command, cache)
      #expect(outcome.status == 77 && outcome.hasOneLineError)
      #expect(outcome.errors.hasSuffix(": sudo chown -R \(owner) '\(cache.path)'\n"), "\(outcome)")
    }
  }

  @Test("An owner is not told to be the owner, but how to open the directory", needs)
  func owners() throws {
    let (cache, folder) = try cache()
    defer { withExtendedLifetime(folder) {} }
    try give(cache, to: Self.user)
    chmod(cache.path, 0)
    for command in ["sync", "run", "status", "show", "wait"] {
      let outcome = try run([command], cache)
      #expect(outcome.status == 77 && outcome.hasOneLineError)
      #expect(outcome.errors.hasSuffix(": chmod -R u+rwX '\(cache.path)'\n"), "\(outcome)")
      #expect(!outcome.errors.contains("owner"))
    }
    chmod(cache.path, 0o755)
    mkdir(cache.file("snapshots"), 0o500)
    chown(cache.file("snapshots"), Self.user, Self.user)
    func isAdvised(_ words: Comment) throws {
      let outcome = try run(["sync"], cache)
      #expect(outcome.status == 77, words)
      #expect(outcome.errors.hasSuffix(": chmod -R u+rwX '\(cache.file("snapshots"))'\n"), "\(words): \(outcome)")
    }
    try isAdvised("without outputs")
    chmod(cache.file("snapshots"), 0o700)
    #expect(try run(["sync"], cache).status == 0)
    let task = #"[{"id":1,"title":"a","completed":false}]"#
    try task.write(toFile: cache.file("tasks/a.json"), atomically: false, encoding: .utf8)
    chmod(cache.file("snapshots"), 0o500)
    try isAdvised("with outputs, which cannot be replaced")
  }

  @Test("The first closed directory on the way is the one to open", needs)
  func closedParent() throws {
    let (cache, folder) = try cache()
    chmod(folder.path, 0o700)
    let outcome = try run(["status"], cache)
    #expect(outcome.status == 77 && outcome.hasOneLineError)
    #expect(
      outcome.errors.hasSuffix(
        " belongs to user root, and this is \(Self.name(of: Self.user)): sudo chmod a+x \(folder.path)\n"))
    #expect(chown(folder.path, Self.user, Self.user) == 0)
    chmod(folder.path, 0o600)
    #expect(try run(["status"], cache).errors.hasSuffix(": chmod u+x \(folder.path)\n"))
  }

  @Test("An agent answers its own user and root; others are told to ask as root", needs, arguments: [true, false])
  func agents(_ isRunning: Bool) throws {
    let (cache, folder) = try cache()
    defer { withExtendedLifetime(folder) {} }
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    if !isRunning {
      agent.send(SIGTERM)
      _ = try agent.outcome()
    }
    for command in ["status", "wait"] {
      let outcome = try run([command], cache)
      #expect(outcome.status == 77)
      #expect(outcome.errors.hasSuffix(": sudo cachesyncd status --cache '\(cache.path)'\n"), "\(outcome)")
    }
  }

  @Test("Definitions that cannot be read need no other owner", needs)
  func definitions() throws {
    let (cache, folder) = try cache()
    let directory = folder.path + "/feeds"
    mkdir(directory, 0o700)
    let outcome = try run(["show", "--feeds", directory], cache)
    #expect(outcome.status == 77 && outcome.hasOneLineError)
    #expect(outcome.errors.hasSuffix(": sudo chmod -R a+rX \(directory)\n"), "\(outcome)")
  }
}

extension String {
  fileprivate var firstLine: String { split(separator: "\n").first.map { "\($0)\n" } ?? "" }
}
