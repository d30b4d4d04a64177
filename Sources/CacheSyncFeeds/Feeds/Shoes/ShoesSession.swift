/// A session file of the `shoes` feed, for the app that writes it.
///
///     let start = Instant.now
///     let runner = ShoesSession.Shoe(id: "runner", name: "Runner")
///     let run = ShoesSession.Wearing(id: "run-1", shoeId: "runner", start: start, steps: 0, distance: 0)
///     let session = ShoesSession(shoes: [runner], sessions: [run], lastUpdated: start)
///     try SessionWriter(cache: "/home/me/.cache/cachesync").write(session, name: "my-app")
public struct ShoesSession: FeedSession, Codable, Sendable, Hashable {
  /// The feed `shoes`.
  public static var feed: String { "\(ShoesFeed.name)" }

  /// A pair of shoes.
  public struct Shoe: Codable, Sendable, Hashable, Identifiable {
    /// The id that sessions, suggestions and links name.
    public var id: RecordID
    /// The person's name for it.
    public var name: String
    /// The maker.
    public var brand: String?
    /// The maker's name for it.
    public var model: String?
    /// The name of a symbol; nil: readers show "shoe.2".
    public var icon: String?
    /// Whether the shoe is retired: readers no longer offer it, but show it while it is worn. Nil means false.
    public var archived: Bool?
    /// Places and activities that the shoe is for, such as "gym" or "town".
    public var tags: [String]?
    package var origin = RecordOrigin()
    /// Whether other shoes have the same id, so that their files tell them apart.
    package var isShared = false

    /// A pair of shoes, by default in use.
    public init(
      id: RecordID, name: String, brand: String? = nil, model: String? = nil, icon: String? = nil,
      archived: Bool? = nil, tags: [String]? = nil
    ) {
      self.id = id
      self.name = name
      self.brand = brand
      self.model = model
      self.icon = icon
      self.archived = archived
      self.tags = tags
    }
  }

  /// One wearing of a shoe.
  public struct Wearing: Codable, Sendable, Hashable, Identifiable {
    /// The session's id; the same id in a later file replaces it.
    public var id: RecordID
    /// The ``Shoe/id`` of the shoe.
    public var shoeId: RecordID
    /// When the shoe was put on.
    public var start: Instant
    /// When it was taken off; nil while the shoe is worn; never before `start`.
    public var end: Instant?
    /// How many steps were taken.
    public var steps: Int
    /// Kilometres.
    public var distance: Double
    package var origin = RecordOrigin()
    /// When the file was written, until which an open session lasts at least.
    package var written: Instant?

    /// A wearing, which continues if `end` is nil.
    public init(id: RecordID, shoeId: RecordID, start: Instant, end: Instant? = nil, steps: Int, distance: Double) {
      self.id = id
      self.shoeId = shoeId
      self.start = start
      self.end = end
      self.steps = steps
      self.distance = distance
    }
  }

  /// A shoe that the app suggests. If the app suggests none, the agent derives its own suggestions from past wearings.
  public struct Suggestion: Codable, Sendable, Hashable {
    /// The ``Shoe/id`` of the shoe.
    public var shoeId: RecordID
    /// The reason, for people.
    public var reason: String
    /// 0...1.
    public var confidence: Double

    /// A suggestion; a `confidence` outside 0...1 makes the agent reject the file.
    public init(shoeId: RecordID, reason: String, confidence: Double) {
      self.shoeId = shoeId
      self.reason = reason
      self.confidence = confidence
    }
  }

  /// Where the person is, as far as the app knows. It counts for three hours.
  public struct Context: Codable, Sendable, Hashable {
    /// The place, such as "Gym"; nil: none that has a name.
    public var place: String?
    /// Since when.
    public var at: Instant

    /// A place at a moment.
    public init(place: String? = nil, at: Instant) {
      self.place = place
      self.at = at
    }
  }

  /// All shoes.
  public var shoes: [Shoe]?
  /// When the shoes were worn.
  public var sessions: [Wearing]?
  /// What to wear next, the best first.
  public var suggestions: [Suggestion]?
  /// Where the person is.
  public var context: Context?
  /// When the app last wrote this. Nil: the file's modification time counts, and the shown data never become stale.
  public var lastUpdated: Instant?

