/// An item, or an occurrence of one that repeats, that a kind may show.
struct Candidate: Sendable {
  /// Its index among the items that count, which are sorted by path and place.
  let item: Int
  /// Nil for an item without times.
  let times: Range<Instant>?
  let repeats: Bool
}

/// The values of items, by the names that conditions, orders and texts use.
final class ItemLookup {
  /// The items that count, sorted by path and place.
  let items: [ResolvedItem]
  private let fields: TextMap<Int>
  /// In the definition's order of fields.
  private let fieldSlots: [Slot]
  private let markNames: Set<ExactText>
  private let marks: MarksInForce
  /// The ranks of all items' values, by the names that kinds order by.
  private var ranks: TextMap<[Int32]> = [:]

  init(_ definition: FeedDefinition, _ items: [ResolvedItem], _ marks: MarksInForce) {
    self.items = items
    fields = definition.items.fieldPlaces
    let markNames = Set(definition.marks)
    self.markNames = markNames
    fieldSlots = definition.items.fields.enumerated().map { index, field in
      markNames.contains(ExactText(field.name)) ? .mark(field.name, field: index) : .field(index)
    }
    self.marks = marks
  }

  func id(_ candidate: Candidate) -> String? {
    let item = items[candidate.item]
    guard let times = candidate.times, candidate.repeats else { return item.item.id }
    return item.id(ofOccurrenceAt: times.lowerBound)
  }

  /// The meaning of a name, resolved once for many items.
  enum Slot {
    case field(Int)
    case mark(String, field: Int?)
    case start, end, allDay, id, key, index
    /// Whole years from the item's first start to this one.
    case years
    /// Null for every item.
    case unknown
  }

  /// Whether all occurrences of an item have the same value. A mark may be set for one of them.
  private func isOfItem(_ slot: Slot) -> Bool {
    switch slot {
    case .field, .allDay, .key, .index, .unknown: true
    case .mark: marks.isEmpty
    case .start, .end, .id, .years: false
    }
  }

  /// A field, a mark, `start`, `end`, `id`, `key` or `index`.
  func slot(_ name: String) -> Slot {
    if markNames.contains(ExactText(name)) { return .mark(name, field: fields[name]) }
    if let index = fields[name] { return .field(index) }
    switch name {
    case "start": return .start
    case "end": return .end
    case "allDay": return .allDay
    case TextTemplate.yearsName: return .years
    case "id": return .id
    case "key": return .key
    case "index": return .index
    default: return .unknown
    }
  }

  func value(_ name: String, of candidate: Candidate) -> ItemValue { value(slot(name), of: candidate) }

  func value(_ slot: Slot, of candidate: Candidate) -> ItemValue {
    switch slot {
    case .field(let index): field(index, of: candidate)
    case .mark(let name, let index): mark(name, index, of: candidate)
    case .start: candidate.times.map { .instant($0.lowerBound) } ?? .null
    case .end: candidate.times.map { .instant($0.upperBound) } ?? .null
    case .allDay: .bool(items[candidate.item].item.isAllDay)
    case .years: years(candidate).map { .number(Double($0)) } ?? .null
    case .id: id(candidate).map(ItemValue.text) ?? .null
    case .key: items[candidate.item].item.key.map(ItemValue.text) ?? .null
    case .index: .number(Double(items[candidate.item].item.index))
    case .unknown: .null
    }
  }

  func hold(_ conditions: [Condition], for candidate: Candidate) -> Bool {
    conditions.hold { value(slot($0), of: candidate) }
  }

  /// The candidates for which all conditions hold.
  func filter(_ candidates: [Candidate], _ conditions: [Condition]) -> [Candidate] {
    conditions.isEmpty ? candidates : candidates.filter { hold(conditions, for: $0) }
  }

  private func slot(_ field: Condition.Field) -> Slot {
    switch field {
    case .field(let index): fieldSlots.indices.contains(index) ? fieldSlots[index] : .unknown
    case .start: .start
    case .end: .end
    case .allDay: .allDay
    }
  }

  /// Whole years from the item's own start to that of an occurrence, in the item's zone.
  private func years(_ candidate: Candidate) -> Int? {
    let item = items[candidate.item]
    guard let first = item.start, let start = candidate.times?.lowerBound else { return nil }
    let (from, to) = (item.calendar.day(of: first), item.calendar.day(of: start))
    // What starts on a 29 February is on the 28th in other years.
    let day = from.isLeapDay ? 28 : from.day
    let isBeforeDay = (to.month, to.day) < (from.month, day)
    return to.year - from.year - (isBeforeDay ? 1 : 0)
  }

  /// The rank of each candidate's value for a name; see ``ItemValue/ranks(of:)``.
  func ranks(of name: String, among candidates: [Candidate]) -> [Int32] {
    let slot = slot(name)
    // Sorting a few candidates costs less than sorting all items.
    guard isOfItem(slot), candidates.count > items.count / 2 else {
      return ItemValue.ranks(of: candidates.map { value(slot, of: $0) })
    }
    if let known = ranks[name] { return candidates.map { known[$0.item] } }
    let all = ItemValue.ranks(
      of: items.indices.map { value(slot, of: Candidate(item: $0, times: nil, repeats: false)) })
    ranks[name] = all
    return candidates.map { all[$0.item] }
  }

  private func field(_ index: Int, of candidate: Candidate) -> ItemValue {
    let isThere = index < items[candidate.item].item.values.count
    return isThere ? items[candidate.item].item.values[index] : .null
  }

  /// The value that an intent sets, otherwise the one in the file, otherwise false.
  private func mark(_ name: String, _ index: Int?, of candidate: Candidate) -> ItemValue {
    if !marks.isEmpty, let id = id(candidate), let set = marks[id, name] { return .bool(set) }
    let value = index.map { field($0, of: candidate) } ?? .null
    return value == .null ? .bool(false) : value
  }
}

/// The marks in force that intents set, by the id of an item or of an occurrence (definitions.md section 4).
package struct MarksInForce: Sendable, Equatable {
  private var marks: [RecordID: TextMap<Bool>] = [:]

  package init() {}

  package init(_ marks: [String: [String: Bool]]) {
    for (id, values) in marks { self.marks[RecordID(id)] = TextMap(values) }
  }

  package var isEmpty: Bool { marks.isEmpty }

  /// Nil if no intent sets the mark.
  package subscript(id: String, mark: String) -> Bool? {
    get { marks[RecordID(id)]?[mark] }
    set { marks[RecordID(id), default: [:]][mark] = newValue }
  }
}
