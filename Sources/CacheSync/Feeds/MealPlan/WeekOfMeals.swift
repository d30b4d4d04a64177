/// What stands in the places of a week's plan. Of two entries for one place the later in the file counts.
///
/// Thousands of plans are kept for the one that is shown, so a plan is one array of bytes and not forty entries of two texts
/// (measured for an agent with 20,000 sessions: 71 MB resident with entries, 33 with bytes).
package struct WeekOfMeals: Sendable {
  /// One for each day: a bit for each slot that has an entry. Then, for each entry, by day and slot, its meal's id and its
  /// name, each a length and its UTF-8; see ``Packing/append(_:of:to:_:)``.
  private var bytes: [UInt8]

  private static let dayCount = 7
  private static let slotCount = MealSlot.allCases.count

  package init() { bytes = [] }

  /// A place that has an entry.
  struct Meal {
    var slot: MealSlot
    var id: String?
    var name: String?
  }

  /// How many places of a day have an entry.
  func count(on day: Weekday) -> Int { bytes.isEmpty ? 0 : bytes[day.rawValue].nonzeroBitCount }

  /// The places of a day that have an entry, in the order of slots.
  func meals(on day: Weekday) -> [Meal] {
    guard count(on: day) > 0 else { return [] }
    var place = Self.dayCount
    for earlier in 0..<day.rawValue {
      for _ in 0..<bytes[earlier].nonzeroBitCount {
        _ = text(at: &place)
        _ = text(at: &place)
      }
    }
    return MealSlot.allCases.filter { bytes[day.rawValue] & $0.bit != 0 }.map { slot in
      let id = text(at: &place)
      return Meal(slot: slot, id: id.map(string), name: text(at: &place).map(string))
    }
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Where the text that begins here lies; nil: there is none. Goes on to what follows it.
  private func text(at place: inout Int) -> Range<Int>? {
    var code = 0
    var shift = 0
    while true {
      let byte = bytes[place]
      place += 1
      code |= Int(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    guard code > 0 else { return nil }
    defer { place += code - 1 }
    return place..<place + code - 1
  }

  // MARK: Reading

  private enum Key: String, JSONKey {
    case dayIndex = "day_index"
    case track = "meal_track"
    case meal = "meal_type"
    case mealID = "meal_id"
    case mealName = "meal_name"
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> WeekOfMeals {
    var packing = Packing()
    _ = json.array { json in
      var day = 0
      var track = StoredMealPlan.Track.family
      var meal = StoredMealPlan.Meal.breakfast
      var id: Range<Int>?
      var name: Range<Int>?
      let isObject = json.object(Key.self, required: [.dayIndex, .meal]) { json, key in
        switch key {
        case .dayIndex: day = json.integer(in: 0...6) ?? 0
        case .track: track = json.word(StoredMealPlan.Track.self) ?? .family
        case .meal: meal = json.word(StoredMealPlan.Meal.self) ?? .breakfast
        case .mealID: id = json.stringBytes("a string") { packing.append($0) }
        case .mealName: name = json.stringBytes("a string") { packing.append($0) }
        }
      }
      if isObject { packing.put(MealSlot(track, meal), on: day, id: id, name: name) }
    }
    return WeekOfMeals(packing)
  }

  private init(_ packing: Packing) {
    bytes = packing.packed()
  }

  /// Entries on their way into an array of bytes.
  private struct Packing {
    /// The texts as they come.
    private var texts: [UInt8] = []
    /// By day and slot. Not an inline array, of which every look copied the whole.
    private var entries = [Entry?](repeating: nil, count: dayCount * slotCount)

    private struct Entry {
      var id: Range<Int>?
      var name: Range<Int>?
    }

    init() {
      texts.reserveCapacity(4096)
    }

    /// Keeps a text; never nil, though a reader of texts must be able to say so.
    mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
      let start = texts.count
      texts.append(contentsOf: text)
      return start..<texts.count
    }

    mutating func put(_ slot: MealSlot, on day: Int, id: Range<Int>?, name: Range<Int>?) {
      entries[day * slotCount + slot.rawValue] = Entry(id: id, name: name)
    }

    func packed() -> [UInt8] {
      // Exactly as large as it must be, because this is what stays.
      var size = dayCount
      for index in entries.indices {
        guard let entry = entries[index] else { continue }
        size += packedSize(entry.id) + packedSize(entry.name)
      }
      return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
        texts.withUnsafeBufferPointer { texts in
          bytes[..<dayCount].update(repeating: 0)
          count = dayCount
          for index in entries.indices {
            guard let entry = entries[index] else { continue }
            bytes[index / slotCount] |= 1 << UInt8(index % slotCount)
            Self.append(entry.id, of: texts, to: bytes, &count)
            Self.append(entry.name, of: texts, to: bytes, &count)
          }
        }
      }
    }

    private func packedSize(_ text: Range<Int>?) -> Int {
      guard let text else { return 1 }
      return text.count + (Int.bitWidth - (text.count + 1).leadingZeroBitCount + 6) / 7
    }

    /// A length of 0 for no text, and 1 more than there are bytes for one; seven bits a byte, the least first.
    private static func append(
      _ range: Range<Int>?, of texts: UnsafeBufferPointer<UInt8>, to bytes: UnsafeMutableBufferPointer<UInt8>,
      _ count: inout Int
    ) {
      var code = range.map { $0.count + 1 } ?? 0
      while code >= 0x80 {
        bytes[count] = UInt8(truncatingIfNeeded: code) | 0x80
        count += 1
        code >>= 7
      }
      bytes[count] = UInt8(code)
      count += 1
      guard let range else { return }
      for index in range {
        bytes[count] = texts[index]
        count += 1
      }
    }
  }
}
