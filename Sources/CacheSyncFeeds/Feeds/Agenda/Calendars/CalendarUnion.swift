package import CacheSyncSystem

/// The calendars of many files as one. If several files have a UID, everything under it comes from the file with the
/// greatest SEQUENCE, then the greatest DTSTAMP, then the greatest path.
package struct CalendarUnion {
  /// The files with at least one series.
  private var files: [CachePath: [CalendarSeries]] = [:]

  package init() {}

  package var isEmpty: Bool { files.isEmpty }

  /// Adds a file's series; they replace the earlier ones of its path.
  package mutating func put(_ file: CalendarFile, from path: CachePath) {
    files[path] = file.series.isEmpty ? nil : file.series
  }

  /// Removes a file.
  ///
  /// - Returns: false if it has no series.
  package mutating func remove(_ path: CachePath) -> Bool { files.removeValue(forKey: path) != nil }

  /// The series that count, file by file and in each file's order. The files with fewer UIDs come first, then they are
  /// in the order of their paths.
  package var counting: [[CalendarSeries]] { merged.counting }

  /// The series that count, and a warning for each two files that use UIDs for different events.
  ///
  /// It visits all series. Nothing is kept from one change to the next, because expanding the series of four weeks takes
  /// several times as long.
  var merged: (counting: [[CalendarSeries]], problems: [Problem]) {
    var sources: [RecordID: (version: CalendarEntry.Version, path: CachePath, index: Int)] = [:]
    for (path, all) in files {
      for (index, series) in all.enumerated() {
        let id = RecordID(series.id)
        if let known = sources[id], (series.version, path) < (known.version, known.path) { continue }
        sources[id] = (series.version, path, index)
      }
    }
    var shared = SharedUIDs()
    let counting = files.sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }.map { path, all in
      func counts(_ series: CalendarSeries) -> Bool {
        guard let source = sources[RecordID(series.id)], source.path != path else { return true }
        guard let other = files[source.path]?[source.index] else { return false }
        // A file with one changed occurrence, as an invitation is, hides the whole series: not without a word.
        let isPart = series.master != nil && other.master == nil
        if isPart || !series.mark.agrees(with: other.mark) {
          let entry = series.first
          shared.insert(
            hiddenIn: path, line: entry?.line ?? 1, pointer: entry?.pointer ?? "", countingIn: source.path,
            isPart: isPart)
        }
        return false
      }
      // Usually all count; returning the array itself copies nothing.
      let kept = all.map(counts)
      return kept.allSatisfy(\.self) ? all : zip(all, kept).filter(\.1).map(\.0)
    }
    return (counting, shared.problems(noun: "event"))
  }
}
