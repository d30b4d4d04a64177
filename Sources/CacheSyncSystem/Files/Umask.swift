import SystemPackage

/// The permissions that the kernel removes from every file that this process creates (umask(2)).
package enum Umask {
  /// Read once: the process never changes it. It comes from `/proc`, because umask(2) cannot read the mask without
  /// setting it for all threads.
  package static let current: UInt32 = {
    guard let file = try? FileDescriptor.open("/proc/self/status", .readOnly, options: .closeOnExec) else {
      return 0o22
    }
    defer { try? file.close() }
    let text = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = (try? file.read(into: buffer)) ?? 0
      return String(decoding: buffer[..<count], as: UTF8.self)
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    return line.flatMap { UInt32($0.dropFirst(6).filter(\.isNumber), radix: 8) } ?? 0o22
  }()
}
