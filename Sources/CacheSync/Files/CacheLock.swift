import CLinux
import Glibc
public import SystemPackage

/// The lock of a cache: the process that holds it is the only one that writes `snapshots/` (CONTRACT, section 5).
///
/// The lock is the kernel's (flock(2)) on a descriptor that is open for reading only: it ends with its process, and it does
/// not keep the file system from being remounted read-only.
public final class CacheLock: Sendable {
  /// What sort of process holds a cache.
  public enum Holder: Sendable, Equatable {
    /// An agent, or a `sync`.
    case agent
    /// A bridge that writes here what an agent published elsewhere.
    case bridge

    /// Where the shared lock begins by which the holder tells what it is: the kernel forgets it with its process, so no
    /// process that was killed is taken for the holder.
    fileprivate var start: Int64 { self == .agent ? 0 : 1 }
  }

  /// Why a process could not become the cache's writer.
  public enum Failure: Error, Sendable, Equatable {
    /// Another process holds it.
    case held(by: Holder)
    /// The lock's file could not be made.
    case create(Errno)
    /// The lock could not be taken.
    case system(Errno)
  }

  private let file: Descriptor

  package var raw: Int32 { file.raw }

  /// Takes the lock, without waiting.
  ///
  /// - Parameters:
  ///   - directory: a descriptor of `.cachesync` in the cache, which stays the caller's.
  ///   - holder: what sort of process this is.
  public init(in directory: Int32, as holder: Holder) throws(Failure) {
    // The lock's file may be there already, on a disk that takes no new one.
    var result = openat(directory, CacheLayout.lock, Self.flags)
    if result < 0 { result = openat(directory, CacheLayout.lock, Self.flags | O_CREAT, 0o600) }
    guard let file = Descriptor(result) else { throw .create(Errno(rawValue: errno)) }
    guard clinux_flock_exclusive(file.raw) == 0, clinux_announce_lock(file.raw, holder.start) == 0 else {
      let reason = Errno(rawValue: errno)
      // Between the two calls a holder has not told yet what it is.
      throw reason == .wouldBlock ? .held(by: Self.holder(of: file) ?? .agent) : .system(reason)
    }
    self.file = file
  }

  private static let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

  /// Which sort of process holds the lock of a cache now; nil: none. It takes no lock itself: an agent that starts in that
  /// instant would take it for another agent's.
  ///
  /// - Parameter directory: a descriptor of `.cachesync` in the cache.
  public static func holder(in directory: Int32) -> Holder? {
    guard let file = Descriptor(openat(directory, CacheLayout.lock, flags)) else { return nil }
    return holder(of: file)
  }

  private static func holder(of file: borrowing Descriptor) -> Holder? {
    switch clinux_announced_lock(file.raw) {
    case Holder.agent.start: .agent
    case Holder.bridge.start: .bridge
    default: nil
    }
  }

  /// Whether the lock's file is still in a directory, where other processes look for it.
  public var isLinked: Bool {
    var about = stat()
    return fstat(file.raw, &about) == 0 && about.st_nlink > 0
  }
}
