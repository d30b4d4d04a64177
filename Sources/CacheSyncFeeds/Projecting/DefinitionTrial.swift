package import CacheSyncSystem

/// Tries a definition on samples without a cache: the work of `feed test`.
///
/// It uses the same feed as the agent, so it reads samples and computes kinds as the agent would.
package final class DefinitionTrial {
  package let definition: FeedDefinition
  private let registry: FeedRegistry
  private let feeds: FeedSet
  private let calendar: CivilCalendar
  private let zones: TimeZones
  private var unfound: UnfoundPaths

  /// - Parameters:
  ///   - zones: resolve the local times in samples.
  ///   - calendar: the calendar that the cache would have.
  package init(_ definition: FeedDefinition, zones: TimeZones, calendar: CivilCalendar) {
    self.definition = definition
    registry = FeedRegistry([definition], zones: zones)
    feeds = FeedSet(registry)
    self.calendar = calendar
    self.zones = zones
    unfound = UnfoundPaths(definition)
  }

  /// The path that a sample would have in a cache.
  ///
  /// - Parameter name: any bytes.
  package func path(ofFile name: [UInt8]) -> CachePath {
    switch definition.files[0] {
    case .below(let directory): CachePath(directory.wrappedValue).appending(name)
    case .named(let only): CachePath(only.wrappedValue)
    }
  }

  /// Reads a sample; it replaces an earlier one with the same path.
  ///
  /// - Returns: all problems of the sample. A sample with an error is ignored.
  package func read(_ bytes: [UInt8], from file: SessionFile) -> [Problem] {
    guard let feed = registry.feed(named: definition.name), let held = feeds.feed(named: definition.name) else {
      return []
    }
    return bytes.withUnsafeBytes { bytes in
      let decoded = feed.decode(bytes, at: file.path, times: file.times)
      held.ingest(decoded, from: file, in: calendar)
      unfound.look(in: bytes, zones: zones)
      return decoded.problems(at: file.path, in: bytes)
    }
  }

  /// The problem of a definition that takes an array of a sample as one item.
  ///
  /// - Parameter document: the definition's bytes.
  package func eachProblem(in sample: [UInt8], document: [UInt8], zones: TimeZones) -> Problem? {
    guard let message = sample.withUnsafeBytes({ definition.eachDefect(in: $0, zones: zones) }) else { return nil }
    return document.withUnsafeBytes { bytes in
      guard let tree = JSONTree.read(bytes).tree else { return nil }
      let root = LocatedValue(tree: tree, node: JSONTree.root)
      guard let each = root.member("items")?.member("each") else { return nil }
      let defect = JSONDefect(offset: each.offset, message: message, place: .value)
      return JSONPlace.of([defect], in: bytes).first.map { Problem(path: .root, defect, at: $0) }
    }
  }

  /// A warning for each path that finds nothing in any sample.
  ///
  /// - Parameter document: the definition's bytes.
  package func unfoundPaths(in document: [UInt8]) -> [Problem] { unfound.problems(in: document, at: .root) }

  /// The items that count, by path and place.
  package var foundItems: [FoundItem] { (feeds[definition.name] as? DefinedFeed)?.items.found ?? [] }

  /// Every kind's snapshot as of a moment, by the kinds' names.
  package func snapshots(at moment: Moment) -> [(kind: Kind, document: OutputDocument)] {
    let kinds = registry.kinds.filter { kind in definition.kinds.contains { $0.name == kind.name } }
    let projector = CacheProjector(feeds: feeds, kinds: kinds, problems: [:])
    return kinds.map { ($0, projector.snapshot(of: $0, at: moment).encoded()) }
  }

  /// The problems that depend on the moment: more items or bytes than a kind may have.
  package func problems(at moment: Moment) -> [Problem] {
    feeds.all.flatMap { $0.currentProblems(at: moment, feeds: feeds) }
  }
}
