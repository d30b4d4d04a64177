package import CacheSyncSystem

/// The state of one session file.
///
/// It takes no more memory than a record: the rare states store the rest in separate boxes.
package enum FileState {
  /// The file was judged.
  case judged(FileVerdict)
  /// The file looks bad and may still be in the middle of a write.
  indirect case settling(Settling)
  /// The file is missing and may return. Meanwhile the verdict remains.
  indirect case vanished(FileVerdict, until: Uptime)

  /// A wait for a file to be still.
  package struct Settling {
    /// The file's identity when it looked bad. A changed identity starts a new wait.
    package var identity: FileIdentity
    /// When the wait ends; nil once it is over. Then an unchanged file is judged at any age.
    package var due: Uptime?
    /// The previous verdict, which applies during the wait; nil for a new file.
    package var previous: FileVerdict?
  }

  /// The verdict that applies: that of the current file, or, during a wait, the previous one.
  package var verdict: FileVerdict? {
    switch self {
    case .judged(let verdict), .vanished(let verdict, _): verdict
    case .settling(let settling): settling.previous
    }
  }

  /// The inode of the file as it was last looked at; 0: unknown.
  var inode: UInt64 {
    if case .settling(let settling) = self { settling.identity.inode } else { verdict?.record.identity.inode ?? 0 }
  }

  /// Changes the record of the current verdict, if there is one.
  mutating func updateRecord(_ change: (inout FileRecord) -> Void) {
    switch self {
    case .judged(var verdict):
      change(&verdict.record)
      self = .judged(verdict)
    case .settling(var settling):
      guard var previous = settling.previous else { return }
      change(&previous.record)
      settling.previous = previous
      self = .settling(settling)
    case .vanished(var verdict, let due):
      change(&verdict.record)
      self = .vanished(verdict, until: due)
    }
  }

  /// Whether the verdict is about the file as it is now.
  var isJudgement: Bool { if case .judged = self { true } else { false } }

  /// When the wait for the file to be still, or to return, ends; nil when there is no wait.
  package var waitDue: Uptime? {
    switch self {
    case .judged: nil
    case .settling(let settling): settling.due
    case .vanished(_, let due): due
    }
  }

  /// When the agent must check the file again even without an event.
  package var due: Uptime? {
    if case .judged(let verdict) = self { verdict.rejection?.retry?.due } else { waitDue }
  }
}

/// The agent's verdict about a session file.
package enum FileVerdict {
  /// The feed has the file as it was read.
  case usable(FileRecord)
  indirect case rejected(FileRecord, Rejection)

  package var record: FileRecord {
    get {
      switch self {
      case .usable(let record), .rejected(let record, _): record
      }
    }
    set {
      switch self {
      case .usable: self = .usable(newValue)
      case .rejected(_, let rejection): self = .rejected(newValue, rejection)
      }
    }
  }

  package var rejection: Rejection? {
    if case .rejected(_, let rejection) = self { rejection } else { nil }
  }

  /// Whether the feed has a version of the file: this one, or the last good one.
  package var isHeld: Bool { rejection?.isHeld ?? true }
}

/// Why a session file is unusable, and whether its last good version replaces it.
package struct Rejection {
  package var note: ProblemNote
  /// Whether the feed has the file's last good version.
  package var isHeld: Bool
  /// When to retry reading the file; nil for a readable file that is bad.
  package var retry: Retry?
}
