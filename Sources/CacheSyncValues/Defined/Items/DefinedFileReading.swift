/// Reads one session file by a definition: finds the items, then each item's fields and times.
///
/// Both the file and the definition come from outside, so work and memory are bounded whatever they contain.
package struct DefinedFileReading {
  /// definitions.md section 5.
  package static let mostItems = 10_000
  /// Nodes looked at, conditions and parts of texts. The limit takes about a tenth of a second, and is above what
  /// sensible files need: 10,000 items of 64 fields each take 3,000,000.
  static let mostSteps = 5_000_000
  /// Values made for fields. Each takes at least 24 bytes, see ``JSONValueReading/textCost``.
  let mostValues: Int

  let definition: FeedDefinition
  let zones: TimeZones
  var tree: JSONTree
  var session = DefinedSession()
  var defects = JSONDefectList()
  var warnings: [JSONDefect] = []
  /// The items that were left out because of their times, each by its first defect, and with its name.
  var leftOut: [(defect: JSONDefect, name: String)] = []
  /// Where the file has a text or a date that means that there is none.
  var noDates: Set<JSONTree.Index> = []
  /// The steps taken so far to find rules that give nothing.
  var ruleSteps = 0
  /// About a tenth of a second. Rules beyond this limit are not tested, and at most a warning is missing.
  static let mostRuleSteps = 1_000_000
  /// Values that have a defect already. Many items can reach the same value, which needs only one.
  private var faulty: Set<Fault> = []
  /// By which `updated` is judged; nil: it counts as it is.
  var times: FileTimes?
  /// The name for people of the item whose times are being read.
  var itemName = ""
  /// The first defect in its times; it leaves out that item alone.
  var itemDefect: JSONDefect?
  /// By the names that items use.
  private var zonesByName: TextMap<TimeZoneRules?> = [:]
  /// Set when a limit is exceeded.
  private(set) var isStopped = false
  private var valueCount = 0

  private struct Fault: Hashable {
    var offset: Int
    /// The name of a field that is missing there.
    var name: String?
  }

  /// The indices of fields, by name.
  let fieldPlaces: TextMap<Int>
  /// The value that each field read last. Neighbouring items often share what is around them.
  var latestValues: [(node: JSONTree.Index, value: ItemValue?, textCost: Int)?]
  /// Whether the cache's zone decides which day an exception means.
  var hasOpenException = false
  var latestExcept: (base: JSONTree.Index, areDays: Bool, zone: TimeZoneRules?, times: [DefinedItem.Time])?
  /// By their texts, because most items have the same rule; each with the parts that have an empty entry.
  var repetitions: TextMap<(rule: DefinedItem.Repetition, emptyParts: [String])> = [:]

  init(_ definition: FeedDefinition, _ tree: JSONTree, byteCount: Int, zones: TimeZones) {
    self.definition = definition
    self.tree = tree
    self.zones = zones
    mostValues = max(1_000_000, byteCount / 5)
    fieldPlaces = definition.items.fieldPlaces
    latestValues = Array(repeating: nil, count: definition.items.fields.count)
  }

  // MARK: Defects

  func defect(at node: JSONTree.Index, _ message: String) -> JSONDefect {
    JSONDefect(offset: tree.offset(of: node), message: message, place: .value)
  }

  /// The defect of a value that a path did not find.
  ///
  /// - Parameter expected: what the path should find, with its article.
  func defect(of lack: Lack, expecting expected: String) -> JSONDefect {
    switch lack {
    case .null(let node), .holder(let node):
      return defect(at: node, "expected \(expected), found \(tree.description(of: node))")
    case .step(.name(let name), let node):
      let wanted = "an object with \(JSONMessage.quoted(name.wrappedValue))"
      return defect(at: node, "expected \(wanted), found \(tree.description(of: node))")
    case .step(let selector, let node):
      let isShort = tree.kind(of: node) == .array
      let found = isShort ? "an array of \(Array(tree.children(of: node)).count)" : tree.description(of: node)
      let wanted = "an array with \(ItemPath(.item, [selector]).description.dropFirst())"
      return defect(at: node, "expected \(wanted), found \(found)")
    case .member(let name, let object):
      let message = "missing field \(JSONMessage.quoted(name)), expected \(expected)"
      return JSONDefect(offset: tree.offset(of: object), message: message, place: .missing(name))
    }
  }

  /// Whether it is the first defect of a value, or of a field that is missing there.
  mutating func isNew(_ defect: JSONDefect) -> Bool {
    let name: String? = if case .missing(let name) = defect.place { name } else { nil }
    return faulty.insert(Fault(offset: defect.offset, name: name)).inserted
  }

  mutating func fail(_ node: JSONTree.Index, _ message: String) { fail(defect(at: node, message)) }

  mutating func fail(_ defect: JSONDefect) {
    if isNew(defect) { defects.insert(at: defect.offset, defect.place) { defect.message } }
  }

  mutating func warn(at node: JSONTree.Index, _ message: String) { warn(defect(at: node, message)) }

  /// Records something that is ignored, with the name of the item that is being read. Many items can reach the same
  /// value, which needs only one warning.
  mutating func warn(_ defect: JSONDefect) {
    if isNew(defect) { warnings.append(defect.named(itemName)) }
  }

  /// The rules of a zone by the name that the file has for it.
  mutating func rules(ofZone name: String) -> TimeZoneRules? {
    if let known = zonesByName[name] { return known }
    // Looking for an unknown name takes as long as many paths.
    tree.steps += 200
    let rules = zones.systemRules(named: name) ?? zones.windowsRules(named: name)
    zonesByName[name] = .some(rules)
    return rules
  }

  /// Ends the reading: this value exceeds a limit.
  mutating func stop(at node: JSONTree.Index, _ message: String) {
    if isStopped { return }
    fail(node, message)
    isStopped = true
  }

  // MARK: Limits

  mutating func countSteps(_ count: Int, at node: JSONTree.Index) {
    tree.steps += count
    if tree.steps > Self.mostSteps { stop(at: node, "the definition's paths and texts take too long on this file") }
  }

  /// Whether that many more values may be made. If not, the reading ends.
  mutating func mayMakeValues(_ count: Int, of node: JSONTree.Index) -> Bool {
    valueCount += count
    if valueCount > mostValues { stop(at: node, "the lists and objects that fields take are too large together") }
    return !isStopped
  }
}

