/// An index of a whole document, 8 bytes a value: where each value begins and ends. It copies nothing of the document
/// until a caller asks for a value.
///
/// The document is strictly valid JSON (contract.md section 2), as checked by ``JSONTree/read(_:strictly:ignoring:)``.
/// A tree is valid for as long as the document's bytes exist.
package struct JSONTree {
  /// A value, or a member's key, by its position in document order. An object's keys and values alternate.
  package typealias Index = Int

  struct Node {
    /// The offset of the first byte.
    var offset: UInt32
    /// For an array or object: the index of the node after all its content. For any other value: the offset of the byte
    /// after it.
    var end: UInt32
  }

  let start: JSONBytes
  let nodes: [Node]
  /// The keys and elements of long arrays and objects, built when they are first searched.
  var wide: [Index: WideContainer] = [:]
  /// How many nodes were visited. Definitions come from outside, so this work is limited: see ``DefinedFileReading``.
  var steps = 0

  init(start: JSONBytes, nodes: [Node]) {
    self.start = start
    self.nodes = nodes
  }

  package static let root: Index = 0

  func offset(of node: Index) -> Int { Int(nodes[node].offset) }

  package func kind(of node: Index) -> JSONReader.Kind {
    switch byte(of: node) {
    case 0x7b: .object
    case 0x5b: .array
    case 0x22: .string
    case 0x74, 0x66: .bool
    case 0x6e: .null
    default: .number
    }
  }

  package func isNull(_ node: Index) -> Bool { byte(of: node) == 0x6e }

  /// The first byte.
  func byte(of node: Index) -> UInt8 { start[Int(nodes[node].offset)] }

  /// The node after the value and all its content.
  func after(_ node: Index) -> Index {
    switch byte(of: node) {
    case 0x7b, 0x5b: Int(nodes[node].end)
    default: node + 1
    }
  }

  /// The elements of an array, or the keys of an object; a key's value is the node after it.
  package func children(of container: Index) -> Children {
    Children(tree: self, isObject: byte(of: container) == 0x7b, current: container + 1, end: after(container))
  }

  package struct Children: Sequence, IteratorProtocol {
    fileprivate let tree: JSONTree
    fileprivate let isObject: Bool
    fileprivate var current: Index
    fileprivate let end: Index

    package mutating func next() -> Index? {
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
