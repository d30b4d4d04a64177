import CacheSyncSystem
import Glibc
public import SystemPackage

/// A file that a program draws or prints into, at a path that the user chose.
public enum OutputFile {
  /// Writes a file atomically: under another name in its directory, then renamed. Leaves a file with the same bytes
  /// untouched.
  ///
  /// - Returns: whether the file changed.
  @discardableResult
  public static func write(_ bytes: [UInt8], to path: FilePath) throws -> Bool {
    // Other things than files, such as /dev/stdout or a FIFO, are written to and not replaced.
    var about = Glibc.stat()
    let exists = path.withPlatformString { stat($0, &about) } == 0
    if exists, about.st_mode & S_IFMT != S_IFREG, about.st_mode & S_IFMT != S_IFDIR {
      try writeInPlace(bytes, at: path)
      return true
    }
    if exists, about.st_size == bytes.count, (try? FileDescriptor.readAll(at: path)) == bytes { return false }
    do throws(Errno) {
      if exists, about.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
      try WholeFile.write(bytes, to: path, mode: exists ? about.st_mode & 0o7777 : nil)
      return true
    } catch {
      let isFull = error == .noSpace || error == .ioError
      throw Failure(
        "cannot write \(EscapedText.forPeople(path)): \(error); choose another place or make room",
        isFull ? .inputOutput : .cannotCreate)
    }
  }

  private static func writeInPlace(_ bytes: [UInt8], at path: FilePath) throws {
    do {
      let file = try FileDescriptor.open(path, .writeOnly)
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      throw Failure("cannot write \(EscapedText.forPeople(path)): \(error)", .cannotCreate)
    }
  }

  /// Creates a directory and its missing parents.
  ///
  /// - Parameter mode: who may use it, less the umask.
  /// - Returns: whether the directory is new.
  @discardableResult
  public static func makeDirectory(_ path: FilePath, mode: UInt32 = 0o777) throws -> Bool {
    do throws(Errno) {
      return try make(path, mode)
    } catch {
      throw Failure(
        "cannot make the directory \(EscapedText.forPeople(path)): \(error); choose another place", .cannotCreate)
    }
  }

  /// - Returns: whether the directory is new.
  private static func make(_ path: FilePath, _ mode: UInt32) throws(Errno) -> Bool {
    if path.withPlatformString({ mkdir($0, mode) }) == 0 { return true }
    let reason = Errno(rawValue: errno)
    var about = Glibc.stat()
    if reason == .fileExists, path.withPlatformString({ stat($0, &about) }) == 0, about.st_mode & S_IFMT == S_IFDIR {
      return false
    }
    let parent = path.removingLastComponent()
    // Below /proc the parent exists, and no directory can be made in it.
    guard reason == .noSuchFileOrDirectory, !parent.isEmpty, parent != path, try make(parent, mode) else {
      throw reason
    }
    return try make(path, mode)
  }
}

/// A file at a path that the user chose.
package enum WholeFile {
  /// Writes a file whole or not at all, and replaces a file or link with its name. It writes under another name in the
  /// same directory, and then renames.
  ///
  /// - Parameter mode: its permissions; nil uses the umask.
  /// - Throws: the kernel's error; EISDIR when a directory has the name.
  package static func write(_ bytes: [UInt8], to path: FilePath, mode: UInt32? = nil) throws(Errno) {
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
