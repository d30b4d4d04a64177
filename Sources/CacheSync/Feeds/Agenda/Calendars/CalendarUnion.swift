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
  ///
  /// It visits all series. Nothing is kept from one change to the next, because expanding the series of four weeks takes
  /// several times as long.
  package var counting: [[CalendarSeries]] {
    var sources: [RecordID: (version: CalendarEntry.Version, path: CachePath)] = [:]
    for (path, all) in files {
      for series in all {
        let id = RecordID(series.id)
        if let known = sources[id], (series.version, path) < known { continue }
        sources[id] = (series.version, path)
      }
    }
    return files.sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }.map { path, all in
      func counts(_ series: CalendarSeries) -> Bool { sources[RecordID(series.id)]?.path == path }
      // Usually all count; returning the array itself copies nothing.
      return all.allSatisfy(counts) ? all : all.filter(counts)
    }
  }
}
