/// An item of a defined kind's content, by the conventional names of the template `list`.
struct DefinedItemView {
  let item: JSONValue
  /// Whether any item of the content has an icon. All items then leave room for one.
  let haveIcons: Bool
  let language: Language

  var title: String { mark + words(item["title"]) }
  func words(_ value: JSONValue?) -> String { DefinedWords.words(value, in: language) }
  /// The tint of its title: only a tone colours words, a `color` the signs beside them.
  var toneTint: ViewNode.Tint { tone ?? .ink }
  var tone: ViewNode.Tint? { item["tone"]?.string.flatMap { ViewNode.Tint(tone: $0) } }
  /// Tones that ask for attention are heavier too.
  var titleSize: ViewNode.Size { mark.isEmpty ? .body : .headline }
  var tint: ViewNode.Tint { DefinedWords.tint(of: item) ?? .ink }
  /// The sign of the item's tone, for those who cannot see its colour.
  var mark: String { DefinedWords.mark(of: item) }
  var value: Double? { item["value"]?.double }
  var start: Instant? { item["start"]?.instant }
  var end: Instant? { item["end"]?.instant }

  /// Whether a moment is between its start and its end.
  func isInForce(at moment: Instant) -> Bool {
    guard let start, let end else { return false }
    return start <= moment && moment < end
  }

  var action: ViewNode.Action? { ViewNode.Action(linkOf: item) }
  var icon: ViewNode? { haveIcons ? DefinedWords.icon(of: item) ?? DefinedWords.dot(.soft) : nil }

  /// The item's detail, otherwise the time of its start. If it starts at the beginning of a day, the day.
  func detail(_ entry: DefinedEntry) -> String? {
    if let detail = item["detail"] { return DefinedWords.filled(detail, in: language) }
    guard let start else { return nil }
    let calendar = entry.input.calendar
    let day = calendar.day(of: start)
    return calendar.start(of: day) == start ? entry.input.date(day) : entry.input.time(start)
  }
}

/// Words and signs for the values of a defined kind's content.
enum DefinedWords {
  /// Words for any value. A number is as its definition rounded it; a missing value is a dash.
  static func words(_ value: JSONValue?, in language: Language) -> String {
    switch value {
    case .number(let number)?:
      return language.formats.number(String(decoding: JSONValue.number(number).bytes, as: UTF8.self).withMinusSign)
    case .integer(let number)?: return "\(number)".withMinusSign
    case .array(let values)?:
      let shown = values.filter { $0 != .null }
      return shown.isEmpty ? .missing : shown.map { words($0, in: language) }.joined(separator: ", ")
    default: return value.words(in: language)
    }
  }

  /// The same, or nil if there is nothing to show.
  static func filled(_ value: JSONValue?, in language: Language) -> String? {
    let words = words(value, in: language)
    return words == .missing ? nil : words
  }

  /// The tint for a part's `color`, otherwise for its `tone`.
  static func tint(of part: JSONValue) -> ViewNode.Tint? {
    part["color"]?.string.flatMap { ViewNode.Tint(colour: $0) }
      ?? part["tone"]?.string.flatMap { ViewNode.Tint(tone: $0) }
  }

  /// A sign before the words of a part with a tone, with a blank; empty without one that asks for attention.
  static func mark(of part: JSONValue) -> String {
    switch part["tone"]?.string.flatMap({ DefinedKind.Tone(rawValue: $0) }) {
    case .warn?: "! "
    case .bad?: "!! "
    case .good?, nil: ""
    }
  }

  /// The icon for a part's `symbol` and `color`: a drawing, an emoji, or a dot in the colour. Nil if the part has
  /// neither.
  static func icon(of part: JSONValue) -> ViewNode? {
    let tint = part["color"]?.string.flatMap { ViewNode.Tint(colour: $0) }
    guard let symbol = part["symbol"]?.string, let first = symbol.first else { return tint.map { dot($0) } }
    return first.isASCII ? .icon(symbol, "•", tint ?? .ink) : .label(String(first), tint ?? .ink)
  }

  static func dot(_ tint: ViewNode.Tint) -> ViewNode { .icon("", "•", tint) }
}
