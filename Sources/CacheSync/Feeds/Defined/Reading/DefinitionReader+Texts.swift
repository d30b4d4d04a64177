// The texts of a kind's content (definitions.md section 3).

extension DefinitionReader {
  private enum Place {
    case content, items

    /// The names that the snapshot has there already.
    var taken: [String] {
      switch self {
      case .content: ["count", "more", "items"]
      case .items: ["id", "start", "end"]
      }
    }
  }

  /// The text of this name is a link, wherever it is.
  private static let link = "deepLink"

  mutating func readTexts(
    _ members: [KindKey: LocatedValue], _ items: Items, _ counts: inout Counts, into kind: inout DefinedKind
  ) {
    var known = KnownNames("value", kind.values.map(\.name) + ["count", "more"])
    for field in items.texts.names where !known.knows(field) {
      known.elsewhere[field] = "of one item it is known in 'items', of all 'values' names it"
    }
    kind.content = members[.content].map { texts($0, known, known, .content, &counts) } ?? []
    kind.empty = members[.empty].map { texts($0, known, known, .content, &counts) } ?? []
    var itemNames = items.texts
    for value in kind.values.map(\.name) + ["count", "more"] where !itemNames.knows(value) {
      itemNames.elsewhere[value] = "it is known in 'content' and 'empty'"
    }
    kind.items = members[.items].map { texts($0, itemNames, items.fields, .items, &counts) }
  }

  private mutating func texts(
    _ value: LocatedValue, _ known: KnownNames, _ conditionNames: KnownNames, _ place: Place, _ counts: inout Counts
  ) -> [DefinedKind.NamedText] {
    var texts: [DefinedKind.NamedText] = []
    for member in members(value) ?? [] where !member.value.isNull {
      counts.texts += 1
      if counts.texts == Self.most + 1 { fail("more than \(Self.most) texts in a kind", atKeyOf: member) }
      if place.taken.contains(member.key) {
        fail("\(quotedName(member.key)) is written by itself; use another name", atKeyOf: member)
      } else if member.key.isEmpty || member.key.utf8.count > Self.longestName {
        fail("the name of a text has 1 to \(Self.longestName) bytes", atKeyOf: member)
      }
      guard let text = namedText(member, known, conditionNames) else { continue }
      texts.append(text)
    }
    return texts.sorted { isOrdered($0.name, before: $1.name) }
  }

