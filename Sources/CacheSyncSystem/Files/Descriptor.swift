import CLinux
package import Glibc
import Synchronization
public import SystemPackage

/// An open file descriptor that is closed when its owner is destroyed.
package struct Descriptor: ~Copyable, Sendable {
  package let raw: Int32

  /// Takes ownership of a system call's result. Nil when the call failed, with the reason left in `errno`.
  package init?(_ result: Int32) {
    guard result >= 0 else { return nil }
    raw = result
  }

  deinit { close(raw) }

  /// Gives up ownership of the descriptor without closing it; the caller must close it.
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

/// The file systems on which the inode of a file may change while the file stays the same: those that report no events
/// (network and FUSE mounts). Measured: sshfs, cryfs, exfat-fuse, unionfs-fuse and mergerfs give new inodes when the
/// kernel drops its caches. A file that is open keeps its inode.
package enum ChangingInodes {
  private static let devices = Mutex<Set<UInt64>>([])

  /// Records whether the inodes of a device may change.
  package static func record(_ mayChange: Bool, on device: UInt64) {
    devices.withLock { devices in
      if mayChange { devices.insert(device) } else { devices.remove(device) }
    }
  }

  package static func areExpected(on device: UInt64) -> Bool { devices.withLock { $0.contains(device) } }
}

/// Identifies a file and its last change. Equal identities mean that nothing was written in between, as far as the file
/// system's clock can show.
///
/// On a file system of ``ChangingInodes``, the inode does not count.
package struct FileIdentity: Hashable, Sendable {
  package enum FileType: Sendable, Hashable { case regular, directory, link, other }

  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  package var modifiedNanoseconds: Int64
  package var changedNanoseconds: Int64
  package var type: FileType
  /// Whether the file has several names (hard links). It does not belong to the identity.
  package var hasOtherNames: Bool

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
    hasOtherNames = about.st_nlink > 1 && type == .regular
  }

  /// Creates a regular file's identity from its parts.
  package init(device: UInt64, inode: UInt64, size: Int64, modifiedNanoseconds: Int64, changedNanoseconds: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.changedNanoseconds = changedNanoseconds
    type = .regular
    hasOtherNames = false
  }

  package static func == (a: FileIdentity, b: FileIdentity) -> Bool {
    a.changedNanoseconds == b.changedNanoseconds && a.type == b.type && a.isSameContent(as: b)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(size)
    hasher.combine(modifiedNanoseconds)
    hasher.combine(changedNanoseconds)
    hasher.combine(type)
  }

  /// Whether both identities are of the same file, and nothing was written to it in between.
  package func isSameContent(as other: FileIdentity) -> Bool {
    device == other.device && size == other.size && modifiedNanoseconds == other.modifiedNanoseconds
      && (inode == other.inode || ChangingInodes.areExpected(on: device))
  }

  /// Whether the file system seems to store times in whole seconds.
  package var hasCoarseTimes: Bool {
    modifiedNanoseconds % 1_000_000_000 == 0 && changedNanoseconds % 1_000_000_000 == 0
  }

  /// The parts that do not change when a file moves: everything but the change time.
  package struct Moving: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modifiedNanoseconds: Int64
  }

  package var moving: Moving {
    Moving(device: device, inode: inode, size: size, modifiedNanoseconds: modifiedNanoseconds)
  }

  /// Whether both identities are of the same file: device and inode are equal. On a file system of ``ChangingInodes``,
  /// this holds only while the file is open.
  package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

/// The directory calls that the rest of the library uses. Every path is relative to an open directory, so that another
/// program cannot replace one of its parents.
public enum Directory {
  package static func identity(of descriptor: Int32) throws(Errno) -> FileIdentity {
    var about = stat()
    guard fstat(descriptor, &about) == 0 else { throw Errno(rawValue: errno) }
    return FileIdentity(about)
  }

