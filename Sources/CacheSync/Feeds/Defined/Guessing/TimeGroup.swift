/// The members of items that give one time: `start.dateTime` beside `start.date`, a day beside its time of day, or a
/// time as expected beside the time as planned.
struct TimeGroup {
  /// The words of the time's name, without those that only say how it is written.
  let base: Set<String>
  let level: Int
  let isKey: Bool
  private(set) var moments: [SampleField] = []
  private(set) var clocks: [SampleField] = []

  /// How clearly names say that something happens to an item then; a greater rank is clearer.
  enum Rank: Int, Comparable {
    case past, end, other, time, start

    static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }

    init(_ words: [String]) {
      func has(_ others: Set<String>) -> Bool { words.contains(where: others.contains) }
      if has(NameWords.update) || has(NameWords.past) && !has(["next"]) {
        self = .past
      } else if has(NameWords.start) {
        self = .start
      } else if has(NameWords.end) {
        self = .end
      } else {
        self = has(NameWords.time) ? .time : .other
      }
    }
  }

  /// Groups the times among the fields of items, in the order of their first field.
  static func all(in fields: [SampleField]) -> [TimeGroup] {
    var groups: [TimeGroup] = []
    for field in fields where field.moment != nil || field.clock != nil {
      if field.hasAny(of: NameWords.length) { continue }
      let base = field.isKey ? [] : base(of: field)
      let place = groups.firstIndex { $0.base == base && $0.level == field.level && $0.isKey == field.isKey }
      if place == nil { groups.append(TimeGroup(base: base, level: field.level, isKey: field.isKey)) }
      groups[place ?? groups.count - 1].add(field)
    }
    return groups
  }

  private static func base(of field: SampleField) -> Set<String> {
    Set(field.words).subtracting(NameWords.notation).subtracting(NameWords.plan).subtracting(NameWords.real)
  }

  private mutating func add(_ field: SampleField) {
    if field.moment != nil { moments.append(field) } else { clocks.append(field) }
  }

  var rank: Rank { (moments + clocks).map { Rank($0.words) }.max() ?? .other }

  func hasAny(of words: Set<String>) -> Bool { (moments + clocks).contains { $0.hasAny(of: words) } }

  /// The fields to read the time from, the best first. All have the same form, and the first that has a value counts.
  var paths: [SampleField] {
    guard let first = best else { return [] }
    var chosen = [first]
    for field in moments where field.path != first.path && field.moment?.form == first.moment?.form {
      // Another notation of the same time is needed only where the first is missing. The plan of a time is always
      // good to have: another file may not know better.
      let isPlan = field.hasAny(of: NameWords.plan) && field.moment?.hasTime == first.moment?.hasTime
      if isPlan || Self.coverage(of: chosen + [field]) > Self.coverage(of: chosen) { chosen.append(field) }
    }
    return chosen
  }

  /// The fields that give the time in another notation to items that have none in the first.
  var others: [SampleField] {
    var known = paths
    var others: [SampleField] = []
    for field in moments where !known.contains(where: { $0.path == field.path }) {
      guard field.moment?.form != known.first?.moment?.form,
        Self.coverage(of: known + [field]) > Self.coverage(of: known)
      else { continue }
      known.append(field)
      others.append(field)
    }
    return others
  }

  /// The field to prefer: one that is expected rather than planned, and one with a time of day.
  private var best: SampleField? {
    func rank(_ field: SampleField) -> (Int, Int, Double, Int) {
      let isPlan = field.hasAny(of: NameWords.plan) && !field.hasAny(of: NameWords.real)
      let isAbsolute = field.moment?.times.contains { if case .instant? = $0 { true } else { false } } ?? false
      return (isPlan ? 0 : 1, field.isDay ? 0 : 1, field.timeCoverage, isAbsolute ? 1 : 0)
    }
    var best: SampleField?
    for field in moments {
      guard let known = best else {
        best = field
        continue
      }
      // A notation that few items have does not replace one that most have, unless the two go together.
      if known.moment?.form != field.moment?.form, field.timeCoverage != known.timeCoverage {
        if field.timeCoverage > known.timeCoverage { best = field }
      } else if rank(field) > rank(known) {
        best = field
      }
    }
    return best
  }

  static func coverage(of fields: [SampleField]) -> Double {
    guard let count = fields.first?.values.count, count > 0 else { return 0 }
    let times = fields.compactMap(\.moment?.times)
    return Double((0..<count).count { item in times.contains { $0[item] != nil } }) / Double(count)
  }

  /// Whether the fields are missing or null wherever they give no time.
  static func areAbsent(_ fields: [SampleField]) -> Bool {
    fields.allSatisfy { field in zip(field.values, field.moment?.times ?? []).allSatisfy { $0 == nil || $1 != nil } }
  }

  /// The moment in each item, on one scale.
  var seconds: [Int?] { Self.seconds(of: paths + others) }

  static func seconds(of fields: [SampleField]) -> [Int?] {
    let times = fields.compactMap(\.moment?.times)
    guard let count = times.first?.count else { return [] }
    return (0..<count).map { item in times.lazy.compactMap { $0[item]?.seconds }.first }
  }
}
