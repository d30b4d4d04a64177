import CacheSync

/// JSON itself, and documents that are read as values.
enum JSONTargets {
  /// A value that is read, written and read again is the same. A reader that only skips a value also accepts it.
  static func values(_ bytes: [UInt8]) {
    let skipped = bytes.withUnsafeBytes { bytes in
      JSONReader.read(bytes) { json in
        json.skipValue()
        return true
      }
    }
    places(skipped.defects, in: bytes)
    guard let value = JSONValue(bytes) else { return }
    require(skipped.defects.isEmpty, "a good value has defects when it is skipped: \(skipped.defects)")
    var written = value.bytes
    if isSeeded("written"), written.count > 2 { written.remove(at: 1) }
    // 1.0 is written as 1: another value, but the same bytes.
    require(JSONValue(written)?.bytes == value.bytes, "written and read again it is another value")
  }

  /// Every defect has a place inside the document.
  static func places(_ defects: [JSONDefect], in bytes: [UInt8]) {
    let lines = bytes.count { $0 == 0x0a } + 1
    for place in bytes.withUnsafeBytes({ JSONPlace.of(defects, in: $0) }) {
      require((1...lines).contains(place.line) && place.column >= 1 && place.column <= bytes.count + 1, "\(place)")
    }
  }

  static func settings(_ bytes: [UInt8]) {
    let read = bytes.withUnsafeBytes { CacheSettings.read($0, isTimeZone: { !$0.isEmpty }) }
    places(read.defects, in: bytes)
  }

  /// Reads a snapshot as readers parse what the agent publishes.
  static func snapshots(_ bytes: [UInt8]) {
    guard let snapshot = try? Snapshot(bytes: bytes) else { return }
    for entry in snapshot.entries {
      let found = snapshot.entry(at: entry.date)
      require(found.date == entry.date || !snapshot.isAscending, "the entry in force at its own date is another")
    }
  }
}

extension Snapshot {
  fileprivate var isAscending: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.date < $1.date } }
}
