/// An item of a defined kind's content, by the conventional names of the template `list`.
struct DefinedItemView {
  let item: JSONValue
  /// Whether some item beside it has an icon, so that all have room for one.
  let haveIcons: Bool

  init(_ item: JSONValue, haveIcons: Bool) {
    self.item = item
    self.haveIcons = haveIcons
  }

  var title: String { DefinedWords.words(item["title"]) }
  var tint: ViewNode.Tint { item["color"]?.string.flatMap { ViewNode.Tint(colour: $0) } ?? .ink }
  var value: Double? { item["value"]?.double }
  var start: Instant? { item["start"]?.instant }
  var end: Instant? { item["end"]?.instant }
  var action: ViewNode.Action? { ViewNode.Action(linkOf: item) }

  var icon: ViewNode? { haveIcons ? DefinedWords.icon(of: item) ?? DefinedWords.dot(.soft) : nil }

  /// The item's detail. Of one that has no such name, when it starts: the day, if it starts with the day.
  func detail(_ entry: DefinedEntry) -> String? {
    if let detail = item["detail"] { return DefinedWords.filled(detail) }
    guard let start else { return nil }
    let calendar = entry.input.calendar
    let day = calendar.day(of: start)
    return calendar.start(of: day) == start ? entry.input.date(day) : entry.input.time(start)
  }
}

/// Values of a defined kind's content in words and signs.
enum DefinedWords {
  /// Any value; numbers as their definition rounded them. Of what is missing, a dash.
  static func words(_ value: JSONValue?) -> String {
    switch value {
    case .number(let number)?: return String(decoding: JSONValue.number(number).bytes, as: UTF8.self).withMinus
    case .integer(let number)?: return "\(number)".withMinus
    case .array(let values)?:
      let shown = values.filter { $0 != .null }
      return shown.isEmpty ? .missing : shown.map { words($0) }.joined(separator: ", ")
    default: return value.words
    }
  }

  /// The same; nil when there is nothing to say.
  static func filled(_ value: JSONValue?) -> String? {
    let words = words(value)
    return words == .missing ? nil : words
  }

  /// What a part's `symbol` and `color` give: a symbol's drawing, an emoji as it is, or a dot in the colour; nil: nothing.
  static func icon(of part: JSONValue) -> ViewNode? {
    let tint = part["color"]?.string.flatMap { ViewNode.Tint(colour: $0) }
    guard let symbol = part["symbol"]?.string, let first = symbol.first else { return tint.map { dot($0) } }
    return first.isASCII ? .icon(symbol, "•", tint ?? .ink) : .label(String(first), tint ?? .ink)
  }

  static func dot(_ tint: ViewNode.Tint) -> ViewNode { .icon("", "•", tint) }
}

extension String {
  fileprivate var withMinus: String { hasPrefix("-") ? "−" + dropFirst() : self }
}
