// What readers get (definitions.md section 3).

import CacheSyncSystem

/// The names that a kind may use of the definition's items.
struct KindNames {
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

extension Shape where Value == DefinedKind {
  static func kind(_ name: String, _ names: KindNames) -> Shape {
    object(DefinedKind.Template.rules) { member in
      member.reader?.textCount = 0
      var kind = DefinedKind(KindName(name), show: .all)
      member("show", &kind.show, .show(names), "Which items are chosen at a moment.", is: .required)
      member("title", &kind.title, .wording, "The name for people: a text, or a text for each language.")
      member("symbol", &kind.symbol, .icon, "An icon's name or an emoji.")
      member("within", &kind.within, .whole(in: 1...366), "Days; default 7.")
      member("where", &kind.condition, .conditions(names.fields))
      member(
        "order", &kind.order, .list(of: .order(names.fields)), "Fields, each with - before it for the greatest first.")
      member("limit", &kind.limit, .whole(in: 0...100), "Items that are shown; default 5.")
      member("reach", &kind.reach, .word)
      member("hours", &kind.hours, .list(of: .whole(in: 0...23)), "Hours of a day that have an entry of their own.")
      kind.hours = Set(kind.hours).sorted()
      member("values", &kind.values, .values(names), "Names for texts, computed of all items that are chosen.")
      let known = KnownNames("value", kind.contentNames)
      let ofContent = known.besides(
        names.texts.names, "of one item it is known in 'items', of all 'values' names it")
      let ofItems = names.texts.besides(kind.contentNames, "it is known in 'content' and 'empty'")
      let texts = Shape<[DefinedKind.NamedText]>.texts(
        ofContent, ofContent, besides: ["count", "more", "items"])
      member("content", &kind.content, texts, "Texts of {name} and {name:format}.")
      member("empty", &kind.empty, texts, "Texts instead of content's when nothing is chosen.")
      // Items that cannot be read still count, so that a template does not miss them.
      kind.items = member["items"].map { _ in [] }
      member(
        "items", &kind.items, .texts(ofItems, names.fields, besides: ["id", "start", "end"]),
        "Texts of each item that is shown.")
      let tones = member(
        "tone", .list(of: .tone(kind, names)),
        "How good it is; the first whose conditions hold. They name fields of items, or values.")
      kind.tones = tones ?? []
      for (texts, place) in [(kind.content + kind.empty, "content"), (kind.items ?? [], "items")]
      where member["tone"] != nil && texts.contains(where: { isSameText($0.name, "tone") }) {
        member.fail("'tone' is written by itself; use another name in '\(place)'", at: "tone")
      }
      member("template", &kind.template, .word, "How it is drawn; by default as the names of its texts fit.")
      if let template = kind.template {
        if !template.isMet(by: kind) {
          member.fail("the template '\(template.rawValue)' needs \(template.need)", at: "template")
        }
        if template == .strip, names.hasStart, !kind.followsItems, let value = member["template"] {
          let advice = #"give 'content' a text of a value with "of": "now""#
          member.reader?.warn("what is now stays that of midnight: \(advice)", at: value)
        }
        if template == .ring || template == .strip, let reader = member.reader, let name = template.needed.name,
          let value = member[template.needed.texts]?.member(name)
        {
          let defect = JSONDefect(offset: value.offset, message: "", place: .value)
          kind.numberPlace = JSONPlace.of(defect, in: reader.document)
        }
      }
      member("deepLink", &kind.deepLink, .link, "Where a tap leads.")
      member("widgetKind", &kind.widgetKind, .filledText)
      member("families", &kind.families, .list(of: .family))
      return member.reader == nil ? nil : kind
    }
  }
}

extension KnownNames {
  /// The same names, with the reason why others are not known here.
  fileprivate func besides(_ others: [String], _ reason: String) -> KnownNames {
    var known = self
    for name in others where !knows(name) { known.elsewhere[name] = reason }
    return known
  }
}

extension DefinedKind {
  /// Whether its content changes when an item begins.
  fileprivate var followsItems: Bool {
    let moving: [ValueRule.Choice?] = [.show(.now), .show(.next)]
    let names = values.filter { moving.contains($0.of) }.map { ExactText($0.name) }
    let parts = content.flatMap { $0.cases.map(\.text) + [$0.text] }.flatMap(\.parts)
    return show == .now || show == .next
      || parts.contains { if case .value(let name, _) = $0 { names.contains(name) } else { false } }
  }
}

extension DefinedKind.Template {
  /// The texts that it needs, and the name among them; nil: any.
  fileprivate var needed: (texts: String, name: String?) {
    switch self {
    case .list: ("items", "title")
    case .value: ("content", "value")
    case .ring: ("content", "progress")
    case .table: ("items", nil)
    case .strip: ("items", "value")
    }
  }

  fileprivate var need: String { (needed.name.map { "'\($0)' in " } ?? "") + "'\(needed.texts)'" }

