import CacheSyncSystem

/// The files of a feed that shows all of them at once: which there are, how new, and which of them are unusable now.
///
/// A file's date is what it says itself, else its modification time.
struct DatedFiles {
  private(set) var paths = SortedList<CachePath>()
  /// Every file's date, the stand-in included.
  private var dates = Ranking<Instant>()
  /// The dates that files say themselves.
  private var written = Ranking<Instant>()
  private var unusable: Set<CachePath> = []

  init() {}

  var isEmpty: Bool { paths.isEmpty }

  /// The greatest date of all files, stand-ins included.
  var newest: Instant? { dates.greatest?.value }

  /// The greatest date written in a file. A modification time says when the file was written, not how old its data are, so
  /// data without a written date never go stale by age (contract.md section 3).
  var newestWritten: Instant? { written.greatest?.value }

  /// Whether the last good version of a file that is unusable now is among them.
  var showsUnusable: Bool { !unusable.isEmpty }

  /// Takes a file in, in place of what its path was before.
  ///
  /// - Parameter date: what the file says; nil: nothing.
  /// - Returns: the file's date.
  mutating func put(_ file: SessionFile, written date: Instant?) -> Instant {
    paths.insert(file.path)
    dates.put(date ?? file.modified, for: file.path)
    if let date { written.put(date, for: file.path) } else { written.remove(file.path) }
    mark(file.path, unusable: file.isUnusable)
    return date ?? file.modified
  }

  /// Forgets a file; one that is not there is not an error.
  mutating func remove(_ path: CachePath) {
    paths.remove(path)
    dates.remove(path)
    written.remove(path)
    unusable.remove(path)
  }

  mutating func mark(_ path: CachePath, unusable isUnusable: Bool) {
    if isUnusable, paths.contains(path) { unusable.insert(path) } else { unusable.remove(path) }
  }
}
