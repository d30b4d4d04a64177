package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import SystemPackage

/// A directory in a cache that the agent writes into. It refuses a link in its place, and a directory of another user.
package struct OwnedDirectory: ~Copyable {
  package let descriptor: Descriptor
  /// Whether this call created it.
  let isNew: Bool
  private let about: stat
  /// The process keeps its user.
  private static let user = geteuid()

  var raw: Int32 { descriptor.raw }
  var device: UInt64 { UInt64(about.st_dev) }

  /// Throws when `snapshots`, or the directory of temporaries in it, is a link or belongs to another user. A missing or
  /// temporarily unreadable directory is not an error.
  package static func refuseForeignOutputs(in root: CacheRoot) throws(PublishError) {
    do throws(PublishError) {
      let outputs = try OwnedDirectory(CacheLayout.snapshots, in: root.raw, mode: nil)
      _ = try OwnedDirectory(CacheLayout.temporaries, in: outputs.raw, below: CacheLayout.snapshots, mode: nil)
    } catch {
      if error.explanation != nil { throw error }
    }
  }

  /// - Parameters:
  ///   - parent: the open directory that contains it.
  ///   - parentName: the path of that directory in the cache, for messages; nil for the cache itself.
  ///   - mode: the permissions to create a missing directory with; nil does not create one.
  ///   - isExact: whether the mode overrides the umask.
  init(_ name: String, in parent: Int32, below parentName: String? = nil, mode: UInt32?, isExact: Bool = false)
    throws(PublishError)
  {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let path = parentName.map { "\($0)/\(name)" } ?? name
    var isNew = false
    var result = openat(parent, name, flags)
    if result < 0, errno == ENOENT, let mode {
      isNew = mkdirat(parent, name, mode) == 0
      guard isNew || errno == EEXIST else { throw PublishError(.create, path, Errno(rawValue: errno)) }
      result = openat(parent, name, flags)
    }
    if result < 0, errno == EACCES, isExact, let mode {
      // The umask may have removed even the permissions that are required to open it.
      Self.setMode(mode, of: name, in: parent)
      result = openat(parent, name, flags)
    }
    guard let directory = Descriptor(result) else {
      let reason = Errno(rawValue: errno)
      var about = stat()
      if reason == .permissionDenied, fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) == 0,
        about.st_uid != Self.user
      {
        throw PublishError(foreign: path)
      }
      guard reason == .tooManySymbolicLinkLevels || reason == .notDirectory else {
        throw PublishError(.open, path, reason)
      }
      throw PublishError(
        .open, path, .notPermitted, explanation: "it is a link or a file: put a directory there, or remove it")
    }
    var about = stat()
    guard fstat(directory.raw, &about) == 0 else { throw PublishError(.open, path, Errno(rawValue: errno)) }
    guard about.st_uid == Self.user else {
      throw PublishError(foreign: path)
    }
    // Only when it differs: fchmod(2) clears the set-group-ID bit of a directory whose group is not the process's.
    if isExact, let mode, about.st_mode & 0o777 != mode { fchmod(directory.raw, about.st_mode & 0o7000 | mode) }
    descriptor = directory
    self.isNew = isNew
    self.about = about
  }

  consuming func opened() -> Descriptor { descriptor }

  consuming func shared() -> SharedDescriptor { SharedDescriptor(descriptor) }

  /// Whether a directory created in this one now would be like `child`: with the same group and the same default access
  /// list.
  func passesOn(to child: borrowing OwnedDirectory) -> Bool {
    let isSetGroup = about.st_mode & S_ISGID
    guard isSetGroup == child.about.st_mode & S_ISGID else { return false }
    // Without the bit a new directory gets the process's group, or on some file systems this directory's.
    guard about.st_gid == child.about.st_gid || (isSetGroup == 0 && child.about.st_gid == getegid()) else {
      return false
    }
    return clinux_has_same_default_acl(raw, child.raw)
  }

  /// Deletes the temporaries that a killed agent left behind.
  func removeTemporaries() {
    guard let entries = try? Directory.list(raw) else { return }
    for entry in entries where entry.name.starts(with: Array(CacheLayout.temporaryPrefix.description.utf8)) {
      _ = CachePath(bytes: entry.name).withCString { unlinkat(raw, $0, 0) }
    }
  }

  /// Sets the mode of a directory that the agent owns and cannot open.
  ///
  /// It uses the descriptor of the checked directory: a moment later another user's link may have the name.
  private static func setMode(_ mode: UInt32, of name: String, in parent: Int32) {
    guard let directory = Descriptor(clinux_open_path_beneath(parent, name)),
      let identity = try? Directory.identity(of: directory.raw), identity.type == .directory,
      Directory.owner(of: directory.raw) == user
    else { return }
    // fchmod(2) rejects such a descriptor; its entry in /proc leads to exactly this directory.
    chmod("/proc/self/fd/\(directory.raw)", mode)
  }
}
