import Glibc

extension TestCache {
  /// Mounts a small file system in memory over the directory. It is removed with the cache.
  func mountMemory(_ options: String) throws { try ChildProcess.shell("mount -t tmpfs -o \(options) tmpfs '\(path)'") }

  /// Makes an image next to the cache and mounts it over the directory.
  func mountDisk(of kind: String = "ext4", megabytes: Int = 32, options: String = "loop") throws {
    let force = kind == "ext4" ? "-F" : "-f"
    try ChildProcess.shell("truncate -s \(megabytes)M '\(path).img' && mkfs.\(kind) -q \(force) '\(path).img'")
    try mountDiskAgain(options: options)
  }

  func mountDiskAgain(options: String = "loop") throws {
    try ChildProcess.shell("mount -o \(options) '\(path).img' '\(path)'")
  }

  /// Mounts an overlay over the directory, whose files are in another one.
  func mountOverlay(over upper: TestCache) throws {
    try ChildProcess.shell(
      "mkdir '\(path).lower' '\(upper.path).work' && mount -t overlay overlay"
        + " -o 'lowerdir=\(path).lower,upperdir=\(upper.path),workdir=\(upper.path).work' '\(path)'")
  }

  func remount(_ options: String) throws { try ChildProcess.shell("mount -o remount,\(options) '\(path)'") }

  func unmount() throws {
    guard umount2(path, Int32(MNT_DETACH)) == 0 else { throw TestFailure("cannot unmount \(path)") }
  }

  /// Writes a file until the disk is full.
  func fill(_ name: String) throws {
    let file = open(at(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    defer { close(file) }
    let block = [UInt8](repeating: 0x78, count: 1024)
    while Glibc.write(file, block, block.count) == block.count {}
  }
}

/// Runs the body with a short queue of inotify events. The kernel reads the limit when an instance is opened, so only the
/// instances opened meanwhile have the short queue. This function restores the limit, and so does the guardian.
func withShortEventQueue<Value>(_ length: Int, _ body: () throws -> Value) throws -> Value {
  let path = "/proc/sys/fs/inotify/max_queued_events"
  guard let before = TestCache.read(path) else { throw TestFailure("there is no \(path)") }
  Guardian.shared.restore(path, String(decoding: before.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  defer { try? TestCache.put(path, before) }
  try TestCache.put(path, Array("\(length)\n".utf8))
  return try body()
}

/// A user namespace with its own limits of inotify watches and instances, so that no process outside runs out of them.
/// An agent inside reads these limits below /proc/sys/fs/inotify, and names them in its messages.
final class WatchLimits {
  enum Limit: String, CaseIterable {
    case watches, instances

    fileprivate var file: String { "/proc/sys/fs/inotify/max_user_\(rawValue)" }
  }

  /// The process that keeps the namespace alive.
  private let holder: ChildProcess
  private let cache: TestCache

  /// - Parameter cache: the cache of the test. The names of the files begin with its name.
  init(_ cache: TestCache) throws {
    self.cache = cache
    let binds = Limit.allCases.map {
      "cat \($0.file) > '\(Self.copy($0, cache))'; mount --bind '\(Self.copy($0, cache))' \($0.file)"
    }
    holder = try ChildProcess([
      "unshare", "--user", "--map-root-user", "--mount", "sh", "-e", "-c",
      binds.joined(separator: "\n") + "\necho ready\nexec cat > /dev/null",
    ])
    while !holder.output.contains("ready") {
      guard holder.isRunning else { throw TestFailure("no namespace: \(holder.error)") }
      usleep(2000)
    }
  }

  private static func copy(_ limit: Limit, _ cache: TestCache) -> String { "\(cache.path).max_\(limit.rawValue)" }

  /// The beginning of a command that runs in the namespace.
  var prefix: [String] { ["nsenter", "--user", "--mount", "--preserve-credentials", "-t", String(holder.pid), "--"] }

  func set(_ limit: Limit, _ value: Int) throws {
    try TestCache.put(Self.copy(limit, cache), Array("\(value)\n".utf8))
    let process = try ChildProcess(
      prefix + ["sh", "-c", "echo \(value) > /proc/sys/user/max_inotify_\(limit.rawValue)"])
    guard try process.wait() == 0 else { throw TestFailure("cannot limit \(limit): \(process.error)") }
  }

  /// Whether this kernel and its administrator allow such namespaces.
  static let isPossible: Bool = {
    guard let cache = try? TestCache(), let limits = try? WatchLimits(cache) else { return false }
    return (try? limits.set(.watches, 1000)) != nil
  }()
}
