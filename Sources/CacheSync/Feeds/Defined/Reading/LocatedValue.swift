/// A value of a definition's document, and the byte at which it begins.
///
/// A definition is read as such a tree first, because its texts name fields that may stand after them. It is small: a
/// definition has at most 65,536 bytes.
struct LocatedValue {
  enum Content {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([LocatedValue])
    /// In the document's order; no key comes twice.
    case object([LocatedMember])
    /// A defect of it is recorded already.
    case broken
  }

  var offset: Int
  var content: Content

  /// What it is, for messages.
  var description: String {
    switch content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number: "a number"
    case .text: "a string"
    case .array: "an array"
    case .object: "an object"
    case .broken: "no value"
    }
  }

  var isNull: Bool {
    if case .null = content { true } else { false }
  }

  var isBroken: Bool {
    if case .broken = content { true } else { false }
  }
}

/// A member of an object, and the byte at which its key begins.
struct LocatedMember {
  var key: String
  var keyOffset: Int
  var value: LocatedValue
}

extension JSONReader {
  /// Reads whatever is there, with places. Members of the outermost object that are named in `ignored` are skipped.
  ///
  /// It recurses, at most ``deepest`` levels, as the reader opens no more.
  mutating func locatedValue(ignoring ignored: Set<String> = []) -> LocatedValue {
    let offset = valueOffset
    return LocatedValue(offset: offset, content: locatedContent(ignoring: ignored))
  }

  private mutating func locatedContent(ignoring ignored: Set<String>) -> LocatedValue.Content {
    switch next {
    case .null:
      skipValue()
      return .null
    case .invalid:
      // This finds the syntax error.
      skipValue()
      return .broken
    case .bool: return bool().map { .bool($0) } ?? .broken
    case .number: return number().map { .number($0) } ?? .broken
    case .string: return string().map { .text($0) } ?? .broken
    case .array:
      var elements: [LocatedValue] = []
      let isWhole = array { json in elements.append(json.locatedValue()) }
      return isWhole ? .array(elements) : .broken
    case .object:
      var members: [LocatedMember] = []
      var keys: Set<ExactText> = []
      let isWhole = self.members { json, key in
        guard keys.insert(ExactText(key)).inserted else { return false }
        // The key is the value read last.
        let keyOffset = json.latest - json.start
        if ignored.contains(key) {
          json.skipValue()
        } else {
          members.append(LocatedMember(key: key, keyOffset: keyOffset, value: json.locatedValue()))
        }
        return true
      }
      return isWhole ? .object(members) : .broken
    }
  }
}
