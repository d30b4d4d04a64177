/// Decides what the engine lacks of a key that a pool's member has a copy of. The engine may have been wiped or rolled
/// back.
enum PutBack {
  /// What the engine has.
  struct Found: Sendable, Equatable {
    var version: Int64
    var sequence: UInt64
    /// Whether the version differs from that of the message, because it was put back.
    var isPutBack = false
  }

  /// Housekeeping removes deletion markers after 90 days. One day less, so that none is put back that was just removed.
  static let deletionAge: Int64 = 89 * 86_400 * 1_000_000_000

  /// The sequence of the message to replace, 0 for none. nil: the engine lacks nothing.
  ///
  /// - Parameters:
  ///   - copy: what the member has.
  ///   - now: nanoseconds since 1970.
  static func expectedSequence(_ copy: KeptVersion, _ found: Found?, now: Int64) -> UInt64? {
    // A deletion that the engine lost is sent again. Otherwise a file on an `away` would come back.
    if copy.digest == nil, copy.version < now - deletionAge { return nil }
    guard let found else { return 0 }
    guard found.version < copy.version else { return nil }
    // The clocks of the engine's servers may differ. A later message of another client wins.
    if !found.isPutBack, copy.sequence > 0, found.sequence > copy.sequence { return nil }
    return found.sequence
  }
}

extension PutBack.Found {
  init(_ stored: StoredMessage) {
    self.init(version: stored.version, sequence: stored.sequence, isPutBack: stored.putBackVersion != nil)
  }
}
