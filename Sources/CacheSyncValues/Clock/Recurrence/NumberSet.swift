/// A set of numbers 0...63, such as minutes or days of a month. It is one word, so a rule needs no memory for it.
package struct NumberSet: Hashable, Sendable {
  private var bits: UInt64

  package init() { bits = 0 }

  /// Makes a set; numbers beyond 0...63 are ignored.
  package init(_ numbers: some Sequence<Int>) {
    bits = 0
    for number in numbers { insert(number) }
  }

  /// Makes a set of one number, which is ignored beyond 0...63.
  init(only number: Int) {
    bits = 0
    insert(number)
  }

  package var isEmpty: Bool { bits == 0 }

  package var count: Int { bits.nonzeroBitCount }

  /// Adds a number; numbers beyond 0...63 are ignored.
  package mutating func insert(_ number: Int) {
    guard (0...63).contains(number) else { return }
    bits |= 1 &<< UInt64(number)
  }

  package func contains(_ number: Int) -> Bool {
    (0...63).contains(number) && bits & (1 &<< UInt64(number)) != 0
  }

  /// Ascending.
  var members: [Int] { (0...63).filter(contains) }

  /// The member with that many smaller ones; 0 if there is none.
  func member(at index: Int) -> Int {
    var rest = bits
    for _ in 0..<max(index, 0) { rest &= rest &- 1 }
    return rest == 0 ? 0 : rest.trailingZeroBitCount
  }

  /// The least member above a number; nil if there is none.
  func next(after number: Int) -> Int? {
    guard number < 63 else { return nil }
    let above = number < 0 ? bits : bits & (~0 &<< UInt64(number + 1))
    return above == 0 ? nil : above.trailingZeroBitCount
  }
}

/// Numbers that count from the beginning or, negative, from the end: the first is 1, the last -1.
package struct SignedNumberSet: Hashable, Sendable {
  private var fromBeginning = NumberSet()
  private var fromEnd = NumberSet()

  package init() {}

  package init(_ numbers: some Sequence<Int>) {
    for number in numbers { insert(number) }
  }

  package var isEmpty: Bool { fromBeginning.isEmpty && fromEnd.isEmpty }

  /// Adds a number; 0 and numbers beyond -63...63 are ignored.
  package mutating func insert(_ number: Int) {
    switch number {
    case 1...63: fromBeginning.insert(number)
    case -63 ... -1: fromEnd.insert(-number)
    default: break
    }
  }

  /// Ascending, those from the end first.
  var members: [Int] { fromEnd.members.reversed().map { -$0 } + fromBeginning.members }

  /// Whether it has numbers from the beginning that are greater than a count of places.
  func isBeyondEnd(of count: Int) -> Bool { fromBeginning.next(after: count) != nil }

  /// Whether it has numbers from the end that are greater than a count of places.
  func isBeyondBeginning(of count: Int) -> Bool { fromEnd.next(after: count) != nil }

  /// Whether the set contains the place `number`, where 1 is the first of `count` places.
  func contains(_ number: Int, of count: Int) -> Bool {
    fromBeginning.contains(number) || fromEnd.contains(count - number + 1)
  }
}
