import SystemPackage

/// What this process takes away from the permissions of the files it creates (umask(2)).
package enum Umask {
  /// As it was when it was first asked for: the process never changes it. Read from the kernel's word, because the system call
  /// that tells it also sets it, for a moment and for all threads.
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
