/// Decides when the engine receives and loses the last good version of a file (wire.md section 7). A member that takes
/// over a cache must show what the cache showed before, and its agent has only the files in the cache.
package enum LastGood {
  /// The state of a path, now or after a change.
  package enum Content: Sendable, Hashable {
    case valid
    case invalid
    case absent
  }

  package enum Change: Sendable, Hashable {
    case write
    /// The engine must have the current version before it is replaced.
    case keepThenWrite
    case writeThenForget
  }

  /// How a file in a cache is replaced.
  ///
  /// - Parameter hasGood: whether the engine has a last good version of it.
  package static func change(from old: Content, to new: Content, hasGood: Bool) -> Change {
    switch new {
    case .valid, .absent: hasGood ? .writeThenForget : .write
    case .invalid: old == .valid ? .keepThenWrite : .write
    }
  }

  package enum Arrival: Sendable, Hashable {
    case asItIs
    /// Place the last good version there until the agent has read it.
    case goodFirst
    /// The engine's last good version is not needed any more.
    case asItIsThenForget
  }

  /// How a file is placed in a cache that is taken over.
  package static func arrival(of content: Content, hasGood: Bool) -> Arrival {
    guard hasGood else { return .asItIs }
    return content == .invalid ? .goodFirst : .asItIsThenForget
  }
}
