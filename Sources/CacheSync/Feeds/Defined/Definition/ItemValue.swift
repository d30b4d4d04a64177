/// A value of an item's field, or of a kind's `values`.
package enum ItemValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([ItemValue])
  /// An object from a session file. It is passed on unchanged and has no other use.
  case object(JSONValue)
  /// An item's start or end.
  case instant(Instant)

  /// Whether two values are equal; texts are compared by bytes.
  package static func == (a: ItemValue, b: ItemValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.text(let a), .text(let b)): isSameText(a, b)
    case (.list(let a), .list(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.instant(let a), .instant(let b)): a == b
    default: false
    }
  }
}
