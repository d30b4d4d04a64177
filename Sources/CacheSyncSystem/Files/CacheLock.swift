import CLinux
import Glibc
public import SystemPackage

/// The lock of a cache: only the process that holds it writes `snapshots/` (contract.md section 5).
///
/// It is a kernel lock (flock(2)), so it ends with its process. Its descriptor is open for reading only, so the file
/// system can still be remounted read-only.
public final class CacheLock: Sendable {
  /// What sort of process holds a cache.
  public enum Holder: Sendable, Equatable {
    /// An agent.
    case agent
    /// A bridge, which writes here what an agent published elsewhere.
    case bridge
    /// A `sync`, which ends on its own.
    case sync

    /// The offset of the shared lock by which the holder announces what it is. The kernel drops that lock with its
    /// process, so a killed process does not count as the holder.
    fileprivate var start: Int64 {
      switch self {
      case .agent: 0
      case .bridge: 1
      case .sync: 2
      }
    }
  }

  /// Why a process could not become the cache's writer.
  public enum Failure: Error, Sendable, Equatable {
    /// Another process holds the lock.
    case held(by: Holder)
    /// The lock's file could not be created.
    case create(Errno)
    /// The lock could not be taken.
    case system(Errno)
  }

  /// The name of its file, in the directory `.cachesync` of a cache.
  package static let name = "lock"

  private let file: Descriptor

  package var raw: Int32 { file.raw }

  /// Takes the lock, without waiting for another holder to end.
  ///
  /// - Parameters:
  ///   - directory: a descriptor of `.cachesync` in the cache; the caller keeps it.
  ///   - holder: what sort of process this is.
  public init(in directory: Int32, as holder: Holder) throws(Failure) {
    // On a disk that takes no new file, the lock's file may already exist.
    var result = openat(directory, Self.name, Self.flags)
    if result < 0 { result = openat(directory, Self.name, Self.flags | O_CREAT, 0o600) }
    guard let file = Descriptor(result) else { throw .create(Errno(rawValue: errno)) }
    let deadline = Uptime.now().advanced(by: Self.patience)
    while clinux_flock_exclusive(file.raw) != 0 {
      let reason = Errno(rawValue: errno)
      guard reason == .wouldBlock else { throw .system(reason) }
      if let other = Self.holder(of: file) { throw .held(by: other) }
      // The holder took the lock a moment ago and has not announced what it is, or it has just ended.
      if Uptime.now() >= deadline { throw .held(by: .agent) }
      SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(1)))
    }
    guard clinux_announce_lock(file.raw, holder.start) == 0 else { throw .system(Errno(rawValue: errno)) }
    self.file = file
  }

  /// How long a holder may take from taking the lock to announcing what it is. That is two system calls; the rest
  /// allows for a busy machine.
  private static let patience = Duration.milliseconds(500)

  private static let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

  /// Which sort of process holds the lock of a cache now; nil: none. It takes no lock itself, because an agent that
  /// starts in that instant would mistake that lock for another agent's.
  ///
  /// - Parameter directory: a descriptor of `.cachesync` in the cache.
  package static func holder(in directory: Int32) -> Holder? {
    guard let file = Descriptor(openat(directory, Self.name, flags)) else { return nil }
    return holder(of: file)
  }

  private static func holder(of file: borrowing Descriptor) -> Holder? {
    switch clinux_announced_lock(file.raw) {
    case Holder.agent.start: .agent
    case Holder.bridge.start: .bridge
    case Holder.sync.start: .sync
    default: nil
    }
  }

  /// Whether the lock's file is still in the directory where other processes look for it.
  public var isLinked: Bool {
    var about = stat()
    return fstat(file.raw, &about) == 0 && about.st_nlink > 0
  }
}

extension CacheLock.Holder {
  /// For messages of a process that needs the cache itself.
  package var another: String {
    switch self {
    case .agent: "another agent"
    case .bridge: "a bridge"
    case .sync: "a sync"
    }
  }
}
