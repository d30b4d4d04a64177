package import CacheSync
package import CacheSyncSystem
package import SystemPackage

/// The result of checking and reading a session file. It changes no state, so any thread may create one.
///
/// A class, because ``SharedWork`` would copy a large structure without knowing its type.
package final class SeenFile: Sendable {
  package let found: SessionReading.Found
  /// The result of reading; nil when there was no file to read.
  package let content: Content?

  init(found: SessionReading.Found, content: Content? = nil) {
    self.found = found
    self.content = content
  }

  var isGood: Bool {
    switch content {
    case .unchanged, .session: true
    case .defective, .unreadable, .changing, nil: false
    }
  }

  package enum Content: Sendable {
    /// The file is unchanged since an earlier run accepted it, whose log has that many bytes for it.
    case unchanged(DecodedSession, loggedBytes: Int)
    /// The identity is from before the reading, so that a write during the reading shows as a change.
    case session(DecodedSession, FileIdentity, isRacy: Bool, warnings: [Problem])
    case defective(Problem, FileIdentity)
    case unreadable(Errno)
    /// The file changed its type or disappeared between two calls. A pending event or the next check will decide.
    case changing
  }
}

/// Checks, reads and decodes session files; ``CacheContents`` records the verdicts.
package struct SessionLoader: Sendable {
  package var reading: SessionReading
  /// The maximum size of a file in bytes.
  package var limit: Int
  package var clock: any WallClock
  /// Whether to copy the document without the fields that the feed ignores, for the log.
  package var isPruning: Bool
  package var wanted = JSONReader.Wanted.needed
  /// The moment that a command was given.
  package var moment: Instant?

  func look(at path: CachePath, for feed: FeedDescriptor, lastGood: LastGoodLog.LastGood?) -> SeenFile {
    let found = reading.look(at: path, limit: limit)
    guard case .file(let identity, _) = found else { return SeenFile(found: found) }
    return SeenFile(found: found, content: content(of: path, identity, for: feed, lastGood: lastGood))
  }

  /// - Parameter identity: the identity of the file when it was checked.
  func content(
    of path: CachePath, _ identity: FileIdentity, for feed: FeedDescriptor, lastGood: LastGoodLog.LastGood?
  ) -> SeenFile.Content {
    // An unchanged file from an earlier run need not be read. If there are warnings about it, it is read, because their
    // places refer to the whole file.
    // A version from an earlier run has only what the agent needs.
    if let lastGood, wanted == .needed, lastGood.identity == identity, !isRacy(identity),
      let decoded = lastGood.withDocument({ feed.decode($0, at: path, times: times(of: identity)) }),
      decoded.defects.isEmpty, decoded.warnings.isEmpty
    {
      return .unchanged(decoded, loggedBytes: lastGood.size)
    }
    do throws(Errno) {
      let content = try reading.read(path, limit: limit) { bytes, identity -> SeenFile.Content in
        let decoded = feed.decode(
          bytes, at: path, wanting: wanted, pruning: isPruning, times: times(of: identity))
        guard let first = decoded.defects.first else {
          let warnings = decoded.problems(at: path, in: bytes)
          return .session(decoded, identity, isRacy: isRacy(identity), warnings: warnings)
        }
        let scope = first.scope ?? decoded.scope
        let problem = Problem(path: path, first, at: JSONPlace.of(first, in: bytes), scope: scope)
        return .defective(problem, identity)
      }
      return content ?? .changing
    } catch {
      return .unreadable(error)
    }
  }

  /// The times by which stamps in a file are judged.
  func times(of identity: FileIdentity) -> FileTimes { FileTimes(of: identity, given: moment ?? clock.givenMoment) }

  /// Whether the file is so new that another write could leave the same times.
  func isRacy(_ identity: FileIdentity) -> Bool {
    age(of: identity) < (identity.hasCoarseTimes ? FileRecord.coarseTick : FileRecord.tick)
  }

  /// Returns how long ago the file changed, by the file system's clock and the system's. Negative when one of them was
  /// set back.
  func age(of identity: FileIdentity) -> Duration {
    .nanoseconds(clock.now().microseconds &* 1000 &- identity.changedNanoseconds)
  }
}
