/// The names that a text, a condition or an order may use at its place.
struct KnownNames {
  /// The word for such a name in messages: "field", "value".
  var noun: String
  var names: [String]
  /// The reason why a name that is known elsewhere is not known here.
  var elsewhere: TextMap<String> = [:]
  /// The names that a condition may use besides fields or values.
  var meanings: TextMap<Condition.Field> = [:]
  /// Accepts every name, because the part that defines the names could not be read.
  var isOpen = false

  init(_ noun: String, _ names: [String], elsewhere: TextMap<String> = [:]) {
    self.noun = noun
    self.names = names
    self.elsewhere = elsewhere
  }

  func knows(_ name: String) -> Bool { names.contains { isSameText($0, name) } }

  /// Names that fields, values and marks may not have, because they have a meaning in texts.
  static let reserved = ["count", "more", "items", "id", "start", "end", "key", "index"]

  /// The names that a definition may choose for fields and values, for editors.
  static let schema = #"""
    { "type": "string", "pattern": "^[^-{}:\\u0000-\\u001f][^{}:\\u0000-\\u001f]*$", "maxLength": 64,
      "not": { "enum": \#(reserved) } }
    """#
}

extension DefinitionReader {
  /// Checks a name at a byte of a string, and records a defect if it is unknown.
  func check(_ used: String, at offset: Int, in string: LocatedValue, _ known: KnownNames) {
    if known.isOpen || known.knows(used) { return }
    if used == TextTemplate.yearsName {
      fail(TextDefect(offset, "'{start:years}' is for the texts of 'items' alone"), in: string)
      return
    }
    let advice = known.elsewhere[used].map { "; \($0)" } ?? advice(for: used, among: known.names)
    fail(TextDefect(offset, "no \(known.noun) \(quotedName(used))\(advice)"), in: string)
  }
}

extension Shape where Value == String {
  /// A string that is a name as a whole.
  static func name(_ known: KnownNames) -> Shape {
    text("the name of a \(known.noun)").then { reader, value, text in
      reader.check(text, at: 0, in: value, known)
      return text
    }
  }
}

extension Shape where Value == TextTemplate {
  /// A text with placeholders, whose names must be known.
  static func template(_ known: KnownNames) -> Shape {
    Shape<String>.text("a text").then { reader, value, text in
      if let advice = TextTemplate.pathDefect(text) {
        reader.fail(TextDefect(0, advice), in: value)
        return nil
      }
      let parsed = TextTemplate.parse(text)
      for defect in parsed.defects { reader.fail(defect, in: value) }
      for name in parsed.names { reader.check(name.name, at: name.offset, in: value, known) }
      return parsed.template
    }
  }
}
