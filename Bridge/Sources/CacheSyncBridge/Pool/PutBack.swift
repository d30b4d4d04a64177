/// Decides what the engine lacks of a key that a pool's member has a copy of. The engine may have been wiped or rolled
/// back.
package enum PutBack {
  /// What the member has.
  package struct Copy: Sendable, Equatable {
    /// Nanoseconds since 1970.
    package var version: Int64
    package var isDeletion: Bool
    /// The sequence of the message that it arrived in; 0: unknown.
    package var sequence: UInt64

    package init(version: Int64, isDeletion: Bool, sequence: UInt64 = 0) {
      self.version = version
      self.isDeletion = isDeletion
      self.sequence = sequence
    }
  }

  /// What the engine has.
  package struct Found: Sendable, Equatable {
    package var version: Int64
    package var sequence: UInt64
    /// Whether the version differs from that of the message, because it was put back.
    package var isPutBack: Bool

    package init(version: Int64, sequence: UInt64, isPutBack: Bool = false) {
      self.version = version
      self.sequence = sequence
      self.isPutBack = isPutBack
    }

    init(_ stored: StoredMessage) {
      self.init(version: stored.version, sequence: stored.sequence, isPutBack: stored.putBackVersion != nil)
    }
  }

  /// Housekeeping removes deletion markers after 90 days. One day less, so that none is put back that was just removed.
  package static let deletionAge: Int64 = 89 * 86_400 * 1_000_000_000

  /// The sequence of the message to replace, 0 for none. nil: the engine lacks nothing.
  ///
  /// - Parameter now: nanoseconds since 1970.
  package static func expectedSequence(_ copy: Copy, _ found: Found?, now: Int64) -> UInt64? {
    // A deletion that the engine lost is sent again. Otherwise a file on an `away` would come back.
    if copy.isDeletion, copy.version < now - deletionAge { return nil }
    guard let found else { return 0 }
    guard found.version < copy.version else { return nil }
    // The clocks of the engine's servers may differ. A later message of another client wins.
    if !found.isPutBack, copy.sequence > 0, found.sequence > copy.sequence { return nil }
    return found.sequence
  }
}
