package import CacheSyncSystem

/// What is known of a feed before its first file: its name, the files it claims, its kinds, and how its files are read.
///
/// A built-in feed has one descriptor for all caches. A feed with a definition has one for all caches with that
/// definition.
package final class FeedDescriptor: Sendable {
  package let name: FeedName
  package let claims: CacheLayout.Claims
  /// The other feeds for which the files with a further ending have content.
  let companions: [FeedName]
  /// What people call the feed.
  package let heading: Wording
  /// The kinds of snapshot that the feed's files make present.
  package let kinds: [Kind]
  /// The links of its app that readers know.
  package let links: [DeepLink.Form]
  package let intents: [IntentType]
  /// Its calendar for other programs; nil: it has none.
  package let calendar: FeedCalendar?
  /// Small session files, from which samples of its kinds are drawn. An agent never makes them.
  package var samples: FeedSamples { sampleFiles() }
  /// What a session file of JSON may be, for editors; nil: a definition reads any JSON.
  package var schema: JSONSchema? { fileSchema() }
  private let fileSchema: @Sendable () -> JSONSchema?
  private let sampleFiles: @Sendable () -> FeedSamples
  private let feed: @Sendable () -> any Feed
  private let decoder: @Sendable (Document) -> DecodedSession

  /// A session file's bytes, with what its reader needs besides them.
  package struct Document {
    package var bytes: UnsafeRawBufferPointer
    package var path: CachePath
    package var wanted: JSONReader.Wanted
    package var isPruning: Bool
    /// By which stamps in the document are judged; nil: they count as they are.
    package var times: FileTimes?

    /// Reads the document as JSON.
    func decode<Session: Sendable>(_ session: (inout JSONReader) -> Session?) -> DecodedSession {
      let found = JSONReader.read(bytes, wanting: wanted, pruning: isPruning, times: times) { session(&$0) }
      return DecodedSession(
        session: found.value, defects: found.defects, warnings: found.warnings, scope: found.scope, pruned: found.pruned
      )
    }
  }

  package init(
    _ name: FeedName, claims: CacheLayout.Claims, companions: [FeedName] = [], heading: Wording? = nil,
    kinds: [Kind] = [], links: [DeepLink.Form] = [], intents: [IntentType] = [], calendar: FeedCalendar? = nil,
    samples: @escaping @Sendable () -> FeedSamples = { [:] },
    schema: @escaping @Sendable () -> JSONSchema? = { nil }, feed: @escaping @Sendable () -> any Feed,
    decoder: @escaping @Sendable (Document) -> DecodedSession
  ) {
    self.name = name
    self.claims = claims
    self.companions = companions
    self.heading = heading ?? .text(name.description.asHeading)
    self.kinds = kinds
    self.links = links
    self.intents = intents
    self.calendar = calendar
    sampleFiles = samples
    fileSchema = schema
    self.feed = feed
    self.decoder = decoder
  }

  /// - Parameters:
  ///   - companions: the other feeds for which the files with a further ending have content.
  ///   - document: how the feed reads a document that is not JSON; nil: it is JSON.
  ///   - decode: how the feed reads its JSON, if that needs more than the feed's type.
  ///   - schema: what `decode` accepts.
  convenience init<F: BuiltInFeed>(
    _ feed: F.Type, companions: [FeedName] = [],
    document: @escaping @Sendable (Document) -> DecodedSession? = { _ in nil },
    decode: @escaping @Sendable (inout JSONReader) -> F.Session? = { F.decode(&$0) },
    schema: @escaping @Sendable () -> JSONSchema = { F.schema }
  ) {
    self.init(
      F.name, claims: F.claims, companions: companions, heading: F.heading.map { .phrase($0) }, kinds: F.kinds,
      links: F.links, intents: F.intents, calendar: F.calendar, samples: { F.samples },
      schema: schema, feed: { F() },
      decoder: { document($0) ?? $0.decode(decode) })
  }

  func with(_ kinds: [Kind]) -> FeedDescriptor {
    FeedDescriptor(
      name, claims: claims, companions: companions, heading: heading, kinds: kinds, links: links, intents: intents,
      calendar: calendar, samples: sampleFiles, schema: fileSchema, feed: feed, decoder: decoder)
  }

  /// Makes an empty feed.
  package func make() -> any Feed { feed() }

  /// Decodes a document. Callable from any thread.
  ///
  /// - Parameters:
  ///   - bytes: the document.
  ///   - path: its path in the cache.
  ///   - wanted: what the agent needs, or everything documented, as for `check`.
  ///   - pruning: whether to make a copy without the members that the feed skips.
  ///   - times: of the file, by which stamps in it are judged; nil: they count as they are.
  package func decode(
    _ bytes: UnsafeRawBufferPointer, at path: CachePath, wanting wanted: JSONReader.Wanted = .needed,
    pruning: Bool = false, times: FileTimes? = nil
  ) -> DecodedSession {
    decode(Document(bytes: bytes, path: path, wanted: wanted, isPruning: pruning, times: times))
  }

  func decode(_ document: Document) -> DecodedSession { decoder(document) }

  /// The reasons for which the agent would reject a document, or else the parts that it would leave out.
  package func problems(
    of bytes: UnsafeRawBufferPointer, at path: CachePath, times: FileTimes? = nil
  ) -> [Problem] { decode(bytes, at: path, times: times).problems(at: path, in: bytes) }
}

extension DecodedSession {
  /// The defects as errors; if there are none, the warnings.
  package func problems(at path: CachePath, in bytes: UnsafeRawBufferPointer) -> [Problem] {
    let (severity, found) = defects.isEmpty ? (Problem.Severity.warning, warnings) : (.error, defects)
    return zip(found, JSONPlace.of(found, in: bytes)).map {
      Problem(severity, path: path, $0, at: $1, scope: $0.scope ?? scope)
    }
  }
}

/// The components of a feed's calendar at a moment.
package typealias FeedCalendar = @Sendable (FeedSet, Moment) -> [ExportedComponent]

extension FeedDescriptor {
  /// The feed's calendar as an iCalendar file; nil: it has none.
  ///
  /// - Parameter cache: the name of the cache's directory.
  package func calendarFile(of feeds: FeedSet, at moment: Moment, cache: String) -> [UInt8]? {
    guard let calendar else { return nil }
    let name = kinds.first { $0.widget == nil }?.displayName ?? heading
    return CalendarDocument.text(
      of: calendar(feeds, moment), named: name.text(in: moment.language), space: "\(self.name).\(cache)")
  }
}
