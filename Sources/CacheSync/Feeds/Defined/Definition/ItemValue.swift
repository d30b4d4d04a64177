/// A value of an item's field, or of a kind's `values`.
package enum ItemValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([ItemValue])
  /// What is neither scalar nor list of a session file; it is handed on and otherwise nothing.
  case object(JSONValue)
  /// An item's start or end.
  case instant(Instant)

  /// Whether two values are the same, texts by their bytes.
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
