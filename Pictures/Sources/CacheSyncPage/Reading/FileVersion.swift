import Glibc
import SystemPackage

/// What tells a changed file from one that was read.
struct FileVersion: Equatable {
  private var device: UInt, inode: UInt, size: Int, seconds: Int, nanoseconds: Int

  init?(of path: FilePath) {
    var about = stat()
    guard path.withPlatformString({ stat($0, &about) }) == 0 else { return nil }
    (device, inode, size) = (UInt(about.st_dev), UInt(about.st_ino), Int(about.st_size))
    (seconds, nanoseconds) = (about.st_mtim.tv_sec, about.st_mtim.tv_nsec)
  }
}
