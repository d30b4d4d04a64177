import CLinux
package import Glibc
public import SystemPackage

/// An open file descriptor that is closed when its owner is destroyed.
package struct Descriptor: ~Copyable, Sendable {
  package let raw: Int32

  /// Takes over what a system call returned; nil for its failure, with the reason left in `errno`.
  package init?(_ result: Int32) {
    guard result >= 0 else { return nil }
    raw = result
  }

  deinit { close(raw) }

  /// Gives up the descriptor without closing it; the caller closes it.
  package consuming func detach() -> Int32 {
    let value = raw
    discard self
    return value
  }
}

/// A descriptor that several owners keep open.
package final class SharedDescriptor: Sendable {
  private let descriptor: Descriptor

  package var raw: Int32 { descriptor.raw }

  package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}

/// What a file is and when it last changed: equal identities mean that nothing was written in between, as far as
/// the file system's clock can tell.
package struct FileIdentity: Hashable, Sendable {
  package enum FileType: Sendable, Hashable { case regular, directory, link, other }

  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  package var modifiedNanoseconds: Int64
  package var changedNanoseconds: Int64
  package var type: FileType

  package init(_ about: stat) {
    device = UInt64(about.st_dev)
    inode = UInt64(about.st_ino)
    size = Int64(about.st_size)
    modifiedNanoseconds = Int64(about.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(about.st_mtim.tv_nsec)
    changedNanoseconds = Int64(about.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(about.st_ctim.tv_nsec)
    type =
      switch about.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
  }

  /// A regular file's identity from its parts.
  package init(device: UInt64, inode: UInt64, size: Int64, modifiedNanoseconds: Int64, changedNanoseconds: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.changedNanoseconds = changedNanoseconds
    type = .regular
  }

  /// What stays when a file moves: everything but the change time.
  package struct Moving: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modifiedNanoseconds: Int64
  }

  package var moving: Moving {
    Moving(device: device, inode: inode, size: size, modifiedNanoseconds: modifiedNanoseconds)
  }

  /// Two files are one when device and inode are the same.
  package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

/// The calls on directories that the rest of the library is written in. Every path is relative to a directory that is
/// already open, so that another program cannot put another directory in the place of one above it.
public enum Directory {
  package static func identity(of descriptor: Int32) throws(Errno) -> FileIdentity {
    var about = stat()
    guard fstat(descriptor, &about) == 0 else { throw Errno(rawValue: errno) }
    return FileIdentity(about)
  }

  /// Follows no link, neither at the end of the path nor on the way there: `tooManySymbolicLinkLevels`.
  package static func identity(of path: CachePath, in directory: Int32) throws(Errno) -> FileIdentity {
    if path.bytes.contains(UInt8(ascii: "/")) {
      let result = path.withCString { clinux_open_path_beneath(directory, $0) }
      if let found = Descriptor(result) { return try identity(of: found.raw) }
      // The process has no descriptor left. fstatat needs none; failing here would make a problem of every file.
      guard errno == EMFILE || errno == ENFILE else { throw Errno(rawValue: errno) }
    }
    var about = stat()
    let result = path.withCString { fstatat(directory, $0, &about, AT_SYMLINK_NOFOLLOW) }
    guard result == 0 else { throw Errno(rawValue: errno) }
    return FileIdentity(about)
  }

  package static func owner(of descriptor: Int32) -> uid_t? {
    var about = stat()
    return fstat(descriptor, &about) == 0 ? about.st_uid : nil
  }

  /// Who may read, write and execute: nine bits.
  package static func permissions(of descriptor: Int32) -> UInt32? {
    var about = stat()
    return fstat(descriptor, &about) == 0 ? UInt32(about.st_mode) & 0o777 : nil
  }

  /// Waits until the data of a file in a directory are on disk. It follows no link.
  package static func flush(_ name: CachePath, in directory: Int32) throws(Errno) {
    let result = name.withCString { openat(directory, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard let file = Descriptor(result), fdatasync(file.raw) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Waits until the names in a directory are on disk.
  package static func flush(_ directory: Int32) throws(Errno) {
    guard fsync(directory) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Opens a directory below another one, through no link.
  package static func open(_ path: CachePath, in directory: Int32) throws(Errno) -> Descriptor {
    let result =
      path.isRoot
      ? openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      : path.withCString { clinux_open_beneath(directory, $0, O_RDONLY | O_DIRECTORY) }
    guard let descriptor = Descriptor(result) else { throw Errno(rawValue: errno) }
    return descriptor
  }

  /// One name in a directory.
  public struct Entry: Sendable {
    /// The name, as bytes.
    public var name: [UInt8]
    /// What it is, as far as the listing tells.
    public var type: EntryType
  }

  /// What a listing says an entry is; `unknown` on file systems that do not.
  public enum EntryType: Sendable {
    /// A file.
    case regular
    /// A directory.
    case directory
    /// A symbolic link.
    case link
    /// A socket, a FIFO or a device.
    case other
    /// The file system does not tell.
    case unknown
  }

  /// The names in a directory, as bytes, without `.` and `..`, in no order.
  public static func list(_ directory: Int32) throws(Errno) -> [Entry] {
    // fdopendir takes the descriptor it is given, and its position; so it gets one of its own.
    guard let own = Descriptor(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
      throw Errno(rawValue: errno)
    }
    guard let stream = clinux_opendir(own.raw) else { throw Errno(rawValue: errno) }
    _ = own.detach()
    defer { clinux_closedir(stream) }
    var entries: [Entry] = []
    var type: UInt8 = 0
    var inode: UInt64 = 0
    while let name = clinux_readdir(stream, &type, &inode) {
      let bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
      entries.append(Entry(name: bytes, type: entryType(type)))
    }
    if errno != 0 { throw Errno(rawValue: errno) }
    return entries
  }

  private static func entryType(_ raw: UInt8) -> EntryType {
    switch Int(raw) {
    case Int(DT_REG): .regular
    case Int(DT_DIR): .directory
    case Int(DT_LNK): .link
    case Int(DT_UNKNOWN): .unknown
    default: .other
    }
  }
}
