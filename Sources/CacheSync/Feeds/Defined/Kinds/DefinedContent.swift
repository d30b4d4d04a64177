/// What a kind shows at a moment, and its content as JSON (definitions.md: content).
struct DefinedContent {
  let kind: DefinedKind
  let kindDay: KindDay
  let words: TextMap<ExactText>
  let lookup: ItemLookup
  /// In the kind's order, before its limit.
  let chosen: [Candidate]
  private let values: TextMap<ItemValue>
  /// How many items were looked at, see ``DefinedProjection/work``.
  let work: Int

  init(_ kind: DefinedKind, _ kindDay: KindDay, at moment: Instant, _ lookup: ItemLookup, words: TextMap<ExactText>) {
    self.kind = kind
    self.kindDay = kindDay
    self.words = words
    self.lookup = lookup
    var byShow: [DefinedKind.Show: [Candidate]] = [:]
    var work = 0
    func chosen(by show: DefinedKind.Show) -> [Candidate] {
      if let known = byShow[show] { return known }
      work += kindDay.candidates.count
      let chosen = kindDay.chosen(by: show, at: moment, within: kind.within)
      byShow[show] = chosen
      return chosen
    }
    self.chosen = chosen(by: kind.show)
    var values: TextMap<ItemValue> = [:]
    for (place, rule) in kind.values.enumerated() {
      values[rule.name] = kindDay.value(of: rule, at: place, in: kind, lookup) { show in
        let chosen = chosen(by: show)
        work += chosen.count * rule.steps
        return chosen
      }
    }
    self.values = values
    self.work = work
  }

  /// Writes the content's object.
  ///
  /// - Returns: whether something was left out because of its size.
  func write(to json: inout JSONWriter) -> Bool {
    let items = kind.items.map { texts in chosen.prefix(kind.limit).map { encoded($0, texts) } } ?? []
    var shown = items.count
    // Leaving an item out increases `more`, and may make the texts longer.
    while true {
      let room = DefinedProjection.maximumContent - Self.frame - 24 * 2
      let (members, size, isCut) = encodedTexts(shown: shown, room: room)
      var left = room - size
      let fitting = items.prefix(shown).prefix {
        left -= $0.count + 1
        return left >= 0
      }.count
      guard fitting == shown else {
        shown = fitting
        continue
      }
      write(members, items.prefix(shown), to: &json)
      return isCut || shown < items.count
    }
  }

  /// The bytes that every content has: braces, and the names `count`, `items` and `more` with their punctuation.
  private static let frame = 40

  private func write(_ texts: [(name: String, json: [UInt8])], _ items: ArraySlice<[UInt8]>, to json: inout JSONWriter)
  {
    var members = texts
    members.append(("count", Array(String(chosen.count).utf8)))
    members.append(("more", Array(String(chosen.count - items.count).utf8)))
    if kind.items != nil { members.append(("items", [])) }
    members.sort { isOrdered($0.name, before: $1.name) }
    json.object { json in
      for (name, value) in members {
        json.key(named: name)
        if name == "items" {
          json.array { json in for item in items { json.encoded(item) } }
        } else {
          json.encoded(value)
        }
      }
    }
  }

  /// The content's own texts. A text that no longer fits is null.
  private func encodedTexts(shown: Int, room: Int) -> (members: [(name: String, json: [UInt8])], size: Int, isCut: Bool)
  {
    var texts: TextMap<TextTemplate> = [:]
    for text in kind.content { texts[text.name] = text.text }
    if chosen.isEmpty { for text in kind.empty { texts[text.name] = text.text } }
    for name in ["count", "items", "more"] { texts[name] = nil }

    var members: [(name: String, json: [UInt8])] = []
    var size = texts.keys.reduce(0) { $0 + $1.utf8.count + 4 + 4 }
    var isCut = false
    for (name, text) in texts.sorted(by: { isOrdered($0.key, before: $1.key) }) {
      var json = JSONWriter()
      json.value(
        rendered(text, named: name) {
          switch $0 {
          case "count": .number(Double(chosen.count))
          case "more": .number(Double(chosen.count - shown))
          default: values[$0] ?? .null
          }
        })
      guard size + json.bytes.count <= room else {
        isCut = true
        members.append((name, Array("null".utf8)))
        continue
      }
      size += json.bytes.count
      members.append((name, json.bytes))
    }
    return (members, size, isCut)
  }

  private func encoded(_ candidate: Candidate, _ texts: [DefinedKind.NamedText]) -> [UInt8] {
    var members: [(name: String, value: ItemValue)] = [
      ("start", candidate.times.map { .instant($0.lowerBound) } ?? .null),
      ("end", candidate.times.map { .instant($0.upperBound) } ?? .null),
    ]
    if let id = lookup.id(candidate) { members.append(("id", .text(id))) }
    for text in texts where !["id", "start", "end"].contains(text.name) {
      let value = rendered(text.text, named: text.name) {
        $0 == "count" ? .number(Double(chosen.count)) : lookup.value($0, of: candidate)
      }
      members.append((text.name, value))
    }
    var json = JSONWriter()
    json.object { json in
      for (name, value) in members.sorted(by: { isOrdered($0.name, before: $1.name) }) {
        json.key(named: name)
        json.value(value)
      }
    }
    return json.bytes
  }

  /// Fills the placeholders of a text. The values in a link are percent-encoded.
  private func rendered(_ text: TextTemplate, named name: String, _ value: (String) -> ItemValue) -> ItemValue {
    guard name == "deepLink" else {
      return text.rendered(words: words, calendar: kindDay.calendar, today: kindDay.day, value)
    }
    var link = ""
    for part in text.parts {
      let piece =
        switch part {
        case .literal(let literal): literal.wrappedValue
        case .value:
          PercentEncoding.value(
            TextTemplate([part]).renderedText(words: words, calendar: kindDay.calendar, today: kindDay.day, value))
        }
      // A link that is cut would lead elsewhere, so it is left out.
      guard link.utf8.count + piece.utf8.count <= TextTemplate.longestText else { return .null }
      link += piece
    }
    return .text(link)
  }
}
