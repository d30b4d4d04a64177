/// The names that a text, a condition or an order may use at its place.
struct KnownNames {
  /// What a name is called in messages: "field", "value".
  var noun: String
  var names: [String]
  /// Why a name that is known elsewhere is not known here.
  var elsewhere: TextMap<String> = [:]
  /// Every name counts as known, because what names them could not be read.
  var isOpen = false

  init(_ noun: String, _ names: [String], elsewhere: TextMap<String> = [:]) {
    self.noun = noun
    self.names = names
    self.elsewhere = elsewhere
  }

  func knows(_ name: String) -> Bool { names.contains { isSameText($0, name) } }

  /// Names that fields, values and marks may not have, because texts know them.
  static let reserved = ["count", "more", "items", "id", "start", "end", "key", "index"]
}

extension DefinitionReader {
  /// Checks a name at a byte of a string.
  mutating func check(_ used: String, at offset: Int, in string: LocatedValue, _ known: KnownNames) {
    if known.isOpen || known.knows(used) { return }
    let advice = known.elsewhere[used].map { "; \($0)" } ?? advice(for: used, among: known.names)
    fail(TextDefect(offset, "no \(known.noun) \(quotedName(used))\(advice)"), in: string)
  }

  /// A string that is a name as a whole.
  mutating func name(_ value: LocatedValue, _ known: KnownNames) -> String? {
    guard let text = text(value, "the name of a \(known.noun)") else { return nil }
    check(text, at: 0, in: value, known)
    return text
  }

  /// A text with holes, each of which must be known.
  mutating func template(_ value: LocatedValue, _ known: KnownNames) -> TextTemplate? {
    guard let text = text(value, "a text") else { return nil }
    let parsed = TextTemplate.parse(text)
    for defect in parsed.defects { fail(defect, in: value) }
    for name in parsed.names { check(name.name, at: name.offset, in: value, known) }
    return parsed.template
  }
}
