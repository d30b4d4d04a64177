import CacheSync
import CacheSyncSystem
import Glibc
public import SystemPackage

/// A file that a command writes where the user wants it.
public enum WholeFile {
  /// Writes a file whole or not at all, in place of a file or a link there: under another name in its directory, then renamed.
  ///
  /// - Parameter mode: its permissions; nil: what the umask leaves.
  /// - Throws: what the kernel says; EISDIR where a directory has the name.
  public static func write(_ bytes: [UInt8], to path: FilePath, mode: UInt32? = nil) throws(Errno) {
    guard let name = path.lastComponent, name.kind == .regular else { throw .isDirectory }
    let parent = path.removingLastComponent()
    let opened = (parent.isEmpty ? FilePath(".") : parent).withPlatformString {
      open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let directory = Descriptor(opened) else { throw Errno(rawValue: errno) }
    try EndSignals.hold { () throws(Errno) in
      let file = try AtomicFile(in: directory.raw, mode: 0o666, prefix: ".cachesync-")
      if let mode, fchmod(file.raw, mode) < 0 { throw Errno(rawValue: errno) }
      try file.write(bytes)
      try file.publish(as: CachePath(bytes: FilePath(root: nil, [name]).bytes), in: directory.raw)
    }
  }
}
