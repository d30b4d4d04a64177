/// A definition being guessed.
struct DefinitionDraft {
  private let name: String
  private let guess: PlaceGuess
  private let hasTimes: Bool
  private let frame: SampleFrame

  private var times: GuessedTimes? { hasTimes ? guess.times : nil }

  /// - Parameters:
  ///   - hasTimes: whether to use the times that were found.
  ///   - choice: which items to show; nil to find out which items there are.
  init(named name: String, _ guess: PlaceGuess, hasTimes: Bool, _ frame: SampleFrame) {
    self.name = name
    self.guess = guess
    self.hasTimes = hasTimes
    self.frame = frame
  }

  var each: [String] { times?.each.map { [$0] } ?? guess.place.each }

  /// The file's content.
  func document(_ choice: ShowChoice) -> String {
    var json = JSONWriter(inAnyOrder: true)
    json.object { write(to: &$0, choice) }
    return (json.bytes.withUnsafeBytes { JSONTree.read($0).tree?.printed } ?? "") + "\n"
  }

  // MARK: Writing

  private func write(to json: inout JSONWriter, _ choice: ShowChoice) {
    json.member("version", 1)
    if id == nil { json.member("use", "newest") }
    if let zone = timeZone { json.member("timeZone", zone.text) }
    if let updated { updated.draft.write("updated", to: &json) }
    json.member("items", object: writeItems)
    json.member(
      "kinds",
      object: { json in
        json.key(named: name)
        kind(choice).write(to: &json)
      })
  }

  private func kind(_ choice: ShowChoice) -> KindDraft {
    var kind = KindDraft(labels: guess.labels, times: times, choice: choice)
    kind.details = details.map { ($0.label.name, $0.field) }
    kind.isMatch = isMatch
    kind.hasShare = share != nil
    kind.unit = isKelvin ? "°C" : frame.unit(of: guess)
    return kind
  }

  private var timeZone: (text: String, reason: String)? {
    guard let times else { return nil }
    if let zone = frame.timeZone { return (zone, zone) }
    guard times.isServerTime else { return nil }
    return ("UTC", "UTC, because servers write such times so; if yours are local, remove it")
  }

  /// When the file was made, unless that is a time of one of its items.
  private var updated: (path: String, draft: TimeDraft)? {
    guard let list = guess.place.position.list else { return frame.updates.first }
    return frame.updates.first { !$0.path.hasPrefix(list + ".") && !$0.path.hasPrefix(list + "[") }
  }

  private func writeItems(to json: inout JSONWriter) {
    let each = each
    json.key("each")
    if each.count == 1 { json.string(each[0]) } else { json.array { json in for path in each { json.string(path) } } }
    if guess.place.kind == .columns { json.member("columns", true) }
    var fields = JSONWriter(inAnyOrder: true)
    times?.writeFields(to: &fields)
    if let title = guess.labels.title { write("title", title, to: &fields) }
    if details.isEmpty {
      if let detail = guess.labels.detail { write("detail", detail, to: &fields) }
      if let value = guess.labels.value, usesValue { write("value", value, to: &fields) }
    }
    for detail in details { write(detail.field, detail.label, to: &fields) }
    if let share {
      fields.member(
        "share",
        object: { json in
          json.member("from", share.part)
          json.member("per", share.whole)
        })
    }
    if let id { fields.member("identifier", moved(id)) }
    if let done { fields.member("done", moved(done.path)) }
    if let times, !times.gaps.isEmpty {
      fields.key("begins")
      if times.gaps.count == 1 {
        fields.string(times.gaps[0])
      } else {
        fields.array { json in for path in times.gaps { json.string(path) } }
      }
    }
    if !fields.bytes.isEmpty { json.member("fields", object: { $0.members(fields) }) }
    if !required.isEmpty || done != nil {
      json.member(
        "where",
        array: { json in
          for field in required {
            json.object { json in
              json.member("field", field)
              json.key("isNot")
              json.null()
            }
          }
          done?.write("done", to: &json)
        })
    }
    if id != nil { json.member("id", "{identifier}") }
    times?.write(to: &json)
  }

