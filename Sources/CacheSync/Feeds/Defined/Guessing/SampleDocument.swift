/// A sample as an index of its values: members keep their order, and nothing is copied until it is looked at.
struct SampleDocument {
  let tree: JSONTree

  /// A value, and its key if it is a member of an object.
  struct Child {
    let key: JSONTree.Index?
    let value: JSONTree.Index
  }

  /// The first members of an object, or the first elements of an array.
  func children(of node: JSONTree.Index, atMost limit: Int) -> [Child] {
    let isObject = tree.kind(of: node) == .object
    guard isObject || tree.kind(of: node) == .array else { return [] }
    var children: [Child] = []
    var place = node + 1
    let end = tree.after(node)
    while place < end, children.count < limit {
      children.append(Child(key: isObject ? place : nil, value: isObject ? place + 1 : place))
      place = tree.after(isObject ? place + 1 : place)
    }
    return children
  }

  /// How many members or elements a value has.
  func count(of node: JSONTree.Index) -> Int {
    let isObject = tree.kind(of: node) == .object
    guard isObject || tree.kind(of: node) == .array else { return 0 }
    var count = 0
    var place = node + 1
    let end = tree.after(node)
    while place < end {
      count += 1
      place = tree.after(isObject ? place + 1 : place)
    }
    return count
  }

  func isScalar(_ node: JSONTree.Index) -> Bool {
    switch tree.kind(of: node) {
    case .object, .array: false
    default: true
    }
  }

  /// The scalar at a node; nil for null, an empty text, an array and an object.
  func scalar(of node: JSONTree.Index) -> SampleScalar? {
    switch tree.kind(of: node) {
    case .string:
      let text = tree.text(of: node)
      return text.utf8.allSatisfy { $0 == 0x20 } ? nil : .text(text)
    case .number:
      let number = tree.number(of: node)
      return number.isFinite ? .number(number, digits: tree.digits(of: node)) : nil
    case .bool: return .flag(tree.byte(of: node) == 0x74)
    default: return nil
    }
  }
}

/// A text, number or flag of a sample.
enum SampleScalar: Equatable {
  case text(String)
  /// - digits: those of a whole number, as the file has them.
  case number(Double, digits: String?)
  case flag(Bool)

  /// The value as a time rule reads it; nil for a flag.
  var source: WrittenTime.Source? {
    switch self {
    case .text(let text): .text(text)
    case .number(let number, let digits): .number(number, digits: digits)
    case .flag: nil
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The number, also if it is in a text.
  var number: Double? {
    switch self {
    case .number(let number, _): number
    case .text(let text): Self.number(in: text)
    case .flag: nil
    }
  }

  /// The value as a definition's id would be, for comparing two of them.
  var identity: ExactText {
    switch self {
    case .text(let text): ExactText(text)
    case .number(let number, let digits): ExactText(digits ?? "\(number)")
    case .flag(let flag): ExactText("\(flag)")
    }
  }

  /// A decimal number as `as: "number"` reads it.
  private static func number(in text: String) -> Double? {
    guard let first = text.utf8.first, let last = text.utf8.last, last &- 0x30 < 10, text.utf8.count <= 24,
      first &- 0x30 < 10 || first == UInt8(ascii: "-") || first == UInt8(ascii: "+"),
      text.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 | 0x20 == UInt8(ascii: "e") || "+-.".utf8.contains($0) }),
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }
}
