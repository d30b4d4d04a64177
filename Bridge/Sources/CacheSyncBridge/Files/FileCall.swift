import CacheSyncSystem
import Glibc
import SystemPackage

/// System calls relative to open directories. Another program cannot redirect them by replacing a directory of the path
/// with another one or with a link.
enum FileCall {
  /// Opens a directory in another one; throws for a link to a directory.
  static func directory(_ name: [UInt8], in parent: Int32) throws(Errno) -> Int32 {
    try check(withName(name) { openat(parent, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) })
  }

  /// Opens a directory in another one, and creates it if it is missing.
  static func directory(_ name: [UInt8], in parent: Int32, makingWith mode: mode_t) throws(Errno) -> Int32 {
    if withName(name, { mkdirat(parent, $0, mode) }) < 0, errno != EEXIST { throw Errno(rawValue: errno) }
    return try directory(name, in: parent)
  }

  static func directory(at path: FilePath) throws(Errno) -> Int32 {
    try check(path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) })
  }

  static func read(_ name: [UInt8], in directory: Int32) throws(Errno) -> [UInt8] {
    try readDated(name, in: directory).bytes
  }

  /// A file's bytes, and its modification time in nanoseconds since 1970.
  static func readDated(_ name: [UInt8], in directory: Int32) throws(Errno) -> (bytes: [UInt8], modified: Int64) {
    let file = try check(withName(name) { openat(directory, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) })
    defer { close(file) }
    let about = try about(file)
    guard about.st_mode & S_IFMT == S_IFREG else { throw .invalidArgument }
    let time = Int64(about.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let bytes = try FileDescriptor(rawValue: file).readAll()
    return (bytes, time.overflow ? 0 : time.partialValue &+ Int64(about.st_mtim.tv_nsec))
  }

  /// The bytes and the modification time of a file at a path below a directory. Follows no link on the way.
  static func readDated(at path: [UInt8], in root: Int32) throws(Errno) -> (bytes: [UInt8], modified: Int64) {
    let (parent, name) = try parent(of: path, in: root, making: false)
    defer { close(parent) }
    return try readDated(name, in: parent)
  }

  /// Sets the modification time of an open file: nanoseconds since 1970.
  static func date(_ file: Int32, _ modified: Int64) throws(Errno) {
    let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time =
      rest < 0
      ? timespec(tv_sec: Int(seconds - 1), tv_nsec: Int(rest + 1_000_000_000))
      : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    try check([time, time].withUnsafeBufferPointer { futimens(file, $0.baseAddress) })
  }

  /// Writes a file; replaces the content of an existing one.
  ///
  /// - Parameters:
  ///   - isNew: whether an existing file is an error.
  ///   - modified: the modification time to set: nanoseconds since 1970.
  ///   - isFlushed: whether to wait until the data are on disk.
  static func write(
    _ bytes: [UInt8], as name: [UInt8], in directory: Int32, mode: mode_t, isNew: Bool = false,
    modified: Int64? = nil, isFlushed: Bool = false
  ) throws(Errno) {
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (isNew ? O_EXCL : O_TRUNC)
    let file = try check(withName(name) { openat(directory, $0, flags, mode) })
    defer { close(file) }
    try AtomicFile.writeAll(bytes, to: file)
    if let modified { try date(file, modified) }
    if isFlushed { try check(fsync(file)) }
  }

  /// Deletes a directory with all its content, and follows no link.
  static func removeTree(_ name: [UInt8], in parent: Int32) throws(Errno) {
    let directory: Int32
    do throws(Errno) {
      directory = try Self.directory(name, in: parent)
    } catch {
      if error == .noSuchFileOrDirectory { return }
      throw error
    }
    defer { close(directory) }
    for entry in try entries(in: directory) {
      if entry.isDirectory {
        try removeTree(entry.name, in: directory)
      } else {
        try check(withName(entry.name) { unlinkat(directory, $0, 0) })
      }
    }
    try check(withName(name) { unlinkat(parent, $0, AT_REMOVEDIR) })
  }

  static func about(_ descriptor: Int32) throws(Errno) -> stat {
    var about = stat()
    try check(fstat(descriptor, &about))
    return about
  }

  static func names(in directory: Int32) throws(Errno) -> [String] {
    try entries(in: directory).map { String(decoding: $0.name, as: UTF8.self) }
  }

  /// The names in a directory as bytes, in no particular order, and whether each is a directory. A link to one is not.
  static func entries(in directory: Int32) throws(Errno) -> [(name: [UInt8], isDirectory: Bool)] {
    try Directory.list(directory).map { entry in
      (entry.name, entry.type == .unknown ? isDirectory(entry.name, in: directory) : entry.type == .directory)
    }
  }

  /// For file systems whose listings lack the type of an entry.
  private static func isDirectory(_ name: [UInt8], in directory: Int32) -> Bool {
    var about = stat()
    return withName(name) { fstatat(directory, $0, &about, AT_SYMLINK_NOFOLLOW) } == 0
      && about.st_mode & S_IFMT == S_IFDIR
  }

  /// The directory of a path below another one, and the path's last component. Follows no link on the way.
  ///
  /// - Parameter making: whether to create missing directories.
  static func parent(of path: [UInt8], in root: Int32, making: Bool) throws(Errno) -> (parent: Int32, name: [UInt8]) {
    var components = path.split(separator: UInt8(ascii: "/")).map(Array.init)
    guard let last = components.popLast() else { throw .invalidArgument }
    var parent = try check(openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    for component in components {
      let above = parent
      defer { close(above) }
      do throws(Errno) {
        parent = try directory(component, in: above)
      } catch {
        guard making, error == .noSuchFileOrDirectory else { throw error }
        parent = try directory(component, in: above, makingWith: 0o777)
      }
    }
    return (parent, last)
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
