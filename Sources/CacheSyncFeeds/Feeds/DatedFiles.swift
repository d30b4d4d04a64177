import CacheSyncSystem

/// The files of a feed that shows all of them at once: their paths, their dates, and which are unusable now.
///
/// A file's date is the one written in it, or else its modification time.
struct DatedFiles {
  private(set) var paths = SortedList<CachePath>()
  /// Every file's date, including modification times.
  private var dates = Ranking<Instant>()
  /// The dates written in files.
  private var written = Ranking<Instant>()
  private var unusable: Set<CachePath> = []

  init() {}

  var isEmpty: Bool { paths.isEmpty }

  /// The latest date of all files, including modification times.
  var newest: Instant? { dates.greatest?.value }

  /// The latest date written in a file. A modification time is the time of writing, not the age of the data. So data
  /// without a written date do not become stale by age (contract.md section 3).
  var newestWritten: Instant? { written.greatest?.value }

  /// Whether the files include the last good version of a file that is unusable now.
  var showsUnusable: Bool { !unusable.isEmpty }

  /// Adds a file, which replaces the earlier version of its path.
  ///
  /// - Parameter date: the date written in the file; nil: none.
  /// - Returns: the file's date.
  mutating func put(_ file: SessionFile, written date: Instant?) -> Instant {
    paths.insert(file.path)
    dates.put(date ?? file.modified, for: file.path)
    if let date { written.put(date, for: file.path) } else { written.remove(file.path) }
    mark(file.path, unusable: file.isUnusable)
    return date ?? file.modified
  }

  /// Adds a file whose records have dates of their own; it replaces the earlier version of its path.
  mutating func put(undated file: SessionFile) {
    paths.insert(file.path)
    dates.remove(file.path)
    written.remove(file.path)
    mark(file.path, unusable: file.isUnusable)
  }

  /// Removes a file; a missing one is not an error.
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
