import Glibc
public import SystemPackage

/// Where a cache is when no other is named.
public enum DefaultCache {
  /// `$CACHESYNC_CACHE`, else `$XDG_CACHE_HOME/cachesync`, else `~/.cache/cachesync`. An empty variable counts as unset, as
  /// the XDG specification has it.
  public static var path: FilePath {
    if let path = variable("CACHESYNC_CACHE") { return FilePath(path) }
    if let path = variable("XDG_CACHE_HOME") { return FilePath(path).appending("cachesync") }
    return FilePath(variable("HOME") ?? "/").appending(".cache").appending("cachesync")
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
