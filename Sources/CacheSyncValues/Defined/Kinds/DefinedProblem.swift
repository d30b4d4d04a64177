package import CacheSyncSystem

/// Something that is left out at a moment, of a readable file or of what a definition makes of it.
package struct DefinedProblem: Sendable, Hashable {
  /// Nil if no single file is at fault.
  package var path: CachePath?
  /// The place in the definition that is at fault, if it is the definition.
  package var place: JSONPlace?
  package var message: String
  package var severity = Problem.Severity.warning

  static func tooManyOccurrences(of item: ResolvedItem) -> DefinedProblem {
    DefinedProblem(
      path: item.path,
      message:
        "\(name(of: item)) comes more than \(Expansion.maximumCount) times in the days looked at and is left out; "
        + "let it repeat less often")
  }

  static func ruleWithoutEnd(of item: ResolvedItem) -> DefinedProblem {
    DefinedProblem(
      path: item.path,
      message: "the rule of \(name(of: item)) was followed for 100,000 steps and gave no end; it is left out; "
        + "give it a later start or a simpler rule")
  }

  static func tooMuchTogether(from item: ResolvedItem) -> DefinedProblem {
    DefinedProblem(
      path: item.path,
      message: "what repeats comes too often, or its rules take too many steps, in the days looked at: "
        + "\(name(of: item)) and what repeats after it in this file is left out; "
        + "let fewer items repeat, or give them simpler rules")
  }

  /// - Parameters:
  ///   - first: the first of them in the file.
  static func earlyEnds(_ count: Int, from first: ResolvedItem) -> DefinedProblem {
    DefinedProblem(
      path: first.path,
      message: count == 1
        ? "the end of \(name(of: first)) is before its start: it is ignored"
        : "the ends of \(count) items are before their starts, the first that of \(name(of: first)): they are ignored")
  }

  static func contentCut(_ kind: KindName) -> DefinedProblem {
    DefinedProblem(
      message: "the content of \(kind) has more than \(DefinedProjection.maximumContent) bytes and is cut; "
        + "give the kind a smaller limit or shorter texts")
  }

  static func needsNumber(
    _ kind: DefinedKind, _ name: String, of place: String, _ value: ItemValue
  ) -> DefinedProblem {
    let found = value.json
    return DefinedProblem(
      place: kind.numberPlace,
      message: "the template '\(kind.drawing.rawValue)' of \(kind.name) needs a number in '\(name)' of \(place), "
        + "found \(found); give it a field or value that is a number, alone and without a format",
      severity: .error)
  }

  static func ringOverflows(_ kind: DefinedKind, _ progress: Double) -> DefinedProblem {
    DefinedProblem(
      place: kind.numberPlace,
      message:
        "'progress' of \(kind.name) is \(ItemValue.number(progress).plainText), and a full ring is 1; divide it in "
        + "its field: \"per\": \"@.goal\", or \"scale\": 0.01 for percent")
  }

  /// The warning about a rule that never gives a day.
  static func ruleWithoutDays(_ text: String) -> String {
    "the rule \(JSONMessage.quoted(text)) never gives a day, so nothing shows; check its BY parts"
  }

  private static func name(of item: ResolvedItem) -> String {
    item.item.id.map { "item \(JSONMessage.quoted($0))" } ?? "the item at place \(item.place)"
  }
}

extension ItemValue {
  /// The value as JSON has it, for messages.
  fileprivate var json: String { if case .text(let text) = self { JSONMessage.quoted(text) } else { plainText } }
}
