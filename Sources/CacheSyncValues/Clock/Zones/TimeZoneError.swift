/// Why a time zone is not available, in one line that says what to do.
package struct TimeZoneError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    /// No zone has that name, or it does not have the form of one.
    case unknown
    /// The file exists, but the system refused to read it.
    case unreadable(path: String, reason: String)
    /// The file is damaged, or counts leap seconds.
    case malformed(path: String)
  }

  package let name: String
  package let reason: Reason

  package init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  package var description: String {
    switch reason {
    case .unknown:
      "unknown time zone '\(shownName)': "
        + (TimeZoneDatabase().nearestName(to: name).map { "did you mean \($0)?" }
          ?? "use an IANA name such as Europe/Berlin, or GMT+03:37")
    case .unreadable(let path, let reason):
      "cannot read time zone '\(shownName)' from \(path): \(reason); make the file readable, or use GMT+03:37"
    case .malformed(let path):
      "time zone '\(shownName)': \(path) is not a usable TZif file; install the system's tzdata again"
    }
  }

  /// The name for a terminal: at most 80 bytes of it, with `\xhh` for bytes that are not printable ASCII.
  private var shownName: String {
    var shown = ""
    for byte in name.utf8.prefix(80) {
      if byte >= 0x20, byte < 0x7F {
        shown.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        shown += byte < 0x10 ? "\\x0" : "\\x"
        shown += String(byte, radix: 16)
      }
    }
    return name.utf8.count > 80 ? shown + "..." : shown
  }
}
