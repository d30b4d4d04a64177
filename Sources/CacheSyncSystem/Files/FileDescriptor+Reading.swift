import Glibc
public import SystemPackage

extension FileDescriptor {
  /// Reads the rest of the file.
  ///
  /// - Throws: `fileTooLarge` when the rest exceeds the limit, or the kernel's error.
  public func readAll(limit: Int = .max) throws(Errno) -> [UInt8] {
    do {
      var bytes: [UInt8] = []
      try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
        while true {
          let count = try read(into: buffer)
          if count == 0 { return }
          bytes.append(contentsOf: buffer[..<count])
          guard bytes.count <= limit else { throw Errno.fileTooLarge }
        }
      }
      return bytes
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Reads the whole file at a path.
  public static func readAll(at path: FilePath, limit: Int = .max) throws -> [UInt8] {
    let file = try open(path, .readOnly, options: .closeOnExec)
    return try file.closeAfter { try file.readAll(limit: limit) }
  }
}

extension FilePath {
  /// Whether something is at the path, which may be a link that leads nowhere.
  package var exists: Bool {
    var about = Glibc.stat()
    return withPlatformString { lstat($0, &about) } == 0
  }

  /// The text of a symbolic link; nil if the path is not a link.
  package var linkTarget: FilePath? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = withPlatformString { readlink($0, &buffer, buffer.count - 1) }
    return count > 0 ? FilePath(platformString: buffer) : nil
  }
}
