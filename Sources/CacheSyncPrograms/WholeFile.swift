import CacheSync
import CacheSyncSystem
import Glibc
public import SystemPackage

/// A file at a path that the user chose.
public enum WholeFile {
  /// Writes a file whole or not at all, and replaces a file or link with its name. It writes under another name in the
  /// same directory, and then renames.
  ///
  /// - Parameter mode: its permissions; nil uses the umask.
  /// - Throws: the kernel's error; EISDIR when a directory has the name.
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
