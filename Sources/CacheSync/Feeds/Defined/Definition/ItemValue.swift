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
}
