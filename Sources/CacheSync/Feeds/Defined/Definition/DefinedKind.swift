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

  /// A member of a snapshot: its name, and the template of its text.
  package struct NamedText: Sendable, Equatable {
    @ExactText package var name: String
    package var text: TextTemplate

    package init(_ name: String, _ text: TextTemplate) {
      self.name = name
      self.text = text
    }
  }

  package var name: KindName
  package var show: Show
  /// Local days, 1...31.
  package var within = 7
  package var condition: [Condition] = []
  package var order: [Order] = []
  /// 0...50
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
  package var template = Template.list
  @ExactText package var deepLink: String
  @ExactText package var widgetKind: String
  package var families: [String] {
    get { exactFamilies.map(\.wrappedValue) }
    set { exactFamilies = newValue.map { ExactText($0) } }
  }
  private var exactFamilies: [ExactText] = ["systemSmall", "systemMedium"]

  package init(_ name: KindName, show: Show) {
    self.name = name
    self.show = show
    deepLink = "cachesync://\(name)"
    widgetKind = "\(name)"
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
  /// Nil: the kind's own `show`.
  package var of: DefinedKind.Show?
  /// Applied in addition to the kind's own conditions.
  package var condition: [Condition] = []
  package var operation: Operation

  package init(_ name: String, _ operation: Operation) {
    self.name = name
    self.operation = operation
  }
}
