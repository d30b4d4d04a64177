import CacheSyncSystem

/// Why an intent cannot be built from the typed arguments: one line that says what to type instead.
package struct IntentArgumentError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// An intent's file, made from a command line: `cachesyncd intent TYPE key=value…` (commands.md).
package struct IntentDocument: Sendable {
  /// The feed that such files are for.
  package static var feed: FeedName { IntentsFeed.name }

  /// The intent's id. A generated one is also a good name for the file.
  package let id: String
  /// The whole file, with its final newline.
  package let bytes: [UInt8]
  /// What the agent reads in it.
  package let intent: StoredIntent

  /// Builds the file and reads it with the feed's own decoder, so that nothing is dropped that the agent would reject.
  ///
  /// - Parameters:
  ///   - type: the word of an ``IntentType``.
  ///   - arguments: `key=value`; the fields of that type. `id` and `at` override a generated id and `moment`. Ids are
  ///     written as texts, because ids compare by their texts.
  ///   - moment: when the person did it.
  ///   - types: the types that the cache knows.
  package init(
    type word: String, arguments: [String], at moment: Instant,
    knowing types: IntentTypes = FeedRegistry.builtIn.intents
  ) throws(IntentArgumentError) {
    guard let type = types[word] else {
      let advice = NearestName.advice(for: word, among: types.all.map(\.name))
      throw IntentArgumentError("unknown intent type \(JSONMessage.quoted(word)): \(advice)")
    }
    let values = try Self.values(of: arguments, for: type)
    for field in type.fields where field.isRequired && values[field.name] == nil {
      throw IntentArgumentError("\(word) needs \(field.name)=…")
    }
    let id = values["id"] ?? Self.freshID()
    var members: TextMap<JSONValue> = [
      // Without the fraction, an intent could be dated before the session that was written just before it.
      "at": values["at"].map(Self.date) ?? .string(moment.rfc3339(isPadded: true)), "id": .string(id),
      "type": .string(type.name),
    ]
    for field in type.fields {
      members[field.name] = values[field.name].map { text in
        switch field.value {
        case .text, .path, .record: .string(text)
        case .number: Self.number(text) ?? .string(text)
        case .day: Self.date(text)
        }
      }
    }
    self.id = id
    bytes = JSONValue.object(members).bytes + [UInt8(ascii: "\n")]
    intent = try Self.validated(bytes, types)
  }

  private static func values(of arguments: [String], for type: IntentType) throws(IntentArgumentError)
    -> [String: String]
  {
    let allowed = ["id", "at"] + type.fields.map(\.name)
    var values: [String: String] = [:]
    for argument in arguments {
      // By bytes: a "=" before a combining mark is still the sign.
      guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        throw IntentArgumentError("expected key=value, found \(JSONMessage.quoted(argument))")
      }
      let key = argument.utf8[..<sign]
      guard let field = allowed.first(where: { $0.utf8.elementsEqual(key) }) else {
        let name = String(Substring(key))
        let near = NearestName.of(name, among: allowed).map { ": did you mean \($0)?" }
        let advice = near ?? "; its fields are \(allowed.joined(separator: ", "))"
        throw IntentArgumentError("\(type.name) has no field \(JSONMessage.quoted(name))\(advice)")
      }
      let value = String(Substring(argument.utf8[argument.utf8.index(after: sign)...]))
      guard values.updateValue(value, forKey: field) == nil else {
        throw IntentArgumentError("\(field) is given twice")
      }
    }
    return values
  }

  /// A typed date: a number of seconds since 2001, or a text that the decoder validates.
  private static func date(_ text: String) -> JSONValue { number(text) ?? .string(text) }

  private static func number(_ text: String) -> JSONValue? {
    let value = text.withUTF8Bytes { JSONValue.parse(UnsafeRawBufferPointer($0)) }
    return value?.double == nil ? nil : value
  }

  private static func validated(_ bytes: [UInt8], _ types: IntentTypes) throws(IntentArgumentError) -> StoredIntent {
    let (file, defect, pointer) = bytes.withUnsafeBytes { bytes in
      // A person can still mend what the agent would only warn of.
      let document = JSONReader.read(bytes) { json in
        json.isStrict = true
        return IntentFile.read(&json, knowing: types)
      }
      let defect = document.defects.first
      return (document.value, defect, defect.map { JSONPlace.of($0, in: bytes).pointer })
    }
    if let file = file.flatMap(\.self), defect == nil { return file.stored }
    throw IntentArgumentError("\(pointer?.dropFirst() ?? "intent"): \(defect?.message ?? "cannot be read")")
  }

  /// 128 random bits in hexadecimal digits.
  private static func freshID() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
