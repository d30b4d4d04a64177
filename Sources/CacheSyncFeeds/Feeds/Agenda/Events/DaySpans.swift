/// Finds the records that cover a day, for records of one day up to a million.
///
/// A record that covers up to 2^n days is kept once, on the n-th level, in the block of 2^n days in which it begins. So
/// each level has the records of a day in that day's block or the previous one. A record of many years does not cost an
/// entry for each of its days, and a search for one day does not visit all records.
struct DaySpans<Key: Hashable> {
  private struct Block: Hashable {
    var level: Int
    var index: Int
  }

  private struct Span {
    var first: LocalDay
    var last: LocalDay
  }

  /// 2^22 days are more than the years 1...9999 have.
  private static var levels: ClosedRange<Int> { 0...22 }

  private var blocks: [Block: [Key: Span]] = [:]
  /// How many records each level has.
  private var counts = Array(repeating: 0, count: levels.count)

  init() {}

  /// Inserts a record, which must not be in the set yet.
  mutating func insert(_ id: Key, from first: LocalDay, through last: LocalDay) {
    let block = Self.block(first, last)
    blocks[block, default: [:]][id] = Span(first: first, last: last)
    counts[block.level] += 1
  }

  /// Removes a record that was inserted with these days.
  mutating func remove(_ id: Key, from first: LocalDay, through last: LocalDay) {
    let block = Self.block(first, last)
    guard blocks[block]?.removeValue(forKey: id) != nil else { return }
    counts[block.level] -= 1
    if blocks[block]?.isEmpty == true { blocks[block] = nil }
  }

  /// The records that cover a day, in no order.
  func covering(_ day: LocalDay) -> [Key] {
    var ids: [Key] = []
    for level in Self.levels where counts[level] > 0 {
      let index = day.ordinal >> level
      for index in [index - 1, index] {
        for (id, span) in blocks[Block(level: level, index: index)] ?? [:] where span.first <= day && day <= span.last {
          ids.append(id)
        }
      }
    }
    return ids
  }

  private static func block(_ first: LocalDay, _ last: LocalDay) -> Block {
    let days = max(1, first.distance(to: last) + 1)
    // The number of doublings up to `days`.
    let level = Int.bitWidth - (days - 1).leadingZeroBitCount
    return Block(level: level, index: first.ordinal >> level)
  }
}
