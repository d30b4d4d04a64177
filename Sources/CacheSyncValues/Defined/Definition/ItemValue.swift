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

  /// Values of one rank can be compared; those of a lower rank come first.
  private var rank: Int {
    switch self {
    case .number: 0
    case .instant: 1
    case .text: 2
    case .bool: 3
    case .list, .object: 4
    case .null: 5
    }
  }

  /// Negative if this value comes before the other, 0 if neither comes first. Numbers come before texts, texts are
  /// ordered by bytes, and null is last.
  func order(_ other: ItemValue) -> Int {
    switch (self, other) {
    case (.number(let a), .number(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.instant(let a), .instant(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.text(let a), .text(let b)): isOrdered(a, before: b) ? -1 : isOrdered(b, before: a) ? 1 : 0
    case (.bool(let a), .bool(let b)): (a ? 1 : 0) - (b ? 1 : 0)
    default: rank - other.rank
    }
  }

  /// The ranks of values in their order, from 0. Equal values have the same rank, and null has `Int32.max`.
  ///
  /// Each value is compared with few others here, however often its rank is compared later.
  static func ranks(of values: [ItemValue]) -> [Int32] {
    var ranks = [Int32](repeating: .max, count: values.count)
    var rank: Int32 = 0
    var previous: Int?
    for place in values.indices.sorted(by: { values[$0].order(values[$1]) < 0 }) {
      // Null comes last, so the rest is null.
      if case .null = values[place] { break }
      if let previous, values[previous].order(values[place]) != 0 { rank += 1 }
      ranks[place] = rank
      previous = place
    }
    return ranks
  }

  /// Whether the value has an order of its own. Booleans, lists and objects do not.
  var isComparable: Bool { rank <= 2 }

  func hasSameRank(as other: ItemValue) -> Bool { rank == other.rank }
}

extension JSONWriter {
  mutating func value(_ value: ItemValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value): number(value.finite)
    case .text(let value): string(value)
    case .list(let values): array { json in for value in values { json.value(value) } }
    case .object(let value): self.value(value)
    case .instant(let value): instant(value)
    }
  }
}
