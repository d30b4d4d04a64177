/// JSON that a person is to read and edit: its members stay in their order, and what fits is on one line.
indirect enum OrderedJSON {
  case text(String)
  case number(Int)
  case bool(Bool)
  case list([OrderedJSON])
  case object([(String, OrderedJSON)])

  /// How long a line may be.
  private static let width = 100

  /// The document, without a newline at its end.
  var document: String { written(indent: 0, used: 0) }

  private var line: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .number(let number): "\(number)"
    case .bool(let value): value ? "true" : "false"
    case .list(let elements): "[" + elements.map(\.line).joined(separator: ", ") + "]"
    case .object(let members) where members.isEmpty: "{}"
    case .object(let members):
      "{ " + members.map { "\(Self.quoted($0)): \($1.line)" }.joined(separator: ", ") + " }"
    }
  }

  /// - Parameter used: how many columns stand before it on its line.
  private func written(indent: Int, used: Int) -> String {
    let line = line
    // Of the top and of what it holds directly every member has a line.
    if indent > 0, used + line.utf8.count <= Self.width { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let lines: [String]
    switch self {
    case .object(let members):
      if members.isEmpty { return line }
      lines = members.map { key, value in
        let start = "\(inner)\(Self.quoted(key)): "
        return start + value.written(indent: indent + 2, used: start.utf8.count + 1)
      }
    case .list(let elements):
      if elements.isEmpty { return line }
      lines = elements.map { inner + $0.written(indent: indent + 2, used: indent + 3) }
    case .text, .number, .bool: return line
    }
    let brackets = line.hasPrefix("{") ? ("{", "}") : ("[", "]")
    return "\(brackets.0)\n" + lines.joined(separator: ",\n")
      + "\n\(String(repeating: " ", count: indent))\(brackets.1)"
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
