import Glibc
import SystemPackage

/// The system calls on directories that are open already, so that another program cannot put another directory, or a link, in
/// the place of one above.
enum FileCall {
  /// Opens a directory in another one, and no link to one.
  static func directory(_ name: [UInt8], in parent: Int32) throws(Errno) -> Int32 {
    try check(withName(name) { openat(parent, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) })
  }

  static func directory(at path: FilePath) throws(Errno) -> Int32 {
    try check(path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) })
  }

  static func read(_ name: [UInt8], in directory: Int32) throws(Errno) -> [UInt8] {
    let file = try check(withName(name) { openat(directory, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) })
    defer { close(file) }
    guard try about(file).st_mode & S_IFMT == S_IFREG else { throw .invalidArgument }
    do {
      return try SmallFile.bytes(FileDescriptor(rawValue: file))
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  static func writeAll(_ bytes: [UInt8], to file: Int32) throws(Errno) {
    do {
      try FileDescriptor(rawValue: file).writeAll(bytes)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  static func about(_ descriptor: Int32) throws(Errno) -> stat {
    var about = stat()
    try check(fstat(descriptor, &about))
    return about
  }

  static func names(in directory: Int32) throws(Errno) -> [String] {
    // fdopendir takes the descriptor that it is given.
    let own = try check(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard let stream = fdopendir(own) else {
      let reason = Errno(rawValue: errno)
      close(own)
      throw reason
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func withName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (name + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { chars in
        guard let base = chars.baseAddress else { preconditionFailure("a name has its zero byte") }
        return body(base)
      }
    }
  }

  @discardableResult
  static func check(_ result: Int32) throws(Errno) -> Int32 {
    guard result >= 0 else { throw Errno(rawValue: errno) }
    return result
  }
}
