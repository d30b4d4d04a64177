/// The files that `cachesyncd schema` has a JSON Schema of (commands.md: schema).
package enum SchemaSubject: String, CaseIterable, Sendable {
  case session, snapshot, widget, screen, settings, definition, panels, intent, manifest
  case dayIndex = "day-index"

  /// The names after the word, of which one is required: feeds, kinds or types of intents. Nil: the word stands alone.
  package func names(in registry: FeedRegistry) -> [String]? {
    switch self {
    case .session: registry.feeds.filter { $0.schema != nil }.map(\.name.description)
    case .snapshot: registry.kinds.map(\.name.description)
    case .intent: registry.intents.all.map(\.name)
    case .widget, .screen, .settings, .definition, .panels, .manifest, .dayIndex: nil
    }
  }

  /// Every schema's words: `session meal-plan`, `widget`.
  package static func all(in registry: FeedRegistry) -> [String] {
    allCases.flatMap { subject in
      subject.names(in: registry)?.map { "\(subject.rawValue) \($0)" } ?? [subject.rawValue]
    }
  }

  /// The schema, without a newline at its end.
  ///
  /// - Parameter name: one of ``names(in:)``.
  /// - Returns: nil for any other name.
  package func schema(_ name: String?, in registry: FeedRegistry) -> [UInt8]? {
    switch (self, name) {
    case (.session, let name?):
      registry.feed(named: FeedName(name))?.schema?.document("A session file of \(name)")
    case (.snapshot, let name?):
      registry.kind(named: KindName(name)).map { kind in
        SnapshotDocument.schema(of: kind, content: Snapshot.content(of: kind)).document("The snapshot \(kind.name)")
      }
    case (.intent, let name?): registry.intents[name]?.schema.document("An intent \(name)")
    case (.widget, nil):
      WidgetConfiguration.schema(registry.kinds.filter { $0.widget == nil }).document("A widget")
    case (.screen, nil): ScreenConfiguration.schema.document("A screen")
    case (.settings, nil): CacheSettings.schema.document("The settings of a cache")
    case (.definition, nil): FeedDefinition.schema.document("A CacheSync feed")
    case (.panels, nil): JSONSchema.panels.document("The panels of serve")
    case (.manifest, nil): Manifest.schema.document("The manifest")
    case (.dayIndex, nil): DayIndexProjector.schema.document("The day index")
    default: nil
    }
  }
}

extension JSONSchema {
  /// The file of `serve --panels` (panels.md). The page's server reads it, which this library does not know; a test of the
  /// page compares what both accept.
  fileprivate static var panels: JSONSchema {
    func pattern(_ pattern: String) -> JSONSchema { JSONSchema("string", with: ["pattern": .string("^\(pattern)$")]) }
    func integer(_ values: Int...) -> JSONSchema {
      JSONSchema("integer", with: ["enum": .array(values.map(JSONValue.integer))])
    }
    // From 1 to 8192.
    let side = #"\+?0*([1-9][0-9]{0,2}|[1-7][0-9]{3}|8(0[0-9]{2}|1([0-8][0-9]|9[0-2])))"#
    let time = "([01][0-9]|2[0-3]):[0-5][0-9]"
    var widgets = JSONSchema.list(of: .text)
    widgets.keywords["minItems"] = .integer(1)
    let (size, name) = ("\(side)[x×]\(side)", "[a-z][a-z0-9]*(-[a-z0-9]+)*")
    var panel = JSONSchema.object(
      [
        ("widgets", widgets), ("screen", pattern("(\(size)|\(name))")),
        ("bits", integer(1, 2, 4, 8)), ("rotate", integer(0, 90, 180, 270)), ("redacted", .flag),
        ("awake", pattern("\(time)-(\(time)|24:00)")), ("every", .duration),
      ], isClosed: true)
    // The file of a screen names the widgets.
    panel.keywords["oneOf"] = .array([
      .object(["required": .array([.string("widgets")]), "properties": .object(["screen": pattern(size).value])]),
      .object([
        "required": .array([.string("screen")]), "properties": .object(["screen": pattern(name).value]),
        "not": .object(["required": .array([.string("widgets")])]),
      ]),
    ])
    var all = JSONSchema("object")
    all.keywords["patternProperties"] = .object(["^[0-9A-Fa-f]([:.-]?[0-9A-Fa-f]){11}$": panel.value])
    all.keywords["additionalProperties"] = .bool(false)
    return .object([("panels", all)], required: ["panels"], isClosed: true)
  }
}

extension Snapshot {
  /// The members of a kind's content with their types, as its rule writes them for the sample data. It requires none,
  /// and each may be null, because other data give other members. A kind of a definition may have any.
  static func content(of kind: Kind) -> JSONSchema {
    let sample = try? Snapshot.sample(of: (kind.widget?.kind ?? kind.name).description)
    var content = JSONSchema("object")
    content.keywords = JSONSchema(of: sample?.entries.map(\.content) ?? []).keywords
    return content
  }
}

extension JSONSchema {
  /// The types of some values, and of what is in them; any if all are null.
  fileprivate init(of values: [JSONValue]) {
    var types: [String] = []
    var elements: [JSONValue] = []
    var members: [String: [JSONValue]] = [:]
    for value in values {
      switch value {
      case .null: continue
      case .bool: types.append("boolean")
      case .integer, .digits, .number: types.append("number")
      case .string: types.append("string")
      case .array(let array):
        types.append("array")
        elements += array
      case .object(let object):
        types.append("object")
        for (key, value) in object { members[key, default: []].append(value) }
      }
    }
    self = Set(types).sorted().reduce(JSONSchema()) { $0.types.isEmpty ? JSONSchema($1) : $0.or($1) }.orNull
    if !elements.isEmpty { keywords["items"] = JSONSchema(of: elements).value }
    if !members.isEmpty {
      let properties = members.map { key, values in
        // The sample's ids are numbers or texts, and the files of an app have the other.
        let isID = key == "id" || key.hasSuffix("Id")
        return (key, (isID ? .id.orNull : JSONSchema(of: values)).value)
      }
      keywords["properties"] = .object(TextMap(properties))
    }
  }
}
