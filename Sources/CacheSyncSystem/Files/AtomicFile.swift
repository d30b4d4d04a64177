import CLinux
import Glibc
import Synchronization
public import SystemPackage

/// A file that appears whole under its name or not at all. It is written under an unguessable name, then renamed. An
/// unpublished temporary is removed.
public struct AtomicFile: ~Copyable {
  private let directory: Int32
  // The parts of the name instead of a string: a value that is discarded early must not own anything that needs
  // destroying.
  private let prefix: StaticString
  private let number: UInt64
  private let descriptor: Int32

  private var name: String { Self.name(number, prefix) }

  private static let open = Atomic(0)

  /// Whether a thread of this process is writing one. A process that ends meanwhile leaves its temporary.
  package static var isWriting: Bool { open.load(ordering: .relaxed) > 0 }

  fileprivate static func name(_ number: UInt64, _ prefix: StaticString) -> String {
    prefix.description + String(number, radix: 36)
  }

  /// Whether a name is one that this type gives to temporaries with a prefix.
  package static func isName(_ name: [UInt8], of prefix: StaticString) -> Bool {
    let (text, prefix) = (String(decoding: name, as: UTF8.self), prefix.description)
    guard text.utf8.starts(with: prefix.utf8), let number = UInt64(text.dropFirst(prefix.count), radix: 36) else {
      return false
    }
    return text == prefix + String(number, radix: 36)
  }

  /// - Parameter directory: the directory of the temporary, on the same file system as the final one. The caller keeps
  ///   it open.
  package init(in directory: Int32, mode: UInt32, prefix: StaticString) throws(Errno) {
    self.directory = directory
    Self.open.add(1, ordering: .relaxed)
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
      guard errno == EEXIST, attempt < 8 else {
        let reason = Errno(rawValue: errno)
        Self.open.subtract(1, ordering: .relaxed)
        throw reason
      }
    }
  }

  deinit {
    unlinkat(directory, name, 0)
    Self.close(descriptor)
  }

  private static func close(_ descriptor: Int32) {
    Glibc.close(descriptor)
    open.subtract(1, ordering: .relaxed)
  }

  /// Closes the file. The caller then must publish or remove it.
  package consuming func close() -> WrittenFile {
    let written = WrittenFile(prefix: prefix, number: number)
    Self.close(descriptor)
    discard self
    return written
  }

  /// Writes the content of the file, once.
  package func write(_ bytes: [UInt8]) throws(Errno) { try Self.writeAll(bytes, to: descriptor) }

  /// Waits until the data are on disk. After a failure the caller must discard the file: a second attempt may report
  /// success for data that are lost (fsync(2), "errors").
  package func flush() throws(Errno) {
    guard fdatasync(descriptor) == 0 else { throw Errno(rawValue: errno) }
  }

  package var raw: Int32 { descriptor }

  /// Renames the file to its final name, and replaces a file, link or FIFO with that name. A directory with that name
  /// is an error.
  package consuming func publish(as finalName: CachePath, in target: Int32) throws(Errno) {
    do throws(Errno) {
      try Self.rename(name, in: directory, to: finalName, in: target, aside: [])
    } catch {
      _ = consume self
      throw error
    }
    Self.close(descriptor)
    discard self
  }

  /// - Parameter aside: directories that a directory with the final name may be moved to; the first on the same file
  ///   system is used.
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

  /// Writes all bytes, even if the kernel accepts them in several parts.
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

/// An ``AtomicFile`` that is written and closed. Many of them may wait together for a flush, and a process has a
/// limited number of descriptors. It remains until the caller publishes or removes it.
package struct WrittenFile: Sendable {
  fileprivate let prefix: StaticString
  fileprivate let number: UInt64

  private var name: String { AtomicFile.name(number, prefix) }

  /// Waits until the data are on disk.
  ///
  /// - Parameter directory: the directory of the file, as for the other functions.
  package func flush(in directory: Int32) throws(Errno) {
    try Directory.flush(CachePath(name), in: directory)
  }

  /// Renames the file to its final name, as ``AtomicFile/publish(as:in:)`` does.
  ///
  /// - Parameters:
  ///   - byteCount: how many bytes were written.
  ///   - aside: another directory that a directory with the final name may be moved to.
  /// - Returns: the identity of the published file; nil if another program has replaced it at once.
  package func publish(
    from directory: Int32, as finalName: String, of byteCount: Int, in target: Int32, aside: Int32? = nil
  ) throws(Errno) -> FileIdentity? {
    try AtomicFile.rename(
      name, in: directory, to: CachePath(finalName), in: target, aside: [aside, directory].compactMap(\.self))
    // Not before the rename, which changes the change time.
    let found = try? Directory.identity(of: CachePath(finalName), in: target)
    return found?.type == .regular && found?.size == Int64(byteCount) ? found : nil
  }

  package func remove(from directory: Int32) { unlinkat(directory, name, 0) }
}
