package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import SystemPackage

/// The directories in a cache that the agent writes into. It refuses a link in their place, and a directory of another user.
package struct OwnedDirectory: ~Copyable {
  package let descriptor: Descriptor
  /// Whether this call has made it.
  let isNew: Bool
  private let about: stat

  var raw: Int32 { descriptor.raw }
  var device: UInt64 { UInt64(about.st_dev) }

  /// Throws when `snapshots`, or the directory of temporaries in it, is a link or another user's. One that is missing, or cannot
  /// be opened now, is no error.
  package static func refuseForeignOutputs(in root: CacheRoot) throws(PublishError) {
    do throws(PublishError) {
      let outputs = try OwnedDirectory(CacheLayout.snapshots, in: root.raw, mode: nil)
      _ = try OwnedDirectory(CacheLayout.temporaries, in: outputs.raw, below: CacheLayout.snapshots, mode: nil)
    } catch {
      if error.explanation != nil { throw error }
    }
  }

  /// - Parameters:
  ///   - parent: the open directory in which it is.
  ///   - parentName: where that one is in the cache, for messages; nil: it is the cache itself.
  ///   - mode: what to make the directory with if need be; nil: not at all.
  ///   - isExact: whether the directory gets the mode whatever the umask is.
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
      // A umask may have taken away even what is needed to open it.
      Self.setMode(mode, of: name, in: parent)
      result = openat(parent, name, flags)
    }
    guard let directory = Descriptor(result) else {
      let reason = Errno(rawValue: errno)
      guard reason == .tooManySymbolicLinkLevels || reason == .notDirectory else {
        throw PublishError(.open, path, reason)
      }
      throw PublishError(
        .open, path, .notPermitted, explanation: "it is a link or a file: put a directory there, or remove it")
    }
    var about = stat()
    guard fstat(directory.raw, &about) == 0 else { throw PublishError(.open, path, Errno(rawValue: errno)) }
    guard about.st_uid == geteuid() else {
      throw PublishError(
        .open, path, .notPermitted, explanation: "it belongs to another user: run as its owner, or remove it")
    }
    // Only when it differs: fchmod(2) takes the set-group-ID bit from a directory whose group is not the process's.
    if isExact, let mode, about.st_mode & 0o777 != mode { fchmod(directory.raw, about.st_mode & 0o7000 | mode) }
    descriptor = directory
    self.isNew = isNew
    self.about = about
  }

  consuming func opened() -> Descriptor { descriptor }

  consuming func shared() -> SharedDescriptor { SharedDescriptor(descriptor) }

  /// Whether a directory that is made in this one now would be as `child` is: of the same group, with the same default access
  /// list.
  func passesOn(to child: borrowing OwnedDirectory) -> Bool {
    let isSetGroup = about.st_mode & S_ISGID
    guard isSetGroup == child.about.st_mode & S_ISGID else { return false }
    // Without the bit a new directory has the process's group, or on some file systems this directory's.
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
  /// It goes by the descriptor of the directory that was checked: a moment later the name may be another user's link.
  private static func setMode(_ mode: UInt32, of name: String, in parent: Int32) {
    guard let directory = Descriptor(clinux_open_path_beneath(parent, name)),
      let identity = try? Directory.identity(of: directory.raw), identity.type == .directory,
      Directory.owner(of: directory.raw) == geteuid()
    else { return }
    // fchmod(2) takes no such descriptor; its entry in /proc leads to this directory and no other.
    chmod("/proc/self/fd/\(directory.raw)", mode)
  }
}
