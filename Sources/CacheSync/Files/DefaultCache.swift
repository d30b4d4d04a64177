import CacheSyncSystem
import Glibc
public import SystemPackage

/// The cache to use if no other is named.
public enum DefaultCache {
  /// The error that neither the environment nor the password database has a home directory.
  public struct NoHome: Error, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, on one line.
    public var description: String {
      "no default cache: HOME is not set, and the password database has no home directory for user \(geteuid()); "
        + "set HOME, or name a cache with --cache"
    }
  }

  /// `$CACHESYNC_CACHE`, or else `$XDG_CACHE_HOME/cachesync`, or else `~/.cache/cachesync`.
  ///
  /// An empty variable counts as unset, and so does a relative `XDG_CACHE_HOME`, as the XDG specification requires.
  /// Without `HOME` the home directory comes from the password database.
  ///
  /// - Throws: ``NoHome``.
  public static var path: FilePath {
    get throws(NoHome) { if let path = path(inVariable: "CACHESYNC_CACHE") { path } else { try ofUser } }
  }

  /// The default without `$CACHESYNC_CACHE`: the cache of the user's service.
  package static var ofUser: FilePath {
    get throws(NoHome) {
      if let path = directory(inVariable: "XDG_CACHE_HOME") { return path.appending("cachesync") }
      guard let home else { throw NoHome() }
      return home.appending(".cache").appending("cachesync")
    }
  }

  /// `$HOME`, or else the home directory of the password database.
  package static var home: FilePath? {
    if let path = path(inVariable: "HOME") { return path }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    var result = getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found)
    while result == ERANGE, buffer.count < 1 << 24 {
      buffer = [CChar](repeating: 0, count: 2 * buffer.count)
      result = getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found)
    }
    guard result == 0, let home = found?.pointee.pw_dir, home.pointee != 0 else { return nil }
    return FilePath(platformString: home)
  }

  /// What to do about a missing cache directory, as a last sentence. For the default cache it ends with the command to
  /// type.
  ///
  /// - Parameter name: the path, escaped for people.
  static func advice(forMissing name: String) -> String {
    guard let path = try? path, isSameText(name, EscapedText.forPeople(path.bytes)) else {
      return "Create it, or name another with --cache"
    }
    return "Name another with --cache, or create it: mkdir -p \(ShellWord.quoted(path.bytes))"
  }

  /// A path from an environment variable; nil if it is unset or empty.
  package static func path(inVariable name: String) -> FilePath? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return FilePath(platformString: value)
  }

  /// A path from an environment variable; a relative path counts as unset: "All paths set in these environment
  /// variables must be absolute" (XDG Base Directory Specification).
  package static func directory(inVariable name: String) -> FilePath? {
    path(inVariable: name).flatMap { $0.isAbsolute ? $0 : nil }
  }
}
