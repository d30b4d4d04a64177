import CLinux
import Glibc
public import SystemPackage

/// A file that appears whole under its name or not at all: written under an unguessable name, then renamed. The temporary is
/// removed when it is not published.
public struct AtomicFile: ~Copyable {
  private let directory: Int32
  // The name's parts rather than the name: a value that can be given up early holds nothing that needs destroying.
  private let prefix: StaticString
  private let number: UInt64
  private let descriptor: Int32

  private var name: String { Self.name(number, prefix) }

  fileprivate static func name(_ number: UInt64, _ prefix: StaticString) -> String {
    prefix.description + String(number, radix: 36)
  }

  /// Whether a name is one that this type gives to temporaries of a prefix.
  package static func isName(_ name: [UInt8], of prefix: StaticString) -> Bool {
    let (text, prefix) = (String(decoding: name, as: UTF8.self), prefix.description)
    guard text.utf8.starts(with: prefix.utf8), let number = UInt64(text.dropFirst(prefix.count), radix: 36) else {
      return false
    }
    return text == prefix + String(number, radix: 36)
  }

  /// - Parameter directory: where the temporary lies; on the same file system as where it is published. The caller keeps
  ///   it open.
  package init(in directory: Int32, mode: UInt32, prefix: StaticString) throws(Errno) {
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
    Glibc.close(descriptor)
    unlinkat(directory, name, 0)
  }

  /// Closes the file, and leaves it to the caller to publish or to remove it.
  package consuming func close() throws(Errno) -> WrittenFile {
    do throws(Errno) {
      let written = WrittenFile(prefix: prefix, number: number, identity: try Directory.identity(of: descriptor))
      Glibc.close(descriptor)
      discard self
      return written
    } catch {
      _ = consume self
      throw error
    }
  }

  /// Writes what the file is to hold, once.
  package func write(_ bytes: [UInt8]) throws(Errno) { try Self.writeAll(bytes, to: descriptor) }

  /// Waits until the data are on disk. After a failure the caller drops the file: a second attempt may report success for
  /// data that are lost (fsync(2), "errors").
  package func flush() throws(Errno) {
    guard fdatasync(descriptor) == 0 else { throw Errno(rawValue: errno) }
  }

  package var raw: Int32 { descriptor }

  /// Renames the file to its final name, in place of a file, a link or a FIFO there. A directory there is an error.
  package consuming func publish(as finalName: String, in target: Int32) throws(Errno) {
    try publish(as: CachePath(finalName), in: target)
  }

  /// The same for a name that is any bytes.
  package consuming func publish(as finalName: CachePath, in target: Int32) throws(Errno) {
    do throws(Errno) {
      try Self.rename(name, in: directory, to: finalName, in: target, aside: [])
    } catch {
      _ = consume self
      throw error
    }
    Glibc.close(descriptor)
    discard self
  }

  /// - Parameter aside: where a directory of the final name may be moved to; the first that is on the same file system.
  fileprivate static func rename(
    _ name: String, in directory: Int32, to finalPath: CachePath, in target: Int32, aside: [Int32]
  ) throws(Errno) {
    let finalName = finalPath.bytes.map { CChar(bitPattern: $0) } + [0]
    if renameat(directory, name, target, finalName) == 0 { return }
    let reason = Errno(rawValue: errno)
    guard reason == .isDirectory || reason == .directoryNotEmpty else { throw reason }
    let replaced = "replaced-" + String(clinux_random(), radix: 36)
    guard aside.contains(where: { renameat(target, finalName, $0, replaced) == 0 }),
      renameat(directory, name, target, finalName) == 0
    else { throw reason }
  }

  /// Writes all of it, however the kernel cuts it up.
  public static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
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

/// An ``AtomicFile`` that is written and closed: many of them wait together for a flush, and a process has only so many
/// descriptors. It stays until the caller publishes or removes it.
package struct WrittenFile: Sendable {
  fileprivate let prefix: StaticString
  fileprivate let number: UInt64
  fileprivate let identity: FileIdentity

  private var name: String { AtomicFile.name(number, prefix) }

  /// Waits until the data are on disk.
  ///
  /// - Parameter directory: where the file lies, as for the other functions.
  package func flush(in directory: Int32) throws(Errno) {
    try Directory.flush(CachePath(name), in: directory)
  }

  /// Renames the file to its final name, as ``AtomicFile/publish(as:in:)`` does.
  ///
  /// - Parameter aside: another directory that a directory of the final name may be moved to.
  /// - Returns: the file as it is found there.
  @discardableResult
  package func publish(
    from directory: Int32, as finalName: String, in target: Int32, aside: Int32? = nil
  ) throws(Errno) -> FileIdentity {
    try AtomicFile.rename(
      name, in: directory, to: CachePath(finalName), in: target, aside: [aside, directory].compactMap(\.self))
    // Its change time is that of the rename. Another file there was put by another program; the next sweep finds it.
    guard let found = try? Directory.identity(of: CachePath(finalName), in: target), found.isSameFile(as: identity)
    else { return identity }
    return found
  }

  package func remove(from directory: Int32) { unlinkat(directory, name, 0) }
}
