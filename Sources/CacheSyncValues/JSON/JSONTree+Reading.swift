extension JSONTree {
  /// Validates a document and indexes it. There is a tree if it is valid JSON.
  ///
  /// - Parameters:
  ///   - isStrict: whether a duplicate key in an object, which then keeps the first value, and a number beyond every
  ///     double are defects.
  ///   - ignored: keys of the outermost object to leave out, if the reading is strict.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, strictly isStrict: Bool = false, ignoring ignored: Set<String> = []
  ) -> (tree: JSONTree?, defects: [JSONDefect]) {
    var tree: JSONTree?
    let defects = JSONReader.read(bytes) { json in
      guard bytes.count <= UInt32.max else {
        json.stop(at: json.start) { "larger than 4 GiB" }
        return false
      }
      var indexing = Indexing(isStrict: isStrict, ignored: ignored)
      // Reserved at once: growing by doubling would briefly need three times the memory.
      indexing.nodes.reserveCapacity(json.nodeCountAtMost)
      indexing.add(&json)
      tree = JSONTree(start: json.start, nodes: indexing.nodes)
      return true
    }.defects
    return (defects.contains { $0.place == .document } ? nil : tree, defects)
  }

  /// A tree while it is built.
  private struct Indexing {
    let isStrict: Bool
    let ignored: Set<String>
    var nodes: [Node] = []

    /// Indexes the value about to be read. It recurses at most ``JSONReader/deepest`` levels, because the reader opens
    /// no more.
    mutating func add(_ json: inout JSONReader) {
      let node = nodes.count
      append(at: json.valueOffset)
      switch json.next {
      case .array:
        if json.open(0x5b, "an array") {
          var place: JSONBytes?
          while json.nextElement(&place) { add(&json) }
        }
        nodes[node].end = UInt32(truncatingIfNeeded: nodes.count)
      case .object:
        var keys: Set<ExactText> = []
        _ = json.members { json, key in
          guard !isStrict || isWanted(key, of: node, &keys, &json) else { return }
          append(at: key.lowerBound - json.start, to: key.upperBound - json.start)
          add(&json)
        }
        nodes[node].end = UInt32(truncatingIfNeeded: nodes.count)
      case .number where isStrict:
        _ = json.number()
        nodes[node].end = UInt32(truncatingIfNeeded: json.valueOffset)
      case .string, .number, .bool, .null, .invalid:
        json.skipValue()
        nodes[node].end = UInt32(truncatingIfNeeded: json.valueOffset)
      }
    }

    private mutating func append(at offset: Int, to end: Int = 0) {
      nodes.append(Node(offset: UInt32(truncatingIfNeeded: offset), end: UInt32(truncatingIfNeeded: end)))
    }

    private func isWanted(
      _ key: Range<JSONBytes>, of object: Index, _ keys: inout Set<ExactText>, _ json: inout JSONReader
    ) -> Bool {
      // The reader has recorded a broken key.
      guard let name = json.text(ofKey: key) else { return false }
      if keys.insert(ExactText(name)).inserted { return object != JSONTree.root || !ignored.contains(name) }
      let value = json.valueOffset
      json.skipValue()
      json.fail("duplicate key \(JSONMessage.quoted(name))", at: value)
      return false
    }
  }
}

extension JSONReader {
  /// An upper limit: each value and key but the first follows one of these four bytes. Those in strings are counted
  /// too, but the memory reserved for them is never touched.
  fileprivate var nodeCountAtMost: Int {
    var count = 1
    var place = cursor
    while place < end {
      switch place.pointee {
      case 0x2c, 0x3a, 0x5b, 0x7b: count += 1
      default: break
      }
      place += 1
    }
    return count
  }
}
