import CacheSync
import CacheSyncPrograms
import FoundationEssentials
import Glibc
import SystemPackage

/// Files for pictures.
enum Output {
  /// Writes a file whole or not at all: under another name in its directory, then renamed. A file with the same bytes stays.
  ///
  /// - Returns: whether the file changed.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: String) throws -> Bool {
    let url = URL(filePath: path)
    // What is no file, such as /dev/stdout or a FIFO, is written to and not replaced.
    var about = Glibc.stat()
    let exists = stat(path, &about) == 0
    if exists, about.st_mode & S_IFMT != S_IFREG, about.st_mode & S_IFMT != S_IFDIR {
      try write(bytes, into: path)
      return true
    }
    if exists, about.st_size == bytes.count, (try? Data(contentsOf: url)) == Data(bytes) { return false }
    do throws(Errno) {
      if exists, about.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
      try WholeFile.write(bytes, to: FilePath(path), mode: exists ? about.st_mode & 0o7777 : nil)
      return true
    } catch {
      let isFull = error == .noSpace || error == .ioError
      throw Failure(
        "cannot write \(path): \(error); choose another place or make room", isFull ? .inputOutput : .cannotCreate)
    }
  }

  private static func write(_ bytes: [UInt8], into path: String) throws {
    do {
      let file = try FileDescriptor.open(FilePath(path), .writeOnly)
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      throw Failure("cannot write \(path): \(error)", .cannotCreate)
    }
  }

  /// Makes a directory, and the ones above it.
  static func makeDirectory(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw Failure("cannot make the directory \(path); choose another place", .cannotCreate)
    }
  }
}
