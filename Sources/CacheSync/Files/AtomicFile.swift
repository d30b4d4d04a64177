import CLinux
import Glibc
package import SystemPackage

/// A file that appears whole under its name or not at all: written under an unguessable name, then renamed. The temporary is
/// removed when it is not published.
package struct AtomicFile: ~Copyable {
  private let directory: Int32
  // The name's parts rather than the name: a value that can be given up early holds nothing that needs destroying.
  private let prefix: StaticString
  private let number: UInt64
  /// -1 when it was closed.
  private var descriptor: Int32
  /// The file as it was closed.
  private var closed: FileIdentity?

  private var name: String { Self.name(number, prefix) }

  private static func name(_ number: UInt64, _ prefix: StaticString) -> String {
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
        return
      }
      attempt += 1
      guard errno == EEXIST, attempt < 8 else { throw Errno(rawValue: errno) }
    }
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    unlinkat(directory, name, 0)
  }

  /// Closes the file before its file system is flushed and it is published: a batch holds thousands of files, more than a
  /// process may have descriptors.
  package mutating func close() throws(Errno) {
    closed = try Directory.identity(of: descriptor)
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Writes what the file is to hold, once.
  package func write(_ bytes: [UInt8]) throws(Errno) { try Self.writeAll(bytes, to: descriptor) }

  /// Waits until the data are on disk. After a failure the caller drops the file: a second attempt may report success for
  /// data that are lost (fsync(2), "errors").
  package func flush() throws(Errno) {
    guard fdatasync(descriptor) == 0 else { throw Errno(rawValue: errno) }
  }

  package var raw: Int32 { descriptor }

  /// Renames the file to its final name, in place of a file, a link or a FIFO there. A directory there is moved to where the
  /// temporaries are.
  ///
  /// - Returns: the file as it is found there.
  @discardableResult
  package consuming func publish(as finalName: String, in target: Int32) throws(Errno) -> FileIdentity {
    try publish(as: CachePath(finalName), in: target)
  }

  /// The same for a name that is any bytes.
  @discardableResult
  package consuming func publish(as finalPath: CachePath, in target: Int32) throws(Errno) -> FileIdentity {
    let finalName = finalPath.bytes.map { CChar(bitPattern: $0) } + [0]
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
    // Its change time is that of the rename. Another file there was put by another program; the next sweep finds it.
    guard let found = try? Directory.identity(of: finalPath, in: target), found.isSameFile(as: closed) else {
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
