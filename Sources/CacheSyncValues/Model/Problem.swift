package import CacheSyncSystem

/// A problem of one file, as readers, `status` and `check` print it.
///
/// Lines and columns count from 1, columns in UTF-8 bytes; a problem without a place has 1 and 1. The pointer
/// (RFC 6901) names the value; it is empty if there is none.
package struct Problem: Hashable, Sendable {
  /// How much of the file a problem disables.
  package enum Severity: String, Sendable {
    /// The file is not used; its last good version stays in force.
    case error
    /// The file is used, without the part that the message names.
    case warning
  }

  package var severity = Severity.error
  /// Nil for a problem without a file, such as a full disk.
  package var path: CachePath?
  package var line: Int
  package var column: Int
  @ExactText package var pointer: String
  @ExactText package var message: String
  /// The only feed whose kinds show this problem; nil: all kinds that read the file's feed. (The scope of an intent is
  /// the feed that its type acts on.)
  package var scope: FeedName?
  /// Whether only `status` reports it: settings, disk, links that leave the cache.
  package var belongsToNoKind = false

  package init(
    _ severity: Severity = .error, path: CachePath?, line: Int = 1, column: Int = 1, pointer: String = "",
    message: String, scope: FeedName? = nil
  ) {
    self.severity = severity
    self.path = path
    self.line = line
    self.column = column
    self.pointer = pointer
    self.message = message
    self.scope = scope
  }

  /// `path:line:column: error: message [/json/pointer]`, or `warning`; brackets only with a pointer.
  package func line(path text: String? = nil) -> String {
    let place = text ?? path?.forPeople ?? "-"
    let suffix = pointer.isEmpty ? "" : " [\(EscapedText.forPeople(pointer))]"
    return "\(place):\(line):\(column): \(severity.rawValue): \(EscapedText.forPeople(message))\(suffix)"
  }
}
