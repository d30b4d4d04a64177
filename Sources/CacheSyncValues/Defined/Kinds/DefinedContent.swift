/// What a kind shows at a moment, and its content as JSON (definitions.md: content).
struct DefinedContent {
  let kind: DefinedKind
  let kindDay: KindDay
  let words: TextMap<ExactText>
  let locale: CacheLocale
  let lookup: ItemLookup
  /// In the kind's order, before its limit.
  let chosen: [Candidate]
  private let values: TextMap<ItemValue>
  /// How many items were looked at, see ``DefinedProjection/work``.
  let work: Int

  init(
    _ kind: DefinedKind, _ kindDay: KindDay, at moment: Instant, _ lookup: ItemLookup, words: TextMap<ExactText>,
    locale: CacheLocale
  ) {
    self.kind = kind
    self.kindDay = kindDay
    self.words = words
    self.locale = locale
    self.lookup = lookup
    var known: [ValueRule.Choice: [Candidate]] = [:]
    var work = kind.steps
    func chosen(by choice: ValueRule.Choice) -> [Candidate] {
      if let known = known[choice] { return known }
      work += kindDay.candidates.count
      let chosen = kindDay.chosen(by: choice, at: moment, within: kind.within)
      known[choice] = chosen
      return chosen
    }
    self.chosen = chosen(by: .show(kind.show))
    var values: TextMap<ItemValue> = [:]
    for (place, rule) in kind.values.enumerated() {
      values[rule.name] = kindDay.value(of: rule, at: place, in: kind, lookup) { choice in
        let chosen = chosen(by: choice)
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
      var (members, left, isCut) = encodedTexts(shown: shown)
      let fitting = items.prefix(shown).prefix {
        left -= $0.count + 1
        return left >= 0
      }.count
      guard fitting == shown else {
        shown = fitting
        continue
      }
      members.append(("count", Array("\(chosen.count)".utf8)))
      members.append(("more", Array("\(chosen.count - shown)".utf8)))
      if kind.items != nil { members.append(("items", [])) }
      json.object { json in
        for (name, value) in members.sorted(by: { isOrdered($0.name, before: $1.name) }) {
          json.key(named: name)
          if name == "items" {
            json.array { json in for item in items.prefix(shown) { json.encoded(item) } }
          } else {
            json.encoded(value)
          }
        }
      }
      return isCut || shown < items.count
    }
  }

  /// The bytes that every content has: braces, and `count`, `items` and `more` with their punctuation and numbers.
  private static let frame = 40 + 24 * 2

  /// The content's own texts, and how many bytes they leave. A text that no longer fits is null.
  private func encodedTexts(shown: Int) -> (members: [(name: String, json: [UInt8])], left: Int, isCut: Bool) {
    var texts: TextMap<TextTemplate> = [:]
    func holds(_ conditions: [Condition]) -> Bool { conditions.hold { contentValue($0, shown: shown) } }
    for text in kind.content { texts[text.name] = text.chosen(where: holds) }
    if chosen.isEmpty { for text in kind.empty { texts[text.name] = text.chosen(where: holds) } }
    let tone = kind.tones.first { $0.contentCondition.map(holds) ?? false }?.tone

    var members: [(name: String, json: [UInt8])] = []
    var left = texts.keys.reduce(DefinedProjection.maximumContent - Self.frame) { $0 - $1.utf8.count - 8 }
    var isCut = false
    if let tone {
      members.append(("tone", Array("\"\(tone.rawValue)\"".utf8)))
      left -= 16
    }
    for (name, text) in texts.sorted(by: { isOrdered($0.key, before: $1.key) }) {
      var json = JSONWriter()
      json.value(rendered(text, named: name) { value(named: $0, shown: shown) })
      let fits = json.bytes.count <= left
      members.append((name, fits ? json.bytes : Array("null".utf8)))
      if fits { left -= json.bytes.count } else { isCut = true }
    }
    return (members, left, isCut)
  }

  private func value(named name: String, shown: Int) -> ItemValue {
    switch name {
    case "count": .number(Double(chosen.count))
    case "more": .number(Double(chosen.count - shown))
    default: values[name] ?? .null
    }
  }

  /// A value of the content that a condition tests, by the index of its name.
  private func contentValue(_ field: Condition.Field, shown: Int) -> ItemValue {
    guard case .field(let index) = field else { return .null }
    let place = index - kind.values.count
    return value(named: place < 0 ? kind.values[index].name : place == 0 ? "count" : "more", shown: shown)
  }

  /// Why the template cannot draw the content as it is; nil if it can.
  var typeProblem: DefinedProblem? {
    switch kind.template {
    case .ring?:
      guard let text = kind.content.first(where: { isSameText($0.name, "progress") }) else { return nil }
      let shown = min(chosen.count, kind.limit)
      let template = text.chosen { $0.hold { contentValue($0, shown: shown) } }
      let value = rendered(template, named: text.name) { self.value(named: $0, shown: shown) }
      switch value {
      case .number(let progress): return progress > 1 ? .ringOverflows(kind, progress) : nil
      case .null: return nil
      default: return .needsNumber(kind, "progress", of: "its content", value)
      }
    case .strip?:
      guard let text = kind.items?.first(where: { isSameText($0.name, "value") }) else { return nil }
      for candidate in chosen.prefix(kind.limit) {
        switch itemValue(text, of: candidate) {
        case .number, .null: continue
        case let value: return .needsNumber(kind, "value", of: "its items", value)
        }
      }
      return nil
    case .list?, .value?, .table?, nil: return nil
    }
  }

  private func itemValue(_ text: DefinedKind.NamedText, of candidate: Candidate) -> ItemValue {
    rendered(text.chosen { lookup.hold($0, for: candidate) }, named: text.name) {
      $0 == "count" ? .number(Double(chosen.count)) : lookup.value($0, of: candidate)
    }
  }

  private func encoded(_ candidate: Candidate, _ texts: [DefinedKind.NamedText]) -> [UInt8] {
    var members: [(name: String, value: ItemValue)] = [
      ("start", candidate.times.map { .instant($0.lowerBound) } ?? .null),
      ("end", candidate.times.map { .instant($0.upperBound) } ?? .null),
    ]
    if let id = lookup.id(candidate) { members.append(("id", .text(id))) }
    for text in texts where !["id", "start", "end"].contains(text.name) {
      members.append((text.name, itemValue(text, of: candidate)))
    }
    let tone = kind.tones.first { rule in rule.itemCondition.map { lookup.hold($0, for: candidate) } ?? false }
    if let tone { members.append(("tone", .text(tone.tone.rawValue))) }
    var json = JSONWriter()
    json.object { json in
      for (name, value) in members.sorted(by: { isOrdered($0.name, before: $1.name) }) {
        json.key(named: name)
        json.value(value)
      }
    }
    return json.bytes
  }

  /// Fills the placeholders of a text. The values in a link are percent-encoded, and
  /// never in the language.
  private func rendered(_ text: TextTemplate, named name: String, _ value: (String) -> ItemValue) -> ItemValue {
    guard name == "deepLink" else {
      return text.rendered(words: words, calendar: kindDay.calendar, today: kindDay.day, locale: locale, value)
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

extension DefinedKind.NamedText {
  /// The text of the first case whose conditions hold, otherwise the plain one.
  fileprivate func chosen(where holds: ([Condition]) -> Bool) -> TextTemplate {
    cases.first { holds($0.condition) }?.text ?? text
  }

  /// The work of choosing it, see ``DefinedProjection/work``.
  fileprivate var steps: Int { cases.reduce(0) { $0 + $1.condition.steps } }
}

extension DefinedKind {
  /// The work of choosing texts and tones once, see ``DefinedProjection/work``.
  fileprivate var steps: Int {
    let ofItem = (items ?? []).reduce(0) { $0 + $1.steps } + tones.reduce(0) { $0 + ($1.itemCondition?.steps ?? 0) }
    let ofContent =
      (content + empty).reduce(0) { $0 + $1.steps } + tones.reduce(0) { $0 + ($1.contentCondition?.steps ?? 0) }
    return limit * ofItem + ofContent
  }
}
