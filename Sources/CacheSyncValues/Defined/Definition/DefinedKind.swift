/// A kind of snapshot that a definition describes (definitions.md section 3).
package struct DefinedKind: Sendable, Equatable {
  /// Which items a kind chooses at an entry's date.
  package enum Show: String, Sendable, Equatable, CaseIterable {
    case all, today, now, next, coming, nextDay, due
  }

  package enum Reach: String, Sendable, Equatable, CaseIterable {
    case sevenDays = "7 days"
    case midnight
  }

  /// The conventional names by which readers draw the content.
  package enum Template: String, Sendable, Equatable, CaseIterable {
    case list, value, ring, table, strip
  }

  /// A name to order by. Numbers come before texts, texts are ordered by bytes, and null is last in both directions.
  package struct Order: Sendable, Equatable {
    @ExactText package var name: String
    package var isDescending: Bool

    package init(_ name: String, isDescending: Bool) {
      self.name = name
      self.isDescending = isDescending
    }
  }

  /// How good something is, which pictures show by colour.
  package enum Tone: String, Sendable, Equatable, CaseIterable {
    case good, warn, bad
  }

  /// A tone, and when it applies. Of several the first counts.
  package struct ToneRule: Sendable, Equatable {
    package var tone: Tone
    /// On an item; nil if the conditions do not name its fields.
    package var itemCondition: [Condition]?
    /// On the content; nil if the conditions do not name the kind's values. Their fields are indices of
    /// ``DefinedKind/contentNames``.
    package var contentCondition: [Condition]?
  }

  /// A text that counts if its conditions hold.
  package struct Case: Sendable, Equatable {
    package var condition: [Condition]
    package var text: TextTemplate
  }

  /// A member of a snapshot: its name, and the template of its text.
  package struct NamedText: Sendable, Equatable {
    @ExactText package var name: String
    /// The first whose conditions hold counts in place of ``text``.
    package var cases: [Case] = []
    package var text: TextTemplate

    package init(_ name: String, _ text: TextTemplate) {
      self.name = name
      self.text = text
    }
  }

  package var name: KindName
  package var show: Show
  /// The name for people; nil: the kind's name in words.
  package var title: Wording?
  /// An icon's name or an emoji.
  @ExactText package var symbol: String = ""
  /// Local days, 1...366.
  package var within = 7
  package var condition: [Condition] = []
  package var order: [Order] = []
  /// 0...100
  package var limit = 5
  package var reach = Reach.sevenDays
  /// 0...23, ascending.
  package var hours: [Int] = []
  package var values: [ValueRule] = []
  /// By name.
  package var content: [NamedText] = []
  /// By name; nil: items are not shown.
  package var items: [NamedText]?
  /// What replaces ``content`` when nothing is chosen, by name.
  package var empty: [NamedText] = []
  /// Nil if the definition chooses none.
  package var template: Template?
  /// Where the definition has the text that must be a number for the template; nil if the template needs none.
  package var numberPlace: JSONPlace?
  package var tones: [ToneRule] = []
  @ExactText package var deepLink: String
  @ExactText package var widgetKind: String
  package var families: [String] {
    get { exactFamilies.map(\.wrappedValue) }
    set { exactFamilies = newValue.map { ExactText($0) } }
  }
  private var exactFamilies = ViewFamily.ofWidgets.map { ExactText($0.rawValue) }

  package init(_ name: KindName, show: Show) {
    self.name = name
    self.show = show
    deepLink = "cachesync://\(name)"
    widgetKind = "\(name)"
  }

  /// The names that conditions on the content may use, in the order of their indices.
  package var contentNames: [String] { values.map(\.name) + ["count", "more"] }

  /// The template by which pictures draw it: the chosen one, otherwise the one whose names its texts have.
  package var drawing: Template {
    if let template { return template }
    func has(_ name: String, _ texts: [NamedText]?) -> Bool { texts?.contains { isSameText($0.name, name) } ?? false }
    if has("title", items) { return .list }
    if has("progress", content) { return .ring }
    if has("value", content) { return .value }
    return items == nil ? .list : .table
  }
}

/// A named value for texts, computed from all items that a kind chooses (definitions.md: values).
package struct ValueRule: Sendable, Equatable {
  package enum Operation: Sendable, Equatable {
    case count
    case sum(ExactText), min(ExactText), max(ExactText), mean(ExactText), first(ExactText), last(ExactText)
    /// The field of all chosen items, not only of those that are shown.
    case list(ExactText)
    /// The field `give` of the item with the least or greatest value of the field.
    case least(ExactText, give: ExactText), greatest(ExactText, give: ExactText)
    /// The share of items for which the conditions hold, 0...1.
    case share([Condition])
  }

  @ExactText package var name: String
  /// The part of the calendar, around the moment, in which items must start.
  package enum Period: String, Sendable, Equatable, CaseIterable {
    case day, week, month, year
  }

  /// Which of the kind's items it is computed from.
  package enum Choice: Sendable, Hashable {
    case show(DefinedKind.Show)
    case period(Period)
  }

  /// Nil: those of the kind's own `show`.
  package var of: Choice?
  /// Applied in addition to the kind's own conditions.
  package var condition: [Condition] = []
  package var operation: Operation

  package init(_ name: String, _ operation: Operation) {
    self.name = name
    self.operation = operation
  }
}
