/// A value of a definition's document, in its tree.
///
/// The tree is strict: it has no duplicate keys, and a number that is too large has a defect already.
package struct LocatedValue {
  package let tree: JSONTree
  package let node: JSONTree.Index

  package init(tree: JSONTree, node: JSONTree.Index) { (self.tree, self.node) = (tree, node) }

  /// The offset of the value's first byte.
  package var offset: Int { tree.offset(of: node) }
  var kind: JSONReader.Kind { tree.kind(of: node) }
  package var isNull: Bool { tree.isNull(node) }
  var bool: Bool? { kind == .bool ? tree.byte(of: node) == UInt8(ascii: "t") : nil }
  package var text: String? { kind == .string ? tree.text(of: node) : nil }

  var number: Double? {
    guard kind == .number else { return nil }
    let number = tree.number(of: node)
    return number.isFinite ? number : nil
  }

  var elements: [LocatedValue]? {
    kind == .array ? tree.children(of: node).map { LocatedValue(tree: tree, node: $0) } : nil
  }

  /// In the document's order.
  package var members: [LocatedMember]? {
    guard kind == .object else { return nil }
    return tree.children(of: node).map { key in
      LocatedMember(
        key: tree.text(of: key), keyOffset: tree.offset(of: key), value: LocatedValue(tree: tree, node: key + 1))
    }
  }

  package func member(_ key: String) -> LocatedValue? { members?.first { isSameText($0.key, key) }?.value }

  /// The kind of value, for messages.
  package var description: String { JSONMessage.kind(kind, tree.byte(of: node)) }

  /// Whether a defect of the value is recorded already.
  var isBroken: Bool { kind == .number && number == nil }
}

/// A member of an object, and the offset of its key.
package struct LocatedMember {
  package var key: String
  var keyOffset: Int
  package var value: LocatedValue
}
