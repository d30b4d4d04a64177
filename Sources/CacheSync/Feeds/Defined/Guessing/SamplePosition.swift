/// A place in a sample that one path with `*` reaches, with the values there.
final class SamplePosition {
  enum Step {
    case root, every
    case member(String)
  }

  struct Node {
    let value: JSONTree.Index
    /// The value's key, if it is a member of an object.
    let key: JSONTree.Index?
    /// Its place among the nodes of the position around it.
    let outer: Int
  }

  /// As a definition's `each` writes it.
  let path: String
  let step: Step
  let outer: SamplePosition?
  /// The first values; the others are like these.
  let nodes: [Node]
  /// How many values there are, as far as they were counted.
  let count: Int
  let depth: Int

  init(root: JSONTree.Index) {
    path = "$"
    step = .root
    outer = nil
    nodes = [Node(value: root, key: nil, outer: 0)]
    count = 1
    depth = 0
  }

  init(_ path: String, _ step: Step, in outer: SamplePosition, _ nodes: [Node], count: Int) {
    self.path = path
    self.step = step
    self.outer = outer
    self.nodes = nodes
    self.count = count
    depth = outer.depth + 1
  }

  var isEvery: Bool { if case .every = step { true } else { false } }

  /// The names of the members on the way to here, the outermost first.
  var names: [String] {
    var names: [String] = []
    var position: SamplePosition? = self
    while let current = position {
      if case .member(let name) = current.step { names.append(name) }
      position = current.outer
    }
    return names.reversed()
  }

  /// Whether a `*` is on the way to here.
  var isRepeated: Bool { isEvery || outer?.isRepeated ?? false }

  /// The path before the first `*`; nil without one.
  var list: String? { outer?.list ?? (isEvery ? outer?.path : nil) }

  /// The names of members here as a person would write them: "Solar noon" for `solar_noon`.
  func shownNames(of paths: [String]) -> [(name: String, shown: String)] {
    paths.compactMap { path in
      guard path.hasPrefix(self.path + ".") else { return nil }
      let name = String(path.dropFirst(self.path.count + 1))
      let words = NameWords.words(of: name).joined(separator: " ")
      return words.isEmpty ? nil : (name, words.prefix(1).uppercased() + words.dropFirst())
    }
  }

  func isInside(_ other: SamplePosition) -> Bool {
    var position = outer
    while let current = position {
      if current === other { return true }
      position = current.outer
    }
    return false
  }
}