  fileprivate func isMet(by kind: DefinedKind) -> Bool {
    guard let texts = needed.texts == "items" ? kind.items : kind.content else { return false }
    return needed.name.map { name in texts.contains { isSameText($0.name, name) } } ?? true
  }

  /// What each needs, for editors.
  fileprivate static var rules: String {
    let rules = allCases.map { template in
      let (texts, name) = template.needed
      let inside = name.map { #", "properties": { "\#(texts)": { "type": "object", "required": ["\#($0)"] } }"# } ?? ""
      return #"""
        { "if": { "required": ["template"], "properties": { "template": { "const": "\#(template.rawValue)" } } },
          "then": { "required": ["\#(texts)"]\#(inside) } }
        """#
    }
    return #"{ "allOf": [\#(rules.joined(separator: ","))] }"#
  }
}

extension Shape where Value == DefinedKind.Show {
  /// Which items are shown. All choices but `all` go by an item's start, so they need one.
  static func show(_ names: KindNames) -> Shape {
    word.then { reader, value, show in
      if show != .all, !names.hasStart { reader.fail("'\(show.rawValue)' needs 'start' in 'items'", at: value) }
      return show
    }
  }
}

extension Shape where Value == DefinedKind.Order {
  fileprivate static func order(_ fields: KnownNames) -> Shape {
    Shape<String>.text(#"a field, or "-" and a field"#).then { reader, value, text in
      let isDescending = text.utf8.first == UInt8(ascii: "-")
      let name = isDescending ? String(Substring(text.utf8.dropFirst())) : text
      reader.check(name, at: isDescending ? 1 : 0, in: value, fields)
      return DefinedKind.Order(name, isDescending: isDescending)
    }
  }
}

// MARK: Texts

extension Shape where Value == [DefinedKind.NamedText] {
  /// - Parameters:
  ///   - known: the names that the texts may use.
  ///   - tested: those that their conditions may use.
  ///   - taken: those that the snapshot has already.
  fileprivate static func texts(_ known: KnownNames, _ tested: KnownNames, besides taken: [String]) -> Shape {
    Shape<[(key: String, value: DefinedKind.NamedText)]>.members(
      of: { .text($0, known, tested) },
      names: #"{ "minLength": 1, "maxLength": 64, "not": { "enum": \#(taken) } }"#,
      accepts: { reader, member in
        if member.value.isNull { return false }
        reader.textCount += 1
        let most = DefinitionReader.most
        if reader.textCount == most + 1 { reader.fail("more than \(most) texts in a kind", atKeyOf: member) }
        if taken.contains(member.key) {
          reader.fail("\(quotedName(member.key)) is written by itself; use another name", atKeyOf: member)
        } else if member.key.isEmpty || member.key.utf8.count > DefinitionReader.longestName {
          reader.fail("the name of a text has 1 to \(DefinitionReader.longestName) bytes", atKeyOf: member)
        }
        return true
      }
    )
    .with(#"{ "maxProperties": \#(DefinitionReader.most) }"#)
    .map { $0.map(\.value).sorted { isOrdered($0.name, before: $1.name) } }
  }
}

extension Shape where Value == DefinedKind.NamedText {
  /// A text, or a list of texts with conditions that ends with a plain one.
  fileprivate static func text(_ name: String, _ known: KnownNames, _ tested: KnownNames) -> Shape {
    let plain = Shape<TextTemplate>.template(known).then { reader, value, template in
      // The text of this name is a link, wherever it is. It may have placeholders after its scheme.
      if name == "deepLink", let text = value.text, let defect = LinkText.defect(in: text, hasHoles: true) {
        reader.fail(defect, in: value)
      }
      if name == "symbol", let text = value.text { reader.warn(ofUndrawn: text, at: value) }
      return template
    }
    let textCase = Shape<DefinedKind.Case>.textCase(plain, tested)
    let element = Shape<Void>(in: { .any(of: [plain.schema($0), textCase.schema($0)]) }) { _, _ in }
    let list = Shape<[Void]>.list(of: element)
    let cases = Shape(in: list.schema) { reader, value in
      guard let elements = value.elements, let last = elements.last, last.kind == .string else {
        let expected = #"expected a list of { "if": …, "text": … } that ends with a plain text"#
        reader.fail(expected, at: value.elements?.last ?? value)
        return nil
      }
      _ = list.read(reader, value)
      let cases = elements.dropLast().compactMap { textCase.read(reader, $0) }
      guard let template = plain.read(reader, last) else { return nil }
      var text = DefinedKind.NamedText(name, template)
      text.cases = cases
      return text
    }
    .with(#"{ "description": "The first text whose conditions hold, else the last one.", "minItems": 1 }"#)
    return plain.map { DefinedKind.NamedText(name, $0) }.or(cases) { $0.kind == .array }.named("text")
  }
}

extension Shape where Value == DefinedKind.Case {
  fileprivate static func textCase(_ plain: Shape<TextTemplate>, _ tested: KnownNames) -> Shape {
    object { member in
      let condition = member("if", .conditions(tested), is: .required)
      let text = member("text", plain, is: .required)
      return condition.flatMap { condition in text.map { DefinedKind.Case(condition: condition, text: $0) } }
    }
  }
}

// MARK: Tones

extension Shape where Value == DefinedKind.ToneRule {
  /// - Parameter kind: its values and texts are known.
  fileprivate static func tone(_ kind: DefinedKind, _ names: KindNames) -> Shape {
    object { member in
      let unread = Shape<LocatedValue>(in: Shape<[Condition]>.conditions(names.fields).schema) { $1 }
      let value = member("if", unread, is: .required)
      let tone: DefinedKind.Tone? = member("tone", .word, is: .required)
      guard let reader = member.reader, let value, let tone else { return nil }
      func conditions(_ known: KnownNames) -> [Condition]? { Shape<[Condition]>.conditions(known).read(reader, value) }
      let used = fieldNames(in: value)
      let values = KnownNames("value", kind.contentNames)
      let isOfContent = !used.isEmpty && used.allSatisfy { values.knows($0) }
      let isOfItems = used.allSatisfy { names.fields.knows($0) } || names.fields.isOpen
      var rule = DefinedKind.ToneRule(tone: tone)
      if isOfContent { rule.contentCondition = conditions(values) }
      if isOfItems || !isOfContent {
        rule.itemCondition = conditions(
          names.fields.besides(kind.contentNames, "a tone's conditions name fields or values, not both"))
        if isOfItems, !isOfContent, kind.items == nil {
          reader.warn("this tone is for items, and the kind has none; let its condition name a value", at: value)
        }
      }
      return rule
    }
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
}

extension Shape where Value == Wording {
  /// A text, or an object of texts by language.
  fileprivate static var wording: Shape {
    let texts = Shape<[(key: String, value: String)]>.members(
      of: { _ in .filledText },
      accepts: { reader, member in
        if LanguageTag.matching(member.key) != nil { return true }
        reader.fail("unknown language \(quotedName(member.key)): use \(LanguageTag.expectation)", atKeyOf: member)
        return false
      })
    let translations = texts.map { texts in
      Wording.translations(
        Dictionary(
          texts.compactMap { tag, text in LanguageTag.matching(tag).map { ($0.tag, text) } }, uniquingKeysWith: { $1 }))
    }
    return Shape<String>.filledText.map { Wording.text($0) }.or(translations) { $0.kind == .object }
  }
}

// MARK: Icons

extension Shape where Value == String {
  fileprivate static var icon: Shape {
    filledText.then { reader, value, text in
      reader.warn(ofUndrawn: text, at: value)
      return text
    }
  }

  /// A family of widgets. Another is kept for the app that knows it, with a warning.
  fileprivate static var family: Shape {
    filledText.then { reader, value, text in
      let known = ViewFamily.ofWidgets.map(\.rawValue)
      if !(known + ["systemExtraLarge", "accessoryCorner"]).contains(text) {
        reader.warn("unknown family \(quotedName(text)): \(NearestName.advice(for: text, among: known))", at: value)
      }
      return text
    }
  }
}

extension DefinitionReader {
  /// The names that pictures have a drawing of (pictures.md section 7), in order.
  package static let drawnIcons: [String] = """
    arrow.down.right arrow.right arrow.up.right bubble.left calendar chart.pie.fill checklist checkmark.circle.fill \
    circle circle.fill clock drop exclamationmark.triangle figure.hiking figure.run figure.walk flame.fill fork.knife \
    leaf.fill lightbulb location moon.stars plus shoe shoe.2 star sun.max sunrise
    """.split(separator: " ").map(String.init)

  /// Warns of an icon's name without a drawing. A text that begins with another character than ASCII is an emoji, and
  /// what a placeholder gives is not known here.
  fileprivate func warn(ofUndrawn symbol: String, at value: LocatedValue) {
    let names = Self.drawnIcons
    guard symbol.first?.isASCII ?? false, !symbol.contains("{"), !names.contains(symbol) else { return }
    warn("no icon \(quotedName(symbol)), a dot is drawn: \(NearestName.advice(for: symbol, among: names))", at: value)
  }
}

// MARK: Links

extension Shape where Value == String {
  /// A kind's own link: an absolute URL without placeholders.
  fileprivate static var link: Shape {
    text("an absolute URL").then { reader, value, text in
      if let hole = Array(text.utf8).firstIndex(of: UInt8(ascii: "{")) {
        reader.fail(TextDefect(hole, "a kind's link has no '{'; a link of an item may have one"), in: value)
        return nil
      }
      if let defect = LinkText.defect(in: text) { reader.fail(defect, in: value) }
      return text
    }
    .with(#"{ "pattern": "^(?!(javascript|data|file):)[A-Za-z][A-Za-z0-9+.-]*:[^{}]+$" }"#)
  }
}
