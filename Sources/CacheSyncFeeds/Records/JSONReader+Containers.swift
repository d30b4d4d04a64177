extension JSONReader {
  /// Reads an object and calls `member` for each member whose key is required or optional, with the cursor at the
  /// member's value. It skips other members, and a value that `member` does not read.
  ///
  /// - A missing required key is a defect at the object.
  /// - The second occurrence of a key that was read is a defect at the second value, which is skipped.
  /// - An optional key whose value is null is read here and never reaches `member`: null means missing (contract.md:
  ///   notation).
  ///
  /// Keys compare after unescaping.
  ///
  /// - Returns: whether the value was an object, complete to its closing bracket, with all required keys.
  package mutating func object<Key: JSONKey>(
    _ keys: Key.Type, required: [Key] = [], _ member: (inout JSONReader, Key) -> Void
  ) -> Bool {
    let cases = Array(Key.allCases)
    let required = required.reduce(0) { $0 | $1.bit }
    return object(JSONNames(of: keys), required: required, optional: .max) { json, index in member(&json, cases[index])
    }
  }

  /// The same with names instead of cases: sets consist of their bits, and `member` receives their indices.
  @inline(__always)
  package mutating func object(
    _ names: JSONNames, required: UInt64, optional: UInt64, _ member: (inout JSONReader, Int) -> Void
  ) -> Bool {
    guard open(0x7b, "an object") else { return false }
    var members = Members(object: latest, required: required, optional: optional)
    while let index = nextMember(&members, names) { member(&self, index) }
    return close(members, names)
  }

  /// Reads an array and calls `element` for each element, with the cursor at it. It skips an element that `element`
  /// does not read.
  ///
  /// - Returns: whether the value was an array, complete to its closing bracket.
  @inline(__always)
  package mutating func array(_ element: (inout JSONReader) -> Void) -> Bool {
    guard open(0x5b, "an array") else { return false }
    let array = latest
    var place: JSONBytes?
    while nextElement(&place) { element(&self) }
    latest = array
    return !isStopped
  }

  /// Reads an array.
  package mutating func list<Element>(_ element: (inout JSONReader) -> Element?) -> [Element] {
    var elements: [Element] = []
    _ = array { json in
      if let value = element(&json) { elements.append(value) }
    }
    return elements
  }
}