extension FeedDefinition {
  /// Reads one session file. The session is nil if there are defects. Of more than 10,000 defects, those with the
  /// lowest offsets are returned.
  ///
  /// What depends on the cache's zone stays unresolved, so the file need not be read again when the zone changes: see
  /// ``settled(_:in:)``.
  ///
  /// - Parameter times: of the file, by which `updated` is judged; nil: it counts as it is.
  package func session(
    in bytes: UnsafeRawBufferPointer, zones: TimeZones, times: FileTimes? = nil
  ) -> (session: DefinedSession?, defects: [JSONDefect], warnings: [JSONDefect]) {
    let (tree, defects) = JSONTree.read(bytes)
    guard let tree else { return (nil, defects, []) }
    var reading = DefinedFileReading(self, tree, byteCount: bytes.count, zones: zones)
    reading.times = times
    reading.readSession()
    var warnings = JSONWarningList()
    for warning in reading.warnings.sorted(by: { $0.offset < $1.offset }) { warnings.append(warning) }
    let found = reading.defects.defects
    return (found.isEmpty ? reading.session : nil, found, warnings.all)
  }
}

extension JSONDefect {
  /// The same with the name of the record that has it, unless the message is about that text.
  func named(_ name: String) -> JSONDefect {
    let quoted = JSONMessage.quoted(name)
    var defect = self
    if !name.isEmpty, !message.contains(quoted) { defect.message = "\(quoted): \(message)" }
    return defect
  }
}

extension ItemRules {
  /// The indices of fields, by name. ``DefinitionReader`` rejects a second field of the same name.
  var fieldPlaces: TextMap<Int> { TextMap(zip(fields.map(\.name), fields.indices)) }

  /// The name of an item for people: its field `title`, or else its first text. Empty if it has none.
  package func name(of values: [ItemValue]) -> String {
    for (field, value) in zip(fields, values) where isSameText(field.name, "title") {
      if case .text(let text) = value { return text }
    }
    for case .text(let text) in values { return text }
    return ""
  }
}
