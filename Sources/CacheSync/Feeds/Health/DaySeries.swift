/// Values by local day, in order: the latest up to a day costs the logarithm of how much there is, and a walk over a
/// window costs the days with a value in it.
///
/// Days are kept in blocks of 64 with one bit each, so that a series with gaps takes no more room than its values, and a
/// day that is put in between moves a block's values and not the series.
struct DaySeries<Value> {
  private struct Block {
    /// Bit i stands for the block's day i.
    var days: UInt64 = 0
    /// The values of the days whose bits are set, ascending.
    var values: [Value] = []

    /// Where the value of a day is, or would be.
    func place(_ bit: Int) -> Int { (days & ((1 << UInt64(bit)) - 1)).nonzeroBitCount }

    func has(_ bit: Int) -> Bool { days >> UInt64(bit) & 1 == 1 }
  }

  /// The blocks' numbers, ascending: a day's ordinal divided by 64, rounded toward the past.
  private var numbers: [Int] = []
  private var blocks: [Block] = []

  init() {}

  /// The index of the first block whose number is not less.
  private func index(_ number: Int) -> Int {
    if let last = numbers.last, last < number { return numbers.count }
    return numbers.partitioningIndex { $0 >= number }
  }

  private static func split(_ day: LocalDay) -> (number: Int, bit: Int) { (day.ordinal >> 6, day.ordinal & 63) }

  subscript(day: LocalDay) -> Value? {
    get {
      let (number, bit) = Self.split(day)
      let index = index(number)
      guard index < numbers.count, numbers[index] == number, blocks[index].has(bit) else { return nil }
      return blocks[index].values[blocks[index].place(bit)]
    }
    set {
      let (number, bit) = Self.split(day)
      let index = index(number)
      if index == numbers.count || numbers[index] != number {
        guard newValue != nil else { return }
        numbers.insert(number, at: index)
        blocks.insert(Block(), at: index)
      }
      let place = blocks[index].place(bit)
      switch (newValue, blocks[index].has(bit)) {
      case (let value?, true): blocks[index].values[place] = value
      case (let value?, false):
        blocks[index].values.insert(value, at: place)
        blocks[index].days |= 1 << UInt64(bit)
      case (nil, true):
        blocks[index].values.remove(at: place)
        blocks[index].days &= ~(1 << UInt64(bit))
        guard blocks[index].days == 0 else { return }
        numbers.remove(at: index)
        blocks.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// The latest day up to and including one, and its value.
  func latest(upTo day: LocalDay) -> (day: LocalDay, value: Value)? {
    let (number, bit) = Self.split(day)
    var index = index(number)
    if index < numbers.count, numbers[index] == number {
      let days = blocks[index].days & (.max >> UInt64(63 - bit))
      if days != 0 { return entry(index, 63 - days.leadingZeroBitCount) }
    }
    index -= 1
    guard index >= 0 else { return nil }
    // No block is empty.
    return entry(index, 63 - blocks[index].days.leadingZeroBitCount)
  }

  private func entry(_ index: Int, _ bit: Int) -> (day: LocalDay, value: Value) {
    (LocalDay(ordinal: numbers[index] << 6 + bit), blocks[index].values[blocks[index].place(bit)])
  }

  /// How many of these days have a value.
  func count(in window: ClosedRange<LocalDay>) -> Int {
    var count = 0
    forEachBlock(in: window) { count += $1.nonzeroBitCount }
    return count
  }

  /// The days of a window that have a value, ascending.
  func forEach(in window: ClosedRange<LocalDay>, _ body: (LocalDay, Value) -> Void) {
    forEachBlock(in: window) { index, days in
      var days = days
      var place = blocks[index].place(days.trailingZeroBitCount & 63)
      while days != 0 {
        body(LocalDay(ordinal: numbers[index] << 6 + days.trailingZeroBitCount), blocks[index].values[place])
        place += 1
        days &= days - 1
      }
    }
  }

  private func forEachBlock(in window: ClosedRange<LocalDay>, _ body: (Int, UInt64) -> Void) {
    let (first, last) = (Self.split(window.lowerBound), Self.split(window.upperBound))
    var index = index(first.number)
    while index < numbers.count, numbers[index] <= last.number {
      var days = blocks[index].days
      if numbers[index] == first.number { days &= .max << UInt64(first.bit) }
      if numbers[index] == last.number { days &= .max >> UInt64(63 - last.bit) }
      body(index, days)
      index += 1
    }
  }
}
