/// The version of the library, and of every program of this project that is built with it.
public enum CacheSyncVersion {
  /// Three numbers, as in semantic versioning.
  public static let current = "1.0.0"
}
