import CLinux
import Glibc
package import SystemPackage

/// A file that appears whole under its name or not at all: written under a name that nobody can guess, in a directory that
/// only the agent may write, then renamed. One that is not published removes itself.
package struct AtomicFile: ~Copyable {
  private let directory: Int32
  // The name's parts rather than the name: a value that can be given up early holds nothing that needs destroying.
  private let prefix: StaticString
  private let number: UInt64
  /// -1 when it was closed.
  private var descriptor: Int32
  /// The file as it was closed.
  private var closed: FileIdentity?
  /// The size of a file that is written again; nil for a new one.
  private let oldSize: Int64?

  private var name: String { Self.name(number, prefix) }

  static func name(_ number: UInt64, _ prefix: StaticString = CacheLayout.temporaryPrefix) -> String {
    prefix.description + String(number, radix: 36)
  }

  /// - Parameter directory: where the temporary lies; on the same file system as where it is published. The caller keeps
  ///   it open.
  package init(in directory: Int32, mode: UInt32, prefix: StaticString = CacheLayout.temporaryPrefix) throws(Errno) {
    self.directory = directory
    var attempt = 0
    while true {
      let number = clinux_random()
      let result = clinux_open_temporary(directory, Self.name(number, prefix), mode)
      if result >= 0 {
        self.prefix = prefix
        self.number = number
        descriptor = result
        oldSize = nil
        return
      }
      attempt += 1
      guard errno == EEXIST, attempt < 8 else { throw Errno(rawValue: errno) }
    }
  }

  /// Takes over a file that was published and replaced, to be written again. Until it is whole, nobody opens it: who has
  /// found it under its old name and comes to open it only now waits in the kernel.
  ///
  /// - Returns: nil when somebody has it open, or it is not what it was; it keeps its name then. `errno` is `ENOENT` when it
  ///   is not there.
  init?(reusing spare: Temporaries.Spare, in directory: Int32, mode: UInt32) {
    let result = openat(directory, Self.name(spare.number), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard result >= 0 else { return nil }
    var about = stat()
    guard clinux_lock_opening(result) == 0, fstat(result, &about) == 0, about.st_nlink == 1,
      about.st_mode & 0o7777 == mode & ~Umask.current,
      FileIdentity(about).isSameFile(as: spare.identity), clinux_detach_pages(result, Int64(about.st_size)) == 0
    else {
      Glibc.close(result)
      errno = EAGAIN
      return nil
    }
    self.directory = directory
    prefix = CacheLayout.temporaryPrefix
    number = spare.number
    descriptor = result
    oldSize = Int64(about.st_size)
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    unlinkat(directory, name, 0)
  }

  /// Closes the file, which is flushed with its file system and then published: thousands wait for that together, and a
  /// process has only so many descriptors.
  package mutating func close() throws(Errno) {
    closed = try Directory.identity(of: descriptor)
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Writes what the file is to hold, once.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    try Self.writeAll(bytes, to: descriptor)
    guard let oldSize else { return }
    // The times tell this version from one of the same size that the file held a moment ago.
    guard oldSize <= bytes.count || ftruncate(descriptor, off_t(bytes.count)) == 0, clinux_set_times(descriptor) == 0,
      clinux_unlock_opening(descriptor) == 0
    else { throw Errno(rawValue: errno) }
    // A new file that is renamed over another one is sent on its way by ext4 itself (auto_da_alloc), but not this one.
    startWriteback()
  }

  /// Sends the data on their way to the disk and does not wait.
  package func startWriteback() { clinux_start_writeback(descriptor) }

  /// For flushing it together with others. After a failure the file must be given up: a second attempt may report success
  /// for data that are lost (fsync(2), "errors").
  package var raw: Int32 { descriptor }

  /// Puts the file under its name, in place of what is there: a file, or a link or FIFO that somebody planted. A directory
  /// there is moved aside, to where the temporaries are.
  ///
  /// - Returns: the file as it is found there.
  @discardableResult
  package consuming func publish(as finalName: String, in target: Int32) throws(Errno) -> FileIdentity {
    var result = renameat(directory, name, target, finalName)
    if result < 0, errno == EISDIR || errno == ENOTEMPTY,
      renameat(target, finalName, directory, "replaced-" + String(clinux_random(), radix: 36)) == 0
    {
      result = renameat(directory, name, target, finalName)
    }
    guard result == 0 else {
      let reason = Errno(rawValue: errno)
      _ = consume self
      throw reason
    }
    let descriptor = descriptor
    let closed = closed
    discard self
    guard let closed else {
      defer { Glibc.close(descriptor) }
      return try Directory.identity(of: descriptor)
    }
    // Its change time is that of the rename. What somebody has put there since is none of ours, and found out later.
    guard let found = try? Directory.identity(of: CachePath(finalName), in: target), found.isSameFile(as: closed) else {
      return closed
    }
    return found
  }

  /// Writes all of it, however the kernel cuts it up.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
    var start = 0
    while start < bytes.count {
      let written = bytes.withUnsafeBytes { bytes -> Int in
        guard let base = bytes.baseAddress else { return 0 }
        return Glibc.write(descriptor, base + start, bytes.count - start)
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw Errno(rawValue: errno)
      }
      start += written
    }
  }
}
