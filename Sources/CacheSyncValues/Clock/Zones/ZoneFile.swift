import CLinux
import CacheSyncSystem
import Glibc
import SystemPackage

/// Reads the small files of zones.
enum ZoneFile {
  /// The largest TZif file in use has a few kilobytes; a larger file is something else.
  static let maximumBytes = 1 << 20

  /// The bytes of a regular file of at most `maximumBytes`; throws the system's reason.
  static func read(_ path: FilePath) throws(Errno) -> [UInt8] {
    guard let file = open(path) else { throw Errno(rawValue: errno) }
    return try read(file)
  }

  /// O_NONBLOCK: opening a FIFO must not block. Links are followed: many of Debian's zone files are links.
  private static func open(_ path: FilePath) -> Descriptor? {
    Descriptor(path.withPlatformString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) })
  }

  private static func read(_ file: borrowing Descriptor) throws(Errno) -> [UInt8] {
    var status = stat()
    guard fstat(file.raw, &status) == 0 else { throw Errno(rawValue: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .invalidArgument }
    guard status.st_size <= maximumBytes else { throw .fileTooLarge }
    return try FileDescriptor(rawValue: file.raw).readAll(limit: maximumBytes)
  }

  /// The bytes of a file on a mount; nil if they cannot be read, or if it is on another mount.
  ///
  /// A file that is mounted over a zone's file has another meaning elsewhere. A container's runtime that mounts the
  /// host's /etc/localtime over a link mounts it over the zone that the link leads to.
  static func read(_ path: FilePath, onMount mount: UInt64) -> [UInt8]? {
    guard let file = open(path), clinux_mount_id(file.raw) == mount else { return nil }
    return try? read(file)
  }

  /// Whether a file has these bytes and is on a mount.
  static func has(_ bytes: [UInt8], at path: FilePath, onMount mount: UInt64) -> Bool {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0, Int(status.st_size) == bytes.count else { return false }
    return read(path, onMount: mount) == bytes
  }
}
