import Glibc
package import SystemPackage

/// Reading files whole.
package enum SmallFile {
  /// What is left to read, to the end; throws `fileTooLarge` beyond the limit.
  package static func bytes(_ file: FileDescriptor, limit: Int = .max) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      while true {
        let count = try file.read(into: buffer)
        if count == 0 { return }
        bytes.append(contentsOf: buffer[..<count])
        guard bytes.count <= limit else { throw Errno.fileTooLarge }
      }
    }
    return bytes
  }

  package static func bytes(at path: FilePath, limit: Int = .max) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    defer { try? file.close() }
    return try bytes(file, limit: limit)
  }
}
