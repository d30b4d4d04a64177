// What readers get (definitions.md section 3).

extension DefinitionReader {
  enum KindKey: String, CaseIterable {
    case show, within, `where`, order, limit, reach, hours, values, content, items, empty, template, tone,
      deepLink
    case widgetKind, families
  }

  /// The names that a kind may use of the definition's items.
  struct Items {
    var hasStart: Bool
    /// Fields and marks, and `start` and `end`, which count as fields.
    var fields: KnownNames
    /// The names that the texts of a kind's items may use.
    var texts: KnownNames

    /// - Parameter items: nil if they could not be read; then every name is accepted.
    init(_ items: ItemRules?) {
      let names = items?.fields.map(\.name) ?? []
      hasStart = items == nil || items?.start != nil
      let hasOwn = names.contains { isSameText($0, "allDay") }
      let allDay = hasOwn ? [] : ["allDay"]
      fields = KnownNames("field", names + ["start", "end"] + allDay)
      fields.meanings = ["start": .start, "end": .end]
      if !hasOwn { fields.meanings["allDay"] = .allDay }
      texts = KnownNames("field", names + ["start", "end", TextTemplate.yearsName] + allDay + ["id", "key", "index"])
      fields.isOpen = items == nil
      texts.isOpen = items == nil
    }
  }

  /// How many values all kinds have so far, and how many texts the current kind has.
  struct Counts {
    var values = 0
    var texts = 0
  }

  private static let mostKinds = 16

  mutating func kinds(_ value: LocatedValue, _ items: ItemRules?) -> [DefinedKind] {
    let members = members(value, most: Self.mostKinds, "kinds") ?? []
    if value.kind == .object, members.isEmpty { fail("expected at least one kind", at: value) }
    var counts = Counts()
    let items = Items(items)
    return members.compactMap { member in
      checkName(member)
      return kind(member, items, &counts)
    }
    .sorted { $0.name < $1.name }
  }

  private mutating func checkName(_ member: LocatedMember) {
    guard FeedDefinition.isName(name) else { return }
    let rest = member.key.utf8.dropFirst(name.utf8.count)
    let isOwn =
      member.key.utf8.starts(with: name.utf8)
      && (rest.isEmpty || rest.first == UInt8(ascii: "-") && FeedDefinition.isWord(String(rest.dropFirst()) ?? ""))
    if !isOwn {
      fail("expected a kind named '\(name)' or '\(name)-<word>', found \(quotedName(member.key))", atKeyOf: member)
    } else if member.key.utf8.count > Self.longestName {
      fail("the name of a kind has \(Self.longestName) bytes at most", atKeyOf: member)
    } else if reserved.kinds.contains(member.key) || ["day-index", "manifest"].contains(member.key) {
      fail("\(quotedName(member.key)) is the name of a built-in snapshot", atKeyOf: member)
    }
  }

  private mutating func kind(_ member: LocatedMember, _ items: Items, _ counts: inout Counts) -> DefinedKind? {
    guard let members = object(member.value, KindKey.self) else { return nil }
    counts.texts = 0
    if members[.show] == nil { fail(missing: "show", in: member.value) }
    let show = members[.show].flatMap { self.show($0, items) } ?? .all
    var kind = DefinedKind(KindName(member.key), show: show)
    kind.within = members[.within].flatMap { whole($0, in: 1...366) } ?? kind.within
    kind.condition = members[.where].map { conditions($0, items.fields) } ?? []
    kind.order = members[.order].map { order($0, items.fields) } ?? []
    kind.limit = members[.limit].flatMap { whole($0, in: 0...100) } ?? kind.limit
    kind.reach = members[.reach].flatMap { word($0, DefinedKind.Reach.self) } ?? kind.reach
    kind.hours = members[.hours].map { hours($0) } ?? []
    kind.values = members[.values].map { values($0, items, &counts) } ?? []
    readTexts(members, items, &counts, into: &kind)
    kind.tones = members[.tone].map { tones($0, kind, items) } ?? []
    if let value = members[.template], let template = word(value, DefinedKind.Template.self) {
      kind.template = template
      checkTemplate(template, of: kind, at: value)
      kind.numberPlace = numberPlace(of: template, in: members)
    }
    kind.deepLink = members[.deepLink].flatMap { link($0) } ?? kind.deepLink
    kind.widgetKind = members[.widgetKind].flatMap { filledText($0) } ?? kind.widgetKind
    kind.families = members[.families].flatMap { array($0) }.map { $0.compactMap { filledText($0) } } ?? kind.families
    return kind
  }

  /// Where the text is that must be a number for a template.
  private func numberPlace(of template: DefinedKind.Template, in members: [KindKey: LocatedValue]) -> JSONPlace? {
    let value: LocatedValue? =
      switch template {
      case .ring: members[.content]?.member("progress")
      case .strip: members[.items]?.member("value")
      case .list, .value, .table: nil
      }
    return value.map { JSONPlace.of(JSONDefect(offset: $0.offset, message: "", place: .value), in: document) }
  }

  /// Reads which items are shown. All choices but `all` go by an item's start, so they need one.
  mutating func show(_ value: LocatedValue, _ items: Items) -> DefinedKind.Show? {
    let show = word(value, DefinedKind.Show.self)
    if let show, show != .all, !items.hasStart { fail("'\(show.rawValue)' needs 'start' in 'items'", at: value) }
    return show
  }

  private mutating func order(_ value: LocatedValue, _ fields: KnownNames) -> [DefinedKind.Order] {
    (array(value) ?? []).compactMap { element in
      guard let text = text(element, #"a field, or "-" and a field"#) else { return nil }
      let isDescending = text.utf8.first == UInt8(ascii: "-")
      let name = isDescending ? String(Substring(text.utf8.dropFirst())) : text
      check(name, at: isDescending ? 1 : 0, in: element, fields)
      return DefinedKind.Order(name, isDescending: isDescending)
    }
  }

  private mutating func hours(_ value: LocatedValue) -> [Int] {
    Set((array(value) ?? []).compactMap { whole($0, in: 0...23) }).sorted()
  }

  private mutating func filledText(_ value: LocatedValue) -> String? {
    let text = text(value)
    if text?.isEmpty == true { fail("expected a string that is not empty", at: value) }
    return text
  }
}
