import CacheSyncSystem

/// What tells whether two files mean one thing by a UID.
struct CalendarMark {
  var title: String
  var start: CalendarMoment.Key?
  /// In seconds since 1970; nil: unknown.
  var created: Int64?

  /// Whether the title, the start or the time of creation is the same.
  func agrees(with other: CalendarMark) -> Bool {
    isSameText(title, other.title) || (start != nil && start == other.start)
      || (created != nil && created == other.created)
  }
}

/// The UIDs that two calendars use for different things. Of such a UID only one thing counts, as its standard says.
struct SharedUIDs {
  private struct Files: Hashable {
    var hidden: CachePath
    var counting: CachePath
    /// Whether the file that counts has nothing but changed occurrences.
    var isPart: Bool
  }

  /// How many UIDs of two files these are, and the place of the first in the file whose things are hidden.
  private var found: [Files: (count: Int, line: Int, pointer: String)] = [:]

  mutating func insert(
    hiddenIn hidden: CachePath, line: Int, pointer: String, countingIn counting: CachePath, isPart: Bool = false
  ) {
    let files = Files(hidden: hidden, counting: counting, isPart: isPart)
    let known = found[files] ?? (0, line, pointer)
    let first = known.line <= line ? (known.line, known.pointer) : (line, pointer)
    found[files] = (known.count + 1, first.0, first.1)
  }

  /// A warning for each pair of files.
  ///
  /// - Parameter noun: what the UIDs stand for, such as "event".
  func problems(noun: String) -> [Problem] {
    found.sorted { ($0.key.hidden, $0.key.counting) < ($1.key.hidden, $1.key.counting) }.map { files, found in
      let (isOne, other) = (found.count == 1, files.counting.forPeople)
      let words =
        files.isPart
        ? "\(isOne ? "is" : "are") also in \(other), with changed occurrences alone: only those count"
        : isOne
          ? "is also in \(other), for another \(noun): only that one counts"
          : "are also in \(other), for other \(noun)s: only those count"
      return Problem(
        .warning, path: files.hidden, line: found.line, column: 1, pointer: found.pointer,
        message: "\(counted(found.count, "UID")) \(words)")
    }
  }
}
