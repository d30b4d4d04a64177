/// The version of a key that the bridge has put into a cache, or of the deletion that it has made there.
struct KeptVersion: Sendable, Equatable {
  /// Nanoseconds since 1970. 0: the key must come again.
  var version: Int64
  /// The digest of the bytes that the bridge put. nil: it deleted the file, or found that the file was not its own.
  var digest: String?
  /// The name of the file in `.bridge` until it is renamed into the cache.
  var temporary: String?
  /// Whether another client deleted the key while the file with these bytes stays in the cache.
  var isLeft = false
  /// The message's sequence; 0: unknown. It is valid for this run only, because an engine that was wiped assigns the
  /// same numbers again.
  var sequence: UInt64 = 0
}
