/// When the engine gets, and loses, the last good version of a file (wire.md section 7): a cache that another member takes over
/// must show what it showed before, and the agent there has only what lies in the cache.
package enum LastGood {
  /// What stands under a path, or is to stand there.
  package enum Content: Sendable, Hashable {
    case valid
    case invalid
    case absent
  }

  package enum Change: Sendable, Hashable {
    case write
    /// The engine must have the version that stands there before it is replaced.
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
    /// The last good version lies there until the agent has read it.
    case goodFirst
    /// What the engine kept is not needed any more.
    case asItIsThenForget
  }

  /// How a file comes into a cache that is taken over.
  package static func arrival(of content: Content, hasGood: Bool) -> Arrival {
    guard hasGood else { return .asItIs }
    return content == .invalid ? .goodFirst : .asItIsThenForget
  }
}
