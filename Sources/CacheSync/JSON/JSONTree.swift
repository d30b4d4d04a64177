/// An index of a whole document, 8 bytes a value: where each value begins and ends. Nothing of the document is copied until
/// it is asked for.
///
/// The document is strictly valid JSON (contract.md section 2), which ``JSONTree/read(_:strictly:ignoring:)`` has found; a tree is
/// good for as long as the document's bytes are.
struct JSONTree {
  /// A value, or a member's key, by its place in document order. An object's keys and values take turns.
  typealias Index = Int

  struct Node {
    /// Of the first byte.
    var offset: UInt32
    /// Of an array or object the index of what follows it and all that it holds; else the offset of the byte after it.
    var end: UInt32
  }

  let start: JSONBytes
  let nodes: [Node]
  /// Keys and elements of arrays and objects that are long, built when they are first looked into.
  var wide: [Index: WideContainer] = [:]
  /// How many nodes were looked at. Definitions are data from outside: see ``DefinedFileReading``.
  var steps = 0

  init(start: JSONBytes, nodes: [Node]) {
    self.start = start
    self.nodes = nodes
  }

  static let root: Index = 0

  func offset(of node: Index) -> Int { Int(nodes[node].offset) }

  func kind(of node: Index) -> JSONReader.Kind {
    switch byte(of: node) {
    case 0x7b: .object
    case 0x5b: .array
    case 0x22: .string
    case 0x74, 0x66: .bool
    case 0x6e: .null
    default: .number
    }
  }

  func isNull(_ node: Index) -> Bool { byte(of: node) == 0x6e }

  /// The first byte.
  func byte(of node: Index) -> UInt8 { start[Int(nodes[node].offset)] }

  /// What follows the value and all that it holds.
  func after(_ node: Index) -> Index {
    switch byte(of: node) {
    case 0x7b, 0x5b: Int(nodes[node].end)
    default: node + 1
    }
  }

  /// The elements of an array, or the keys of an object; a key's value is the node after it.
  func children(of container: Index) -> Children {
    Children(tree: self, isObject: byte(of: container) == 0x7b, current: container + 1, end: after(container))
  }

  struct Children: Sequence, IteratorProtocol {
    fileprivate let tree: JSONTree
    fileprivate let isObject: Bool
    fileprivate var current: Index
    fileprivate let end: Index

    mutating func next() -> Index? {
      guard current < end else { return nil }
      defer { current = tree.after(isObject ? current + 1 : current) }
      return current
    }
  }

  /// The bytes of a scalar, or of a string without its quotes and with its escapes.
  func bytes(of node: Index) -> UnsafeBufferPointer<UInt8> {
    let quote = byte(of: node) == 0x22 ? 1 : 0
    let offset = Int(nodes[node].offset)
    return UnsafeBufferPointer(start: start + offset + quote, count: Int(nodes[node].end) - offset - 2 * quote)
  }
}
