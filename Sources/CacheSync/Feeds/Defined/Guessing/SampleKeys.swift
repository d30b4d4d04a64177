/// The keys of the objects at a position: names that a program chose, or data such as days and codes.
struct SampleKeys {
  private(set) var areData = false

  init(_ position: SamplePosition, _ document: SampleDocument, now: Instant) {
    var keys: [String] = []
    var values: [JSONTree.Index] = []
    for node in position.nodes.prefix(20) {
      for child in document.children(of: node.value, atMost: SampleWalk.mostNodes - keys.count) {
        guard let key = child.key else { continue }
        keys.append(document.tree.text(of: key))
        values.append(child.value)
      }
    }
    if keys.isEmpty { return }
    if Self.areTimes(keys, now) {
      areData = true
    } else if Set(keys.map { ExactText($0) }).count > 1 {
      areData = Self.areAlike(values, keys, document) || Self.areCodes(keys, values, document, of: position)
    }
  }

  private static func areTimes(_ keys: [String], _ now: Instant) -> Bool {
    // Most keys of records are words.
    switch SampleShape(keys.map { .text($0) }, named: [], isKey: true, now: now) {
    case .moment: true
    case .clock, .weekday: keys.count > 1
    default: false
    }
  }

  /// Whether the values are objects, or lists of objects, with the same members.
  private static func areAlike(_ values: [JSONTree.Index], _ keys: [String], _ document: SampleDocument) -> Bool {
    guard values.count > 1 else { return false }
    // An event's start and end are alike.
    let words = Set(keys.flatMap { NameWords.words(of: $0) })
    if !words.isDisjoint(with: NameWords.start.union(NameWords.end)) { return false }
    let kinds = values.map { document.tree.kind(of: $0) }
    var objects = values
    var least = 0.5
    if kinds.allSatisfy({ $0 == .array }) {
      objects = values.flatMap { document.children(of: $0, atMost: 1).map(\.value) }
      least = 0.8
    }
    guard objects.count > 1, objects.allSatisfy({ document.tree.kind(of: $0) == .object }) else { return false }
    var common: Set<ExactText>?
    var all: Set<ExactText> = []
    for object in objects {
      let keys = document.children(of: object, atMost: SampleWalk.mostKeys).compactMap(\.key)
      let names = Set(keys.map { ExactText(document.tree.text(of: $0)) })
      common = common?.intersection(names) ?? names
      all.formUnion(names)
    }
    guard let common, !common.isEmpty else { return false }
    return Double(common.count) >= least * Double(all.count)
  }

  /// Whether all values are numbers and the keys are codes, such as those of currencies.
  private static func areCodes(
    _ keys: [String], _ values: [JSONTree.Index], _ document: SampleDocument, of position: SamplePosition
  ) -> Bool {
    guard values.allSatisfy({ document.tree.kind(of: $0) == .number }) else { return false }
    func isUpper(_ key: String) -> Bool {
      (2...6).contains(key.utf8.count) && key.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x41 < 26 }
    }
    func isShort(_ key: String) -> Bool {
      key.utf8.count == 3 && key.utf8.allSatisfy { $0 &- 0x61 < 26 } && !NameWords.statistics.contains(key)
    }
    if keys.allSatisfy(isUpper) || keys.count > 2 && keys.allSatisfy(isShort) { return true }
    guard case .member(let name) = position.step else { return false }
    return NameWords.words(of: name).contains(where: NameWords.collections.contains)
  }
}
