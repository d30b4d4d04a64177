import CacheSyncSystem

extension Shape where Value == WidgetConfiguration {
  /// A widget's file.
  ///
  /// - Parameters:
  ///   - name: that of the file.
  ///   - kinds: those that it may show.
  static func widget(_ name: KindName, _ kinds: [KindName: Kind]) -> Shape {
    object { member in
      var widget = WidgetConfiguration(name: name, kind: name, options: [:])
      let kind = member("kind", .kind(kinds), is: .required)
      member("title", &widget.title, .title)
      member("from", &widget.from, .cachePath)
      widget.options = TextMap((kind?.options ?? []).map { ($0.name, $0.standard) })
      member("options", &widget.options, .options(of: kind))
      widget.kind = kind?.name ?? name
      return kind == nil ? nil : widget
    }
  }
}

extension Shape where Value == Kind {
  fileprivate static func kind(_ kinds: [KindName: Kind]) -> Shape {
    let names = kinds.keys.map(\.description).sorted()
    // For editors any name is valid: a cache's definitions have kinds of their own.
    return Shape(.knownWord(names)) { reader, value in
      guard let word = value.text else {
        reader.fail(expecting: "the name of a kind", at: value)
        return nil
      }
      if let kind = kinds[KindName(word)] { return kind }
      reader.fail("unknown kind \(quotedName(word)): \(NearestName.advice(for: word, among: names))", at: value)
      return nil
    }
  }
}

extension Shape where Value == CachePath {
  fileprivate static var cachePath: Shape {
    Shape(.path) { reader, value in
      if let path = value.text.flatMap({ CachePath(relative: Array($0.utf8)) }) { return path }
      reader.fail(
        "expected a relative path in the cache such as \"health/anna\", without \".\", \"..\" and \"//\"", at: value)
      return nil
    }
  }
}

extension Shape where Value == TextMap<JSONValue> {
  /// A value for every option of the kind. The options of an unknown kind are not read.
  fileprivate static func options(of kind: Kind?) -> Shape {
    Shape(JSONSchema("object")) { reader, value in
      guard let kind, let members = reader.members(value) else { return nil }
      var options = TextMap(kind.options.map { ($0.name, $0.standard) })
      for member in members {
        guard let option = kind.options.first(where: { isSameText($0.name, member.key) }) else {
          let names = kind.options.map(\.name)
          let advice =
            names.isEmpty ? "\(kind.name) has none" : NearestName.advice(for: member.key, among: names)
          reader.fail("unknown option \(quotedName(member.key)): \(advice)", atKeyOf: member)
          continue
        }
        if member.value.isNull { continue }
        if let value = option.value(of: member.value.json) {
          options[option.name] = value
        } else {
          reader.fail(
            "expected \(option.expectation) for \(option.name), found \(member.value.shown)", at: member.value)
        }
      }
      return options
    }
  }
}

extension WidgetConfiguration {
  /// A widget's file, for editors.
  ///
  /// - Parameter kinds: those whose options it has.
  package static func schema(_ kinds: [Kind]) -> JSONSchema {
    let byName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
    var schema = Shape<WidgetConfiguration>.widget("", byName).schema(SchemaParts())
    schema.keywords["allOf"] = .array(
      kinds.map { kind in
        let options = JSONSchema.object(kind.options.map { ($0.name, $0.schema.orNull) }, isClosed: true).orNull
        return JSONSchema.rule(where: "kind", is: kind.name.description, then: .object([("options", options)]))
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
