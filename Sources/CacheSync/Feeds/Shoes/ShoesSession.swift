/// A session file of the shoes app, for the app that writes it: encode it with `JSONEncoder` and put the bytes, as a whole,
/// under `shoes/` in the cache.
///
///     let file = ShoesSession(shoes: shoes, sessions: worn, lastUpdated: now)
///     let bytes = try JSONEncoder().encode(file)
public struct ShoesSession: Codable, Sendable, Hashable {
  /// A pair of shoes.
  public struct Shoe: Codable, Sendable, Hashable, Identifiable {
    /// Names the shoe in sessions, suggestions and links.
    public var id: RecordID
    /// What a person calls it.
    public var name: String
    /// Who made it.
    public var brand: String?
    /// What the maker calls it.
    public var model: String?
    /// A symbol's name; readers show "shoe.2" without one.
    public var icon: String?
    /// Whether the shoe is put away: it is no longer offered, but shows while it is worn. Absent means no.
    public var archived: Bool?

    /// A pair of shoes that is in use unless `archived` says otherwise.
    public init(
      id: RecordID, name: String, brand: String? = nil, model: String? = nil, icon: String? = nil, archived: Bool? = nil
    ) {
      self.id = id
      self.name = name
      self.brand = brand
      self.model = model
      self.icon = icon
      self.archived = archived
    }
  }

  /// One wearing of a shoe.
  public struct Wearing: Codable, Sendable, Hashable, Identifiable {
    /// Names the session; the same id in a later file replaces it.
    public var id: RecordID
    /// The ``Shoe/id`` of what was worn.
    public var shoeId: RecordID
    /// When the shoe was put on.
    public var start: Instant
    /// Nil while the shoe is worn; never before `start`.
    public var end: Instant?
    /// How many steps were taken.
    public var steps: Int
    /// Kilometres.
    public var distance: Double

    /// A wearing that goes on unless it has an `end`.
    public init(id: RecordID, shoeId: RecordID, start: Instant, end: Instant? = nil, steps: Int, distance: Double) {
      self.id = id
      self.shoeId = shoeId
      self.start = start
      self.end = end
      self.steps = steps
      self.distance = distance
    }
  }

  /// A shoe that the app proposes; without any, the agent makes its own from what was worn.
  public struct Suggestion: Codable, Sendable, Hashable {
    /// The ``Shoe/id`` of what is proposed.
    public var shoeId: RecordID
    /// Why, as a person reads it.
    public var reason: String
    /// 0...1.
    public var confidence: Double

    /// A proposal; a `confidence` outside 0...1 makes the agent reject the file.
    public init(shoeId: RecordID, reason: String, confidence: Double) {
      self.shoeId = shoeId
      self.reason = reason
      self.confidence = confidence
    }
  }

  /// The shoes there are.
  public var shoes: [Shoe]?
  /// When which were worn.
  public var sessions: [Wearing]?
  /// What to put on next, the best first.
  public var suggestions: [Suggestion]?
  /// When the app last wrote this. Without it the file's modification time counts, and what is shown never goes stale.
  public var lastUpdated: Instant?

  /// A file that holds what is given; the rest stays away.
  public init(
    shoes: [Shoe]? = nil, sessions: [Wearing]? = nil, suggestions: [Suggestion]? = nil, lastUpdated: Instant? = nil
  ) {
    self.shoes = shoes
    self.sessions = sessions
    self.suggestions = suggestions
    self.lastUpdated = lastUpdated
  }
}

extension ShoesSession: SessionRecord {
  package enum CodingKeys: String, SessionKey { case shoes, sessions, suggestions, lastUpdated }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.shoes, &shoes)
    field(.sessions, &sessions)
    field(.suggestions, &suggestions)
    field(.lastUpdated, &lastUpdated)
  }
}

extension ShoesSession.Shoe: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, name, brand, model, icon, archived }

  package static let format = RecordFormat(Self(id: "", name: ""))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.name, &name)
    field(.brand, &brand)
    field(.model, &model)
    field(.icon, &icon)
    field(.archived, &archived)
  }
}

extension ShoesSession.Wearing: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, shoeId, start, end, steps, distance }

  package static let format = RecordFormat(
    Self(id: "", shoeId: "", start: Instant.validRange.lowerBound, steps: 0, distance: 0))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.shoeId, &shoeId)
    field(.start, &start)
    field(.end, &end)
    field(.steps, &steps)
    field(.distance, &distance)
  }

  package var brokenRule: (key: CodingKeys, message: String)? {
    if let end, end < start { (.end, "the session ends before it starts") } else { nil }
  }
}

extension ShoesSession.Suggestion: SessionRecord {
  package enum CodingKeys: String, SessionKey { case shoeId, reason, confidence }

  package static let format = RecordFormat(Self(shoeId: "", reason: "", confidence: 0))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.shoeId, &shoeId)
    field(.reason, &reason)
    field(.confidence, &confidence, 0...1)
  }
}