  private func write(_ name: String, _ label: GuessedLabels.Label, to json: inout JSONWriter) {
    let path = moved(label.path)
    let conversion = label.conversion
    let isKelvin = name == "value" && isKelvin
    json.key(named: name)
    let names =
      guess.place.kind == .times && name == "title" ? guess.place.position.shownNames(of: guess.place.each) : []
    if conversion == nil, !isKelvin, names.isEmpty, label.names.isEmpty { return json.string(path) }
    json.object { json in
      json.member("from", path)
      let map = names.map { ($0.name, $0.shown) } + label.names.map { ($0.id, $0.name) }
      if !map.isEmpty {
        json.member(
          "map",
          object: { json in
            for (name, shown) in map {
              json.key(named: name)
              json.string(shown)
            }
          })
      }
      if let conversion { json.member("as", conversion) }
      if isKelvin {
        json.member("plus", -273.15)
        json.member("round", 1)
      }
    }
  }

  /// If each element of a list of times is an item, the former item is the object around it.
  private func moved(_ path: String) -> String { times?.each != nil ? "^" + path.dropFirst() : path }

  // MARK: What is used

  /// The fields without which an item is left out.
  private var required: [String] {
    var names: [String] = []
    if guess.labels.title != nil, guess.labels.titleHasGaps { names.append("title") }
    if let times, !times.gaps.isEmpty { names.append("begins") }
    return names
  }

  /// Which items are done, and left out.
  private var done: GuessedDone? { guess.labels.title == nil ? nil : GuessedDone(guess.place) }

  /// The value is not shown if a title and a detail are.
  private var usesValue: Bool { guess.labels.title == nil || guess.labels.detail == nil }

  private var id: String? { times?.each == nil ? guess.labels.id : nil }

  /// The numbers and texts of a document that is one item, with the names of their fields.
  private var details: [(field: String, label: GuessedLabels.Label)] {
    guard guess.place.kind == .document, times == nil, guess.labels.all.count > 1 || guess.labels.title != nil else {
      return []
    }
    var labels = guess.labels.all
    if let detail = guess.labels.detail { labels.append(detail) }
    var taken = Set(["title", "identifier", "weekday", "begins", "done", "share"] + KnownNames.reserved)
    return labels.map { label in
      var field = label.name.isEmpty || !label.name.utf8.allSatisfy { $0 | 0x20 &- 0x61 < 26 } ? "" : label.name
      while field.isEmpty || taken.contains(field) { field = field.isEmpty ? "value" : field + "Value" }
      taken.insert(field)
      return (field, label)
    }
  }

  /// Two numbers of a document of which one is a part of the other.
  private var share: (part: String, whole: String)? {
    let labels = details.map(\.label)
    func first(_ words: Set<String>) -> GuessedLabels.Label? {
      labels.first { $0.conversion == nil && NameWords.words(of: $0.name).contains(where: words.contains) }
    }
    guard let part = first(NameWords.part), let whole = first(NameWords.whole) else { return nil }
    func number(_ label: GuessedLabels.Label) -> Double? {
      guess.place.fields.first { $0.path == label.path }?.values[0]?.number
    }
    guard let some = number(part), let all = number(whole), some >= 0, all > 0, some <= all else { return nil }
    return (part.path, whole.path)
  }

  /// Whether title and detail are the two sides of a match.
  private var isMatch: Bool {
    func has(_ label: GuessedLabels.Label?, _ words: Set<String>) -> Bool {
      guess.place.fields.contains { $0.path == label?.path && $0.hasAny(of: words) }
    }
    return has(guess.labels.title, NameWords.home) && has(guess.labels.detail, NameWords.away)
  }

