import Glibc

extension TestCache {
  /// Mounts a small file system in memory over the directory; it goes with the cache.
  func mountMemory(_ options: String) throws { try ChildProcess.shell("mount -t tmpfs -o \(options) tmpfs '\(path)'") }

  /// Makes an ext4 image beside the cache and mounts it over the directory.
  func mountDisk(megabytes: Int = 32, options: String = "loop") throws {
    try ChildProcess.shell("truncate -s \(megabytes)M '\(path).img' && mkfs.ext4 -q -F '\(path).img'")
    try mountDiskAgain(options: options)
  }

  func mountDiskAgain(options: String = "loop") throws {
    try ChildProcess.shell("mount -o \(options) '\(path).img' '\(path)'")
  }

  func remount(_ options: String) throws { try ChildProcess.shell("mount -o remount,\(options) '\(path)'") }

  func unmount() throws {
    guard umount2(path, Int32(MNT_DETACH)) == 0 else { throw TestFailure("cannot unmount \(path)") }
  }

  /// Writes a file until the disk takes no more.
  func fill(_ name: String) throws {
    let file = open(at(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    defer { close(file) }
    let block = [UInt8](repeating: 0x78, count: 1024)
    while Glibc.write(file, block, block.count) == block.count {}
  }
}

/// A kernel's setting, put back when its holder goes.
final class KernelSetting {
  private let path: String
  private let before: [UInt8]

  init(_ name: String, _ value: Int) throws {
    path = "/proc/sys/\(name)"
    guard let before = TestCache.read(path) else { throw TestFailure("there is no \(name)") }
    self.before = before
    try set(value)
  }

  func set(_ value: Int) throws { try TestCache.put(path, Array("\(value)\n".utf8)) }

  deinit { try? TestCache.put(path, before) }
}