  /// A file of the given parts; nil leaves a part out.
  public init(
    shoes: [Shoe]? = nil, sessions: [Wearing]? = nil, suggestions: [Suggestion]? = nil, context: Context? = nil,
    lastUpdated: Instant? = nil
  ) {
    self.shoes = shoes
    self.sessions = sessions
    self.suggestions = suggestions
    self.context = context
    self.lastUpdated = lastUpdated
  }
}

extension ShoesSession: SessionRecord {
  package enum CodingKeys: String, SessionKey { case shoes, sessions, suggestions, context, lastUpdated }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.shoes, &shoes)
    field(.sessions, &sessions)
    field(.suggestions, &suggestions)
    field(.context, &context)
    field(.lastUpdated, &lastUpdated, .stamp)
  }
}

extension ShoesSession.Shoe: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, name, brand, model, icon, archived, tags }

  package static let format = RecordFormat(Self(id: "", name: ""))
  package static var noun: StaticString { "shoe" }
  package var caption: String? { name }
  package var version: RecordVersion? { RecordVersion(id: id) }
  package static var keepsOrigin: Bool { true }
  package mutating func begin(at origin: RecordOrigin) { self.origin = origin }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.name, &name)
    field(.brand, &brand)
    field(.model, &model)
    field(.icon, &icon)
    field(.archived, &archived)
    field(.tags, &tags)
  }
}

extension ShoesSession.Wearing: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, shoeId, start, end, steps, distance }

  package static let format = RecordFormat(
    Self(id: "", shoeId: "", start: Instant.validRange.lowerBound, steps: 0, distance: 0))
  package static var noun: StaticString { "session" }
  package var version: RecordVersion? { RecordVersion(id: id) }
  package static var keepsOrigin: Bool { true }
  package mutating func begin(at origin: RecordOrigin) { self.origin = origin }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.shoeId, &shoeId)
    field(.start, &start, .beginning)
    var ending = end.map { SessionEnd(date: $0) }
    field(.end, &ending)
    end = ending.map { $0.date ?? SessionEnd.unreadable }
    field(.steps, &steps, 0 ... .max)
    field(.distance, &distance, .notNegative)
  }

  package mutating func mendRules() -> BrokenRule<CodingKeys>? {
    guard let end, end < start else { return nil }
    self.end = start
    // The reader has warned of an unreadable end.
    if end == SessionEnd.unreadable { return nil }
    return BrokenRule(key: .end, message: "the session ends before it starts: it has no length", isMended: true)
  }
}

extension ShoesSession.Shoe: UnionRecord {
  func mark(in calendar: CivilCalendar) -> RecordMark { .text(name) }
}

extension ShoesSession.Wearing: UnionRecord {
  func mark(in calendar: CivilCalendar) -> RecordMark { .moment(start.seconds) }

  /// The shoe that it names: that of its own file, if several have the id.
  var shoe: RecordKey { RecordKey(id: shoeId, path: origin.path) }
}

/// The end of a session. One that cannot be read gives a session without length, and not an open one.
private struct SessionEnd: FieldValue {
  /// Nil if it cannot be read.
  var date: Instant?

  /// Stands for an end that cannot be read.
  static let unreadable = Instant(microseconds: .min)

  static func read(_ json: inout JSONReader, _: Void, named name: String) -> SessionEnd? {
    SessionEnd(date: json.optionalMember(name, meaning: "it has no length") { $0.date() })
  }

  static func schema(_: Void) -> JSONSchema { .date }
}

extension ShoesSession.Suggestion: SessionRecord {
  package enum CodingKeys: String, SessionKey { case shoeId, reason, confidence }

  package static let format = RecordFormat(Self(shoeId: "", reason: "", confidence: 0))
  package static var noun: StaticString { "suggestion" }
  package var caption: String? { reason }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.shoeId, &shoeId)
    field(.reason, &reason)
    field(.confidence, &confidence, 0...1)
  }
}

extension ShoesSession.Context: SessionRecord {
  package enum CodingKeys: String, SessionKey { case place, at }

  package static let format = RecordFormat(Self(at: .referenceDate))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.place, &place)
    field(.at, &at)
  }
}
