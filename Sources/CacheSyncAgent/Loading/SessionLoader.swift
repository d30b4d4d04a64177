package import CacheSync
package import CacheSyncSystem
package import SystemPackage

/// The result of looking at a session file and reading it. It changes no state, so any thread may make one.
package struct SeenFile: Sendable {
  package var found: SessionReading.Found
  /// What reading gave; nil when there was no file to read.
  package var content: Content?

  var isGood: Bool {
    switch content {
    case .unchanged, .session: true
    case .defective, .unreadable, .changing, nil: false
    }
  }

  package enum Content: Sendable {
    /// The file is the one that an earlier run read as good.
    case unchanged(DecodedSession)
    /// The identity is the one from before the reading, so that a write during it shows as a change.
    case session(DecodedSession, FileIdentity, isRacy: Bool, warnings: [Problem])
    case defective(Problem, FileIdentity)
    case unreadable(Errno)
    /// The file became something else between two calls. An event about that is on its way, or the next look decides.
    case changing
  }
}

/// Looks at session files, reads and decodes them, for ``CacheContents`` to judge.
package struct SessionLoader: Sendable {
  package var reading: SessionReading
  /// How many bytes a file may have.
  package var limit: Int
  package var clock: any WallClock
  /// Whether to make a copy of the document without the fields that the feed ignores, for the log.
  package var isPruning: Bool

  func look(at path: CachePath, for feed: FeedDescriptor, lastGood: LastGoodLog.LastGood?) -> SeenFile {
    let found = reading.look(at: path, limit: limit)
    guard case .file(let identity, _) = found else { return SeenFile(found: found) }
    return SeenFile(found: found, content: content(of: path, identity, for: feed, lastGood: lastGood))
  }

  /// - Parameter identity: the identity of the file when it was looked at.
  func content(
    of path: CachePath, _ identity: FileIdentity, for feed: FeedDescriptor, lastGood: LastGoodLog.LastGood?
  ) -> SeenFile.Content {
    // A file that has not changed since an earlier run read it needs no reading, unless there are warnings about it: their
    // places are those of the whole file.
    if let lastGood, lastGood.identity == identity, !isRacy(identity),
      let decoded = lastGood.withDocument({ feed.decode($0, at: path) }), decoded.defects.isEmpty,
      decoded.warnings.isEmpty
    {
      return .unchanged(decoded)
    }
    do throws(Errno) {
      let content = try reading.read(path, limit: limit) { bytes, identity -> SeenFile.Content in
        let decoded = feed.decode(bytes, at: path, pruning: isPruning)
        guard let first = decoded.defects.first else {
          let warnings = decoded.problems(at: path, in: bytes)
          return .session(decoded, identity, isRacy: isRacy(identity), warnings: warnings)
        }
        let problem = Problem(path: path, first, at: JSONPlace.of(first, in: bytes), scope: decoded.scope)
        return .defective(problem, identity)
      }
      return content ?? .changing
    } catch {
      return .unreadable(error)
    }
  }

  /// Whether the file is so young that another write could leave the same times.
  func isRacy(_ identity: FileIdentity) -> Bool { age(of: identity) < FileRecord.tick }

  /// How long ago the file changed, by the file system's clock and the system's; negative when one of them was set back.
  func age(of identity: FileIdentity) -> Duration {
    .nanoseconds(clock.now().microseconds &* 1000 &- identity.changedNanoseconds)
  }
}