  /// Whether the value is a temperature in kelvin.
  private var isKelvin: Bool {
    guard let value = guess.labels.value, value.conversion == nil,
      let field = guess.place.fields.first(where: { $0.path == value.path }),
      field.ownWords.contains(where: { ["temp", "temperature", "kelvin"].contains($0) })
    else { return false }
    let numbers = field.values.compactMap { $0?.number }
    return !numbers.isEmpty && numbers.allSatisfy { (200.0...340).contains($0) }
  }

  // MARK: Reasons

  /// One line for each guess.
  func reasons(_ choice: ShowChoice) -> [String] {
    let labels = guess.labels
    var lines = [
      "items: \(each.joined(separator: ", ")), \(guess.place.words(hasTimes: times != nil, hasTitle: labels.title != nil))"
    ]
    if let title = labels.title {
      lines.append("title: \(title.path)" + (title.path == "#key" ? ", the key of each item" : ""))
      if !title.names.isEmpty { lines.append("  with the names that another list has for these ids") }
      if title.conversion == "plain" { lines.append("  as plain text, because it has entities or tags") }
      if labels.titleHasGaps { lines.append("where: without the items that have no title") }
    }
    if !details.isEmpty {
      lines.append("values: " + details.map(\.label.path).joined(separator: ", "))
      if let share { lines.append("ring: \(share.part) of \(share.whole)") }
    } else {
      if let detail = labels.detail { lines.append("detail: \(detail.path)") }
      if let value = labels.value, usesValue {
        let kelvin = isKelvin ? ", in °C because the numbers are kelvins" : ""
        lines.append("value: \(value.path)\(kelvin)" + (labels.title == nil ? ", because no text is a title" : ""))
      }
    }
    if let id {
      lines.append("id: \(id), which is different in each")
    } else {
      lines.append("use: only the newest file counts, because items have no id of their own")
    }
    if let times {
      lines += times.reasons
      if !times.gaps.isEmpty { lines.append("where: without the items that have no time") }
    } else {
      lines.append("times: none that most items have")
      if guess.place.fields.contains(where: { $0.hasAny(of: NameWords.rotation) }) {
        lines.append("  if they take turns, give each a start and 'repeats': see chores.json among the examples")
      }
    }
    if let done { lines.append("where: without what is done, by \(done.path)") }
    if let zone = timeZone { lines.append("timeZone: \(zone.reason)") }
    if let updated { lines.append("updated: \(updated.path), from which age counts") }
    lines.append("show: \(choice.reason)")
    return lines
  }
}

/// What a sample says once for all items: its zone, when it was made, and units.
struct SampleFrame {
  let timeZone: String?
  let zoneRules: TimeZoneRules?
  /// The times that may be when the file was made.
  let updates: [(path: String, draft: TimeDraft)]
  private let root: [SampleField]

  init(_ root: [SampleField], zones: TimeZones) {
    self.root = root
    func rules(_ field: SampleField) -> TimeZoneRules? {
      guard field.ownWords.contains(where: NameWords.zone.contains), let text = field.values[0]?.text else {
        return nil
      }
      return try? zones.rules(named: text)
    }
    let named = root.filter { rules($0) != nil }
    let zone = named.first { $0.ownWords.last.map(NameWords.zone.contains) ?? false } ?? named.first
    timeZone = zone?.path
    zoneRules = zone.flatMap(rules)
    let words = NameWords.update.union(["timestamp"])
    let moments = root.filter { $0.moment?.hasTime == true && $0.hasAny(of: words) }
    updates = moments.map { ($0.path, TimeDraft(paths: [$0.path], form: $0.moment?.form)) }
  }

  /// The unit of a value in columns: services write the units of `hourly` as `hourly_units`.
  func unit(of guess: PlaceGuess) -> String? {
    guard guess.place.kind == .columns, let name = guess.labels.value?.name, let list = guess.place.position.names.last
    else { return nil }
    let holder = "$" + SampleItems.selector(list + "_units")
    let unit = root.first { $0.holder == holder && $0.name == name }?.values[0]?.text
    return unit.flatMap { $0.utf8.count <= 16 ? $0 : nil }
  }
}
