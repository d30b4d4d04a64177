import CacheSync
import CacheSyncSystem

/// The decoders of the built-in feeds, and the result of several files in a feed.
enum FeedTargets {
  static let feeds = FeedRegistry.builtIn.feeds
  static let calendar: CivilCalendar = {
    // The time zone of Berlin, without a zone file.
    guard let rules = TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3", name: "Europe/Berlin") else {
      fatalError("a zone of POSIX is read")
    }
    return CivilCalendar(rules)
  }()

  /// The first byte selects the feed, and whether the file is a calendar; the rest is the document. A copy without what
  /// the feed ignores must not have defects if the document has none. Read again, the copy gives the same result.
  static func decoders(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let feed = feeds[Int(first) % feeds.count]
    let document = Array(bytes.dropFirst())
    let path = path(in: feed, file: 0, document)
    let decoded = document.withUnsafeBytes { feed.decode($0, at: path, pruning: true) }
    JSONTargets.places(decoded.defects.filter { !$0.hasPlace }, in: document)
    guard decoded.defects.isEmpty, var pruned = decoded.pruned else { return }
    if isSeeded("pruned") { pruned.removeLast(pruned.count / 2) }
    let again = pruned.withUnsafeBytes { feed.decode($0, at: path, pruning: true) }
    require(again.defects.isEmpty, "the copy of a good document has defects: \(again.defects)")
    require(again.pruned == pruned, "the copy of a copy is another")
  }

  /// Files are added, changed and removed. In the end the cache shows the same as one that only ever had the last
  /// files. Every entry of a timeline equals what is in force at its date.
  ///
  /// The input is a list of steps, each ended by 0xFF, which a valid document never contains. The first byte of a step
  /// selects the feed. The second selects the file (0...2) and whether it is removed (3). The rest is the document.
  static func cache(_ bytes: [UInt8]) {
    let changed = FeedSet()
    var touched: Set<FeedName> = []
    var documents: [CachePath: (feed: FeedDescriptor, document: [UInt8])] = [:]
    let steps = bytes.split(separator: 0xFF).prefix(6)
    for step in steps where step.count >= 2 {
      let (which, what) = (step[step.startIndex], step[step.startIndex + 1])
      let feed = feeds[Int(which) % feeds.count]
      let document = Array(step.dropFirst(2))
      touched.insert(feed.name)
      let path = path(in: feed, file: Int(what) / 4 % 3, document)
      if what % 4 == 3 {
        if !isSeeded("removed") { changed.feed(named: feed.name)?.remove(path) }
        documents[path] = nil
      } else if put(document, of: feed, at: path, into: changed) {
        documents[path] = (feed, document)
      }
    }
    let fresh = FeedSet()
    for (path, file) in documents.sorted(by: { $0.key < $1.key }) {
      _ = put(file.document, of: file.feed, at: path, into: fresh)
    }
    let moment = Moment(start, calendar: calendar, firstWeekday: .monday)
    let (found, expected) = (projector(changed), projector(fresh))
    for kind in FeedRegistry.builtIn.kinds where kind.feeds.contains(where: touched.contains) {
      let bytes = document(found, kind, moment)
      require(bytes == document(expected, kind, moment), "\(kind.name) differs from a cache that had these files alone")
      checkEntries(bytes, kind, expected, moment)
    }
    let days = [found, expected].map { $0.dayIndex(at: moment).bytes(generation: 1, publishedAt: start) }
    require(days[0] == days[1], "the day index differs from that of a cache that had these files alone")
  }

  private static let start = Instant(seconds: 1_795_255_200)  // 2026-11-21T10:00:00Z, a day of the sample cache

  private static func checkEntries(_ bytes: [UInt8], _ kind: Kind, _ projector: CacheProjector, _ moment: Moment) {
    guard let snapshot = try? Snapshot(bytes: bytes) else {
      fatalError("\(kind.name) is not a snapshot that its readers accept")
    }
    for entry in snapshot.entries.dropFirst().prefix(2) {
      let later = Moment(
        isSeeded("entry") ? entry.date.advanced(by: .seconds(-1)) : entry.date, calendar: calendar,
        firstWeekday: .monday)
      guard let then = try? Snapshot(bytes: document(projector, kind, later)) else {
        fatalError("\(kind.name) has no valid snapshot at \(entry.date)")
      }
      let (known, computed) = (entry, then.entries[0])
      require(
        known.content == computed.content && known.state == computed.state,
        "\(kind.name): the entry of \(entry.date) is not what is computed then")
    }
  }

  private static func projector(_ feeds: FeedSet) -> CacheProjector {
    CacheProjector(feeds: feeds, kinds: FeedRegistry.builtIn.kinds, problems: [:])
  }

  private static func document(_ projector: CacheProjector, _ kind: Kind, _ moment: Moment) -> [UInt8] {
    projector.snapshot(of: kind, at: moment).encoded().bytes(generation: 1, publishedAt: start)
  }

  /// Puts a document. Returns whether it is valid; if not, the one before it stays.
  private static func put(_ document: [UInt8], of feed: FeedDescriptor, at path: CachePath, into set: FeedSet) -> Bool {
    document.withUnsafeBytes { bytes in
      set.read(bytes, of: feed.name, from: SessionFile(path: path, modified: start), in: calendar).isEmpty
    }
  }

  private static func path(in feed: FeedDescriptor, file: Int, _ document: [UInt8]) -> CachePath {
    let directory = CachePath(feed.claims.directories.first ?? "x")
    let isCalendar = feed.claims.endings.contains { $0.text == ".ics" } && document.first == UInt8(ascii: "B")
    return directory.appending("\(file)\(isCalendar ? ".ics" : ".json")".utf8)
  }
}

extension JSONDefect {
  /// Whether the defect's place was known when it was found.
  fileprivate var hasPlace: Bool { if case .at = place { true } else { false } }
}
