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
}

extension DefinitionReader {
  /// Checks a name at a byte of a string, and records a defect if it is unknown.
  mutating func check(_ used: String, at offset: Int, in string: LocatedValue, _ known: KnownNames) {
    if known.isOpen || known.knows(used) { return }
    if used == TextTemplate.yearsName {
      fail(TextDefect(offset, "'{start:years}' is for the texts of 'items' alone"), in: string)
      return
    }
    let advice = known.elsewhere[used].map { "; \($0)" } ?? advice(for: used, among: known.names)
    fail(TextDefect(offset, "no \(known.noun) \(quotedName(used))\(advice)"), in: string)
  }

  /// Reads a string that is a name as a whole.
  mutating func name(_ value: LocatedValue, _ known: KnownNames) -> String? {
    guard let text = text(value, "the name of a \(known.noun)") else { return nil }
    check(text, at: 0, in: value, known)
    return text
  }

  /// Reads a text with placeholders. Their names must be known.
  mutating func template(_ value: LocatedValue, _ known: KnownNames) -> TextTemplate? {
    guard let text = text(value, "a text") else { return nil }
    if let advice = TextTemplate.pathDefect(text) {
      fail(TextDefect(0, advice), in: value)
      return nil
    }
    let parsed = TextTemplate.parse(text)
    for defect in parsed.defects { fail(defect, in: value) }
    for name in parsed.names { check(name.name, at: name.offset, in: value, known) }
    return parsed.template
  }
}
