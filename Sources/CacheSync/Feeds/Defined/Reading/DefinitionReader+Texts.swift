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
    kind.content = members[.content].map { texts($0, known, .content, &counts) } ?? []
    kind.empty = members[.empty].map { texts($0, known, .content, &counts) } ?? []
    var itemNames = items.texts
    for value in kind.values.map(\.name) + ["count", "more"] where !itemNames.knows(value) {
      itemNames.elsewhere[value] = "it is known in 'content' and 'empty'"
    }
    kind.items = members[.items].map { texts($0, itemNames, .items, &counts) }
  }

  private mutating func texts(
    _ value: LocatedValue, _ known: KnownNames, _ place: Place, _ counts: inout Counts
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
      guard let template = template(member.value, known) else { continue }
      if member.key == Self.link { checkLink(member.value) }
      texts.append(DefinedKind.NamedText(member.key, template))
    }
    return texts.sorted { isOrdered($0.name, before: $1.name) }
  }

  // MARK: Templates

  /// Checks that a template finds the names that it needs. A kind without `template` and `items` needs only `text`, and
  /// is drawn as that text.
  mutating func checkTemplate(_ kind: DefinedKind, isChosen: Bool, at value: LocatedValue) {
    func lacks(_ name: String, in texts: [DefinedKind.NamedText]?) -> Bool {
      !(texts ?? []).contains { isSameText($0.name, name) }
    }
    if !isChosen, kind.items == nil, !lacks("text", in: kind.content) { return }
    let template = kind.template
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
