import CacheSyncSystem

extension DefinitionReader {
  enum WidgetKey: String, CaseIterable {
    case kind, title, from, options
  }

  /// Reads a widget's file; the kinds are those that it may show.
  mutating func widget(_ value: LocatedValue, kinds: [KindName: Kind]) -> WidgetConfiguration? {
    guard let members = object(value, WidgetKey.self) else { return nil }
    if members[.kind] == nil { fail(missing: "kind", in: value) }
    var widget = WidgetConfiguration(name: KindName(name), kind: KindName(name), options: [:])
    widget.title = members[.title].flatMap { self.title($0) }
    widget.from = members[.from].flatMap { self.from($0) }
    guard let kind = members[.kind].flatMap({ self.kind($0, among: kinds) }) else { return nil }
    widget.kind = kind.name
    widget.options = options(members[.options], of: kind)
    return widget
  }

  private mutating func kind(_ value: LocatedValue, among kinds: [KindName: Kind]) -> Kind? {
    guard let word = value.text else {
      fail(expecting: "the name of a kind", at: value)
      return nil
    }
    if let kind = kinds[KindName(word)] { return kind }
    let names = kinds.keys.map(\.description).sorted()
    fail("unknown kind \(quotedName(word)): \(NearestName.advice(for: word, among: names))", at: value)
    return nil
  }

  /// The largest number of characters of a title.
  fileprivate static let longestTitle = 80

  private mutating func title(_ value: LocatedValue) -> String? {
    guard let text = value.text, (1...Self.longestTitle).contains(text.count), !text.contains(where: \.isNewline) else {
      fail("expected a text of 1 to \(Self.longestTitle) characters without line breaks", at: value)
      return nil
    }
    return text
  }

  private mutating func from(_ value: LocatedValue) -> CachePath? {
    guard let path = value.text.flatMap({ CachePath(relative: Array($0.utf8)) }) else {
      fail("expected a relative path in the cache such as \"health/anna\", without \".\", \"..\" and \"//\"", at: value)
      return nil
    }
    return path
  }

  /// A value for every option of the kind.
  private mutating func options(_ value: LocatedValue?, of kind: Kind) -> TextMap<JSONValue> {
    var options = TextMap(kind.options.map { ($0.name, $0.standard) })
    guard let value, let members = members(value) else { return options }
    for member in members {
      guard let option = kind.options.first(where: { isSameText($0.name, member.key) }) else {
        let names = kind.options.map(\.name)
        let advice =
          names.isEmpty ? "\(kind.name) has none" : NearestName.advice(for: member.key, among: names)
        fail("unknown option \(quotedName(member.key)): \(advice)", atKeyOf: member)
        continue
      }
      if member.value.isNull { continue }
      if let value = option.value(of: member.value.json) {
        options[option.name] = value
      } else {
        fail("expected \(option.expectation) for \(option.name), found \(member.value.shown)", at: member.value)
      }
    }
    return options
  }
}

extension DefinitionReader.WidgetKey {
  /// What the reader accepts, for editors.
  fileprivate func schema(_ kinds: [Kind]) -> JSONSchema {
    switch self {
    // Any name: a cache's definitions have kinds of their own.
    case .kind: return .knownWord(kinds.map(\.name.description))
    case .title:
      // It counts code points, where the reader counts what people see as characters.
      var title = JSONSchema.text.notEmpty.orNull
      title.keywords["maxLength"] = .integer(DefinitionReader.longestTitle)
      title.keywords["pattern"] = .string(#"^[^\n\x0b\f\r\x85\u2028\u2029]*$"#)
      return title
    case .from: return .path.orNull
    case .options: return JSONSchema("object").orNull
    }
  }
}

extension WidgetConfiguration {
  /// A widget's file, for editors.
  ///
  /// - Parameter kinds: those whose options it has.
  package static func schema(_ kinds: [Kind]) -> JSONSchema {
    var schema = JSONSchema.object(
      DefinitionReader.WidgetKey.allCases.map { ($0.rawValue, $0.schema(kinds)) },
      required: [DefinitionReader.WidgetKey.kind.rawValue], isClosed: true)
    schema.keywords["allOf"] = .array(
      kinds.map { kind in
        let options = JSONSchema.object(kind.options.map { ($0.name, $0.schema.orNull) }, isClosed: true).orNull
        return JSONSchema.rule(
          where: DefinitionReader.WidgetKey.kind.rawValue, is: kind.name.description,
          then: .object([(DefinitionReader.WidgetKey.options.rawValue, options)]))
      })
    return schema
  }
}

extension LocatedValue {
  fileprivate var json: JSONValue {
    var reading = JSONValueReading(tree)
    return reading.value(of: node)
  }

  /// The value in a message: a text itself, of other values the kind.
  fileprivate var shown: String { text.map { JSONMessage.quoted($0) } ?? description }
}
