public import SystemPackage

extension FileDescriptor {
  /// What is left to read, to the end.
  ///
  /// - Throws: `fileTooLarge` when it is more than the limit, and what the kernel says.
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

  /// The same of the file at a path.
  public static func readAll(at path: FilePath, limit: Int = .max) throws -> [UInt8] {
    let file = try open(path, .readOnly, options: .closeOnExec)
    return try file.closeAfter { try file.readAll(limit: limit) }
  }
}
