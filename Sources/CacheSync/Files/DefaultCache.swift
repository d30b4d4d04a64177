import Glibc
public import SystemPackage

/// Where a cache is when no other is named.
public enum DefaultCache {
  /// `$CACHESYNC_CACHE`, else `$XDG_CACHE_HOME/cachesync`, else `~/.cache/cachesync`. An empty variable counts as unset, as
  /// the XDG specification has it.
  public static var path: FilePath {
    variable("CACHESYNC_CACHE").map { FilePath($0) } ?? ofUser
  }

  /// The same as if `$CACHESYNC_CACHE` were not set: the cache of the user's service.
  package static var ofUser: FilePath {
    if let path = variable("XDG_CACHE_HOME") { return FilePath(path).appending("cachesync") }
    return FilePath(variable("HOME") ?? "/").appending(".cache").appending("cachesync")
  }

  /// What to do about a directory that does not exist: for the default cache the line to type.
  ///
  /// - Parameter name: the path, escaped for people.
  static func advice(forMissing name: String) -> String {
    guard isSameText(name, EscapedText.forPeople(path.bytes)), !name.utf8.contains(UInt8(ascii: "\\")) else {
      return "create it"
    }
    return "create it with mkdir -p \(quoted(name))"
  }

  /// A word as a shell reads it.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+:,@%".unicodeScalars.contains($0)
    }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// A variable of the environment; nil when it is unset or empty.
  package static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
