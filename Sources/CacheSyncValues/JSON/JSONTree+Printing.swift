extension JSONTree {
  /// The maximum length of a line.
  private static let width = 100

  /// The document for a person to read and edit, without a newline at its end. Members keep their order, and a value
  /// that fits is on one line.
  package var printed: String { printed(JSONTree.root, indent: 0, used: 0) }

  /// - Parameter used: how many columns the line already has.
  private func printed(_ node: Index, indent: Int, used: Int) -> String {
    let line = line(node)
    // Every member of the outermost value has its own line.
    if indent > 0, used + line.utf8.count <= Self.width { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let lines = children(of: node).map { child in
      guard kind(of: node) == .object else { return inner + printed(child, indent: indent + 2, used: indent + 3) }
      let start = "\(inner)\(source(of: child)): "
      return start + printed(child + 1, indent: indent + 2, used: start.utf8.count + 1)
    }
    guard !lines.isEmpty, let open = line.first, let close = line.last else { return line }
    return "\(open)\n\(lines.joined(separator: ",\n"))\n\(String(repeating: " ", count: indent))\(close)"
  }

  private func line(_ node: Index) -> String {
    switch kind(of: node) {
    case .array: "[" + children(of: node).map(line).joined(separator: ", ") + "]"
    case .object where after(node) == node + 1: "{}"
    case .object:
      "{ " + children(of: node).map { "\(source(of: $0)): \(line($0 + 1))" }.joined(separator: ", ") + " }"
    default: source(of: node)
    }
  }

  /// A scalar or key, as written in the document.
  private func source(of node: Index) -> String {
    let offset = offset(of: node)
    return String(
      decoding: UnsafeBufferPointer(start: start + offset, count: Int(nodes[node].end) - offset), as: UTF8.self)
  }
}
