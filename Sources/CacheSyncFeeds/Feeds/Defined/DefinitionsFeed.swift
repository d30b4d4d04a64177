package import CacheSyncSystem

/// The definitions of a cache's own feeds, `feeds/<feed>.json`.
///
/// The agent reads them like session files, with the same patience and last good versions. They have no kinds of their
/// own: the feeds that they describe are in the cache's ``FeedRegistry``.
package final class DefinitionsFeed: Feed {
  package static let name = FeedName(CacheLayout.definitions)

  /// How many definitions count in a cache. If there are more, the first by name count (definitions.md section 1).
  package static let maximumCount = 64

  /// A definition, and the place in it that claims the files.
  package struct Session: Sendable, Equatable {
    package var definition: FeedDefinition
    var claim: JSONPlace
  }

  private var sessions: [CachePath: Session] = [:]

  package init() {}

  /// The feed that a file defines: the file's name without `.json`.
  package static func feed(definedBy path: CachePath) -> FeedName { FeedName(NamedFile.name(of: path)) }

  /// The descriptor of this feed, which every cache has.
  static func descriptor(zones: TimeZones) -> FeedDescriptor {
    FeedDescriptor(
      name, claims: CacheLayout.Claims(directories: [CacheLayout.definitions], isFlat: true),
      feed: { DefinitionsFeed() },
      decoder: { decode($0, zones: zones) })
  }

  private static func decode(_ document: FeedDescriptor.Document, zones: TimeZones) -> DecodedSession {
    let name = feed(definedBy: document.path)
    let feed = name.description
    guard FeedDefinition.isName(feed) else {
      let message =
        "invalid feed name \(JSONMessage.quoted(feed)) of the file: \(FeedDefinition.nameRule)"
      return DecodedSession(defects: [JSONDefect(offset: 0, message: message, place: .document)])
    }
    let read = FeedDefinition.read(
      document.bytes, named: feed, reserved: .builtIn, isTimeZone: { (try? zones.rules(named: $0)) != nil })
    let session = read.definition.map { definition in
      Session(definition: definition, claim: JSONPlace.ofMember("files", in: document.bytes))
    }
    return DecodedSession(
      session: session, defects: read.defects, warnings: read.warnings, scope: name,
      pruned: document.isPruning && session != nil ? Array(document.bytes) : nil)
  }

  /// Validates a definition as the agent does.
  ///
  /// - Parameter name: the name of its file without `.json`, which is the feed's name.
  /// - Returns: the definition and its warnings, or nil and its defects.
  package static func read(_ bytes: [UInt8], named feed: String) -> (definition: FeedDefinition?, problems: [Problem]) {
    let path = CachePath(CacheLayout.definitions).appending("\(feed).json".utf8)
    guard let reader = FeedRegistry.builtIn.feed(named: name) else { return (nil, []) }
    return bytes.withUnsafeBytes { bytes in
      let decoded = reader.decode(bytes, at: path)
      return ((decoded.session as? Session)?.definition, decoded.problems(at: path, in: bytes))
    }
  }

  package func put(_ session: Session, from file: SessionFile, in calendar: CivilCalendar) {
    sessions[file.path] = session
  }

  package func remove(_ path: CachePath) { sessions[path] = nil }

  package func mark(_ path: CachePath, unusable: Bool) {}

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool { false }

  /// The definitions that count, sorted by name. Of definitions that claim the same files, the first by name counts.
  ///
  /// - Parameter shared: the definitions for all caches. If the cache defines a feed with the same name, its definition
  ///   wins.
  package func inForce(with shared: [FeedDefinition] = []) -> [FeedDefinition] {
    var definitions = Dictionary(shared.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for session in sessions.values { definitions[session.definition.name] = session.definition }
    var claimed: Set<FeedDefinition.Files> = []
    var inForce: [FeedDefinition] = []
    for definition in definitions.values.sorted(by: { $0.name < $1.name }).prefix(Self.maximumCount)
    where claimed.isDisjoint(with: definition.files) {
      claimed.formUnion(definition.files)
      inForce.append(definition)
    }
    return inForce
  }

  /// A problem for each valid definition that does not count because of others.
  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    let inForce = feeds.registry.definitions
    return sessions.sorted { $0.key < $1.key }.compactMap { path, session in
      let definition = session.definition
      if inForce.contains(where: { $0.name == definition.name }) { return nil }
      let place = session.claim
      return Problem(
        path: path, line: place.line, column: place.column, pointer: place.pointer,
        message: Self.whyNot(definition, beside: inForce), scope: definition.name)
    }
  }

  /// Why a valid definition does not count.
  package static func whyNot(_ definition: FeedDefinition, beside inForce: [FeedDefinition]) -> String {
    for claim in definition.files {
      guard let other = inForce.first(where: { $0.files.contains(claim) }) else { continue }
      return "\(claim) belongs to the feed \(other.name), whose name comes before \(definition.name): claim other files"
    }
    return
      "only the first \(maximumCount) definitions by name count, and \(definition.name) is none of them: remove others"
  }

  /// The feeds that the cache's own definitions describe.
  package var names: Set<FeedName> { Set(sessions.values.map(\.definition.name)) }
}

extension ReservedNames {
  /// The names and claims of the built-in feeds.
  package static let builtIn = ReservedNames(
    feeds: Set(FeedRegistry.builtIn.feeds.map { $0.name.description }),
    kinds: Set(FeedRegistry.builtIn.kinds.map { $0.name.description }),
    claims: Dictionary(uniqueKeysWithValues: FeedRegistry.builtIn.feeds.map { ($0.name.description, $0.claims) }))
}

extension [FeedDefinition.Files] {
  var claims: CacheLayout.Claims {
    var claims = CacheLayout.Claims()
    for entry in self {
      switch entry {
      case .below(let directory): claims.directories.append(directory.wrappedValue)
      case .named(let name): claims.files.append(name.wrappedValue)
      }
    }
    return claims
  }
}