  /// Follows no link, neither in the path nor at its end; such a link throws `tooManySymbolicLinkLevels`.
  package static func identity(of path: CachePath, in directory: Int32) throws(Errno) -> FileIdentity {
    if path.bytes.contains(UInt8(ascii: "/")) {
      let result = path.withCString { clinux_open_path_beneath(directory, $0) }
      if let found = Descriptor(result) { return try identity(of: found.raw) }
      // The process has no descriptor left. fstatat needs none; an error here would make every file a problem.
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

  /// The permissions to read, write and execute: nine bits.
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

  /// Renames an entry of a directory, unless another one has the new name. The names contain no slash.
  ///
  /// - Throws: `fileExists` if the new name is used; `invalidArgument` if the file system does not support such renames.
  public static func renameWithoutReplacing(
    _ name: String, in directory: Int32, to newName: [UInt8], in target: Int32
  ) throws(Errno) {
    let result = CachePath(bytes: newName).withCString {
      clinux_rename_without_replacing(directory, name, target, $0)
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Opens a directory below another one, without following links.
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
    /// Its type, if the listing contains it.
    public var type: EntryType
  }

  /// The type of an entry in a listing; `unknown` on file systems that do not report it.
  public enum EntryType: Sendable {
    /// A file.
    case regular
    /// A directory.
    case directory
    /// A symbolic link.
    case link
    /// A socket, a FIFO or a device.
    case other
    /// The file system does not report the type.
    case unknown
  }

  /// The names in a directory, as bytes, without `.` and `..`, unordered.
  ///
  /// It has every name that was there the whole time, and may have some that have been removed. On btrfs a listing leaves
  /// out a name that another program replaces by a rename meanwhile: the name moves behind the end that the listing had
  /// when it was opened (seen with kernel 6.18 in a tenth of the listings). So a directory that changes is listed again,
  /// then its end is read again a few times, and every name counts that was found.
  public static func list(_ directory: Int32) throws(Errno) -> [Entry] {
    try list(directory, once: entries)
  }

  /// How often a directory that changes all the time is read, mostly its end alone. On btrfs each reading of the end
  /// takes a few µs, and a name must move behind it in all of them to be left out.
  private static let maximumListings = 16

  /// Up to this age, a directory's change time may not show another change: it moves in steps of the kernel's tick.
  private static let tickNanoseconds: Int64 = 20_000_000

  /// What a listing found, and the position before its last entry.
  package typealias Listing = (entries: [Entry], last: Int64)

  /// - Parameter once: lists a directory from a position on; 0 is the beginning.
  package static func list(
    _ directory: Int32, once: (Int32, Int64) throws(Errno) -> Listing
  ) throws(Errno) -> [Entry] {
    var before = try identity(of: directory)
    var (entries, last) = try once(directory, 0)
    var places: [[UInt8]: Int] = [:]
    var wasStill = false
    for round in 2...maximumListings {
      guard let after = try? identity(of: directory) else { break }
      if after == before {
        // The clock from which the kernel takes the times of files.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        let age = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec) &- after.changedNanoseconds
        if wasStill || !(0..<tickNanoseconds).contains(age) { break }
        wasStill = true
      }
      before = after
      if places.isEmpty { places = Dictionary(zip(entries.lazy.map(\.name), entries.indices)) { $1 } }
      // Some file systems have no position to read on from, and the directory may be gone by now.
      guard let found = try? once(directory, round == 2 ? 0 : max(0, last)) else { break }
      if found.last > 0 { last = found.last }
      for entry in found.entries {
        if let place = places[entry.name] {
          entries[place] = entry
        } else {
          places[entry.name] = entries.count
          entries.append(entry)
        }
      }
    }
    return entries
  }

  private static func entries(of directory: Int32, from position: Int64) throws(Errno) -> Listing {
    // fdopendir takes ownership of its descriptor and uses its position, so it gets a separate one.
    guard let own = Descriptor(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
      position == 0 || lseek(own.raw, Int(position), SEEK_SET) >= 0
    else { throw Errno(rawValue: errno) }
    guard let stream = clinux_opendir(own.raw) else { throw Errno(rawValue: errno) }
    _ = own.detach()
    defer { clinux_closedir(stream) }
    var listing: Listing = ([], 0)
    var type: UInt8 = 0
    var next: Int64 = 0
    var latest: Int64 = 0
    while let name = clinux_readdir(stream, &type, &next) {
      let bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
      listing.entries.append(Entry(name: bytes, type: entryType(type)))
      (listing.last, latest) = (latest, next)
    }
    if errno != 0 { throw Errno(rawValue: errno) }
    return listing
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