  /// Reads a text, or a list of texts with conditions that ends with a plain one.
  private mutating func namedText(
    _ member: LocatedMember, _ known: KnownNames, _ conditionNames: KnownNames
  ) -> DefinedKind.NamedText? {
    guard let elements = member.value.elements else {
      return filledTemplate(member.value, known, of: member).map { DefinedKind.NamedText(member.key, $0) }
    }
    guard let last = elements.last, last.kind == .string else {
      fail(#"expected a list of { "if": …, "text": … } that ends with a plain text"#, at: elements.last ?? member.value)
      return nil
    }
    _ = array(member.value)
    var cases: [DefinedKind.Case] = []
    for element in elements.dropLast() {
      guard let members = object(element, CaseKey.self) else { continue }
      if members[.if] == nil { fail(missing: "if", in: element) }
      if members[.text] == nil { fail(missing: "text", in: element) }
      let condition = members[.if].map { conditions($0, conditionNames) }
      guard let condition, let text = members[.text].flatMap({ filledTemplate($0, known, of: member) }) else {
        continue
      }
      cases.append(DefinedKind.Case(condition: condition, text: text))
    }
    guard let template = filledTemplate(last, known, of: member) else { return nil }
    var text = DefinedKind.NamedText(member.key, template)
    text.cases = cases
    return text
  }

  private enum CaseKey: String, CaseIterable {
    case `if`, text
  }

  private mutating func filledTemplate(
    _ value: LocatedValue, _ known: KnownNames, of member: LocatedMember
  ) -> TextTemplate? {
    let template = template(value, known)
    if template != nil, member.key == Self.link { checkLink(value) }
    return template
  }

  // MARK: Tones

  private enum ToneKey: String, CaseIterable {
    case `if`, tone
  }

  /// Reads the tones of a kind, whose values and texts are known.
  mutating func tones(_ value: LocatedValue, _ kind: DefinedKind, _ items: Items) -> [DefinedKind.ToneRule] {
    for (texts, place) in [(kind.content + kind.empty, "content"), (kind.items ?? [], "items")]
    where texts.contains(where: { isSameText($0.name, "tone") }) {
      fail("'tone' is written by itself; use another name in '\(place)'", at: value)
    }
    return (array(value) ?? []).compactMap { element in
      guard let members = object(element, ToneKey.self) else { return nil }
      if members[.if] == nil { fail(missing: "if", in: element) }
      if members[.tone] == nil { fail(missing: "tone", in: element) }
      guard let condition = members[.if], let tone = members[.tone].flatMap({ word($0, DefinedKind.Tone.self) }) else {
        return nil
      }
      return toneRule(tone, condition, kind, items)
    }
  }

  private mutating func toneRule(
    _ tone: DefinedKind.Tone, _ value: LocatedValue, _ kind: DefinedKind, _ items: Items
  ) -> DefinedKind.ToneRule {
    var rule = DefinedKind.ToneRule(tone: tone)
    let used = Self.fieldNames(in: value)
    let valueNames = KnownNames("value", kind.contentNames)
    let isOfContent = !used.isEmpty && used.allSatisfy { valueNames.knows($0) }
    let isOfItems = used.allSatisfy { items.fields.knows($0) } || items.fields.isOpen
    if isOfContent { rule.contentCondition = conditions(value, valueNames) }
    if isOfItems || !isOfContent {
      var names = items.fields
      for name in kind.contentNames where !names.knows(name) {
        names.elsewhere[name] = "a tone's conditions name fields or values, not both"
      }
      rule.itemCondition = conditions(value, names)
      if isOfItems, !isOfContent, kind.items == nil {
        warn("this tone is for items, and the kind has none; let its condition name a value", at: value)
      }
    }
    return rule
  }

  /// The names that conditions use.
  private static func fieldNames(in value: LocatedValue) -> [String] {
    if let elements = value.elements { return elements.flatMap { fieldNames(in: $0) } }
    return (value.members ?? []).flatMap { member in
      switch member.key {
      case "field": member.value.text.map { [$0] } ?? []
      case "any": fieldNames(in: member.value)
      default: [String]()
      }
    }
  }

  // MARK: Templates

  /// Checks that a chosen template finds the names that it needs.
  mutating func checkTemplate(_ template: DefinedKind.Template, of kind: DefinedKind, at value: LocatedValue) {
    func lacks(_ name: String, in texts: [DefinedKind.NamedText]?) -> Bool {
      !(texts ?? []).contains { isSameText($0.name, name) }
    }
    let need: String? =
      switch template {
      case .list: lacks("title", in: kind.items) ? "'title' in 'items'" : nil
      case .value: lacks("value", in: kind.content) ? "'value' in 'content'" : nil
      case .ring: lacks("progress", in: kind.content) ? "'progress' in 'content'" : nil
      case .table: kind.items == nil ? "'items'" : nil
      case .strip: lacks("value", in: kind.items) ? "'value' in 'items'" : nil
      }
    if let need { fail("the template '\(template.rawValue)' needs \(need)", at: value) }
  }

  // MARK: Links

  /// A kind's own link: an absolute URL without placeholders.
  mutating func link(_ value: LocatedValue) -> String? {
    guard let text = text(value, "an absolute URL") else { return nil }
    if let hole = text.utf8.firstIndex(of: UInt8(ascii: "{")) {
      let offset = text.utf8.distance(from: text.utf8.startIndex, to: hole)
      fail(TextDefect(offset, "a kind's link has no '{'; a link of an item may have one"), in: value)
      return nil
    }
    if let defect = LinkText.defect(in: text) { fail(defect, in: value) }
    return text
  }

  /// A link among the texts may have placeholders after its scheme.
  private mutating func checkLink(_ value: LocatedValue) {
    guard let text = text(value), let defect = LinkText.defect(in: text, hasHoles: true) else { return }
    fail(defect, in: value)
  }
}
