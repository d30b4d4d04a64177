import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import Synchronization
import SystemPackage

/// What the holder of a cache leaves in `.cachesync/holder`.
///
/// The lock of a cache does not pass some mounts (bindfs, mergerfs, unionfs-fuse, overlay), so a process that reaches
/// the files by another road could take it too. That process finds this token instead, and asks whether its holder is
/// there: it touches `.cachesync`, and the holder answers by touching the token.
package struct HolderToken: Equatable, Sendable {
  package var holder: CacheLock.Holder
  /// The directory by the holder's road.
  package var path: String
  package var host: String
  package var process: Int
  /// When the process started, in the system's ticks.
  package var started: Int
  /// The machine, its run, and the namespace in which the process has its number. Machines may have one name.
  package var machine: String
  package var boot: String
  package var namespace: String
  /// Tells it from every other token.
  package var id: String
  /// Whether its road is an overlay, on which it hears only what goes that way.
  var isOnOverlay: Bool

  /// The token of this process for a cache.
  init(of root: CacheRoot, as holder: CacheLock.Holder) {
    self.holder = holder
    path = String(decoding: root.path.bytes, as: UTF8.self)
    host = Self.host
    process = Int(getpid())
    started = Self.start(of: process) ?? 0
    (machine, boot, namespace) = Self.place
    id = String(clinux_random(), radix: 36)
    isOnOverlay = root.isOnOverlay
  }

  /// For messages: which process it is, where.
  package var description: String {
    "process \(process) on \(EscapedText.forPeople(Array(host.utf8))), at \(EscapedText.forPeople(Array(path.utf8)))"
  }

  // MARK: The file

  private static let file = CachePath("holder")
  /// A token that its holder has not touched for so long is of a dead one: the longest interval between two sweeps is an
  /// hour.
  private static let freshness = Duration.seconds(2 * 3_600)
  /// How long a starter waits for an answer. A holder without events looks every 2 s.
  package static let patience = Duration.seconds(5)
  /// A holder that has just touched `.cachesync` itself may miss a question.
  private static let questionInterval = Duration.milliseconds(500)

  /// The token in `.cachesync`; nil: there is none.
  static func read(in state: Int32) -> HolderToken? {
    let opened = file.withCString { openat(state, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard let descriptor = Descriptor(opened),
      let bytes = try? FileDescriptor(rawValue: descriptor.raw).readAll(limit: 8_192),
      let value = bytes.withUnsafeBytes({ JSONValue.parse($0) }), let id = value["id"]?.string
    else { return nil }
    return HolderToken(value, id: id)
  }

  private init(_ value: JSONValue, id: String) {
    holder = value["holder"]?.string == "sync" ? .sync : .agent
    path = value["path"]?.string ?? ""
    host = value["host"]?.string ?? ""
    process = value["process"]?.int ?? 0
    started = value["started"]?.int ?? 0
    machine = value["machine"]?.string ?? ""
    boot = value["boot"]?.string ?? ""
    namespace = value["namespace"]?.string ?? ""
    isOnOverlay = value["overlay"]?.bool ?? false
    self.id = id
  }

  /// Puts it in place of another one. A disk that takes no file has none afterwards; then only the lock tells.
  func write(in state: Int32) {
    var json = JSONWriter()
    json.object { json in
      json.member("boot", boot)
      json.member("holder", holder == .sync ? "sync" : "agent")
      json.member("host", host)
      json.member("id", id)
      json.member("machine", machine)
      json.member("namespace", namespace)
      json.member("overlay", isOnOverlay)
      json.member("path", path)
      json.member("process", process)
      json.member("started", started)
    }
    do throws(Errno) {
      let file = try AtomicFile(in: state, mode: 0o600, prefix: CacheLayout.temporaryPrefix)
      try file.write(json.bytes)
      try file.publish(as: CachePath(Self.file.description), in: state)
    } catch {
      Self.file.withCString { _ = unlinkat(state, $0, 0) }
    }
  }

  /// Shows that its holder is there.
  func beat(in state: Int32) { Self.file.withCString { _ = utimensat(state, $0, nil, AT_SYMLINK_NOFOLLOW) } }

  /// Removes it at the end.
  func remove(from state: Int32) {
    if Self.read(in: state) == self { Self.file.withCString { _ = unlinkat(state, $0, 0) } }
  }

  // MARK: Asking

  /// Whether the holder is another process that serves the cache now. Unless that one is known to be dead, it waits for
  /// an answer.
  func isAlive(in state: Int32, waiting patience: Duration = patience) -> Bool {
    let own = Self.place
    if !machine.isEmpty, machine == own.machine, host == Self.host, boot != own.boot { return false }
    if boot == own.boot, namespace == own.namespace {
      if process == Int(getpid()) { return Self.held.withLock { $0.contains(id) } }
      if Self.hasEnded(process, startedAt: started) { return false }
      // A `sync` hears no question, and ends on its own.
      if holder == .sync { return true }
    }
    if Self.silent.withLock({ $0.contains(owner) }) { return false }
    // The touch is the question, and says what time it is on the file system.
    let road = holdersRoad()
    let ask = {
      clinux_touch(state)
      if let road { clinux_touch(road.raw) }
    }
    ask()
    guard let before = Self.beat(in: state), let now = try? Directory.identity(of: state),
      before.modified.advanced(by: Self.freshness) > now.modified
    else { return false }
    let end = Uptime.now().advanced(by: patience)
    var asksAgain = Uptime.now().advanced(by: Self.questionInterval)
    while Uptime.now() < end {
      if Uptime.now() >= asksAgain {
        ask()
        asksAgain = Uptime.now().advanced(by: Self.questionInterval)
      }
      guard let now = Self.beat(in: state) else { return false }
      if now != before { return true }
      SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(5)))
    }
    Self.silent.withLock { _ = $0.insert(owner) }
    return false
  }

  /// The `.cachesync` of a holder on overlay by its own road, if this process can go there and finds the same token. No
  /// other road is gone: a dead network file system would not answer.
  private func holdersRoad() -> SharedDescriptor? {
    guard isOnOverlay, boot == Self.place.boot, path.hasPrefix("/"),
      let road = Descriptor(
        open(path + "/" + CacheLayout.state, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
      Self.read(in: road.raw)?.id == id
    else { return nil }
    return SharedDescriptor(road)
  }

  /// The processes that did not answer. They are not asked again, for another cache.
  private static let silent = Mutex<Set<[String]>>([])
  /// The ids of the tokens of this process.
  private static let held = Mutex<Set<String>>([])

  private var owner: [String] { [host, machine, boot, namespace, "\(process)", "\(started)"] }

  /// Records whether this process holds the cache of its token.
  func setHeld(_ isHeld: Bool) {
    Self.held.withLock { held in if isHeld { _ = held.insert(id) } else { held.remove(id) } }
  }

  private static func beat(in state: Int32) -> FileIdentity? { try? Directory.identity(of: file, in: state) }

  private static var place: (machine: String, boot: String, namespace: String) {
    func line(_ path: String) -> String { text(of: path).split(separator: "\n").first.map(String.init) ?? "" }
    return (
      line("/etc/machine-id"), line("/proc/sys/kernel/random/boot_id"),
      FilePath("/proc/self/ns/pid").linkTarget?.string ?? ""
    )
  }

  private static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func hasEnded(_ process: Int, startedAt started: Int) -> Bool {
    guard let process = pid_t(exactly: process), process > 0 else { return true }
    // /proc may hide processes of other users.
    if kill(process, 0) != 0, errno == ESRCH { return true }
    return start(of: Int(process)).map { $0 != started } ?? false
  }

  /// When a process started, in the system's ticks (proc_pid_stat(5)); nil: there is none of that number.
  static func start(of process: Int) -> Int? {
    // The name may contain anything; the fields after it are numbers.
    text(of: "/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ").dropFirst(19).first
      .flatMap { Int($0) }
  }

  private static func text(of path: String) -> String {
    (try? FileDescriptor.readAll(at: FilePath(path))).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
