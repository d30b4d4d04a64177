public import SystemPackage

extension FileDescriptor {
  /// Reads the rest of the file.
  ///
  /// - Throws: `fileTooLarge` when the rest exceeds the limit, or the kernel's error.
  public func readAll(limit: Int = .max) throws -> [UInt8] {
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
  }

  /// Reads the whole file at a path.
  public static func readAll(at path: FilePath, limit: Int = .max) throws -> [UInt8] {
    let file = try open(path, .readOnly, options: .closeOnExec)
    return try file.closeAfter { try file.readAll(limit: limit) }
  }
}
