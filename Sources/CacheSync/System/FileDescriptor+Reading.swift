package import SystemPackage

extension FileDescriptor {
  /// What is left to read, to the end.
  package func readAll() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      while true {
        let count = try read(into: buffer)
        if count == 0 { return }
        bytes.append(contentsOf: buffer[..<count])
      }
    }
    return bytes
  }
}
