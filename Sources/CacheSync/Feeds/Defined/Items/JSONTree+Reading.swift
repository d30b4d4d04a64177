extension JSONTree {
  /// Validates a document and indexes it. There is a tree when there are no defects.
  static func read(_ bytes: UnsafeRawBufferPointer) -> (tree: JSONTree?, defects: [JSONDefect]) {
    let document = JSONReader.read(bytes) { $0.tree() }
    return (document.value, document.defects)
  }
}

extension JSONReader {
  /// Indexes the value about to be read. It validates as ``skipValue()`` does, and without recursion as well; nil at a syntax
  /// error.
  fileprivate mutating func tree() -> JSONTree? {
    guard end - start <= UInt32.max else {
      stop(at: start) { "larger than 4 GiB" }
      return nil
    }
    var nodes: [JSONTree.Node] = []
    // Reserved at once: growing by doubling would need three times the memory for a moment.
    nodes.reserveCapacity(nodeCountAtMost)
    var open: [Int] = []
    var isObject = false
    var place = cursor
    latest = place
    while true {
      switch place.byte(before: end) {
      case 0x22:
        guard let quote = closingQuote(from: place + 1) else { return nil }
        append(place, quote + 1, to: &nodes)
        place = quote + 1
      case 0x7b, 0x5b:
        guard open.count < Self.deepest else {
          stop(at: place) { "nesting deeper than \(Self.deepest) levels" }
          return nil
        }
        isObject = place.pointee == 0x7b
        open.append(nodes.count)
        append(place, place, to: &nodes)
        place = (place + 1).afterSpace(before: end)
        if place.byte(before: end) != (isObject ? 0x7d : 0x5d) {
          if isObject {
            guard let key = afterKey(place) else { return nil }
            append(place, key.end, to: &nodes)
            place = key.value
          }
          continue
        }
      case 0x2d, 0x30...0x39:
        guard let after = afterNumber(place) else { return nil }
        append(place, after, to: &nodes)
        place = after
      case 0x74, 0x66, 0x6e:
        guard let after = afterLiteral(place) else { return nil }
        append(place, after, to: &nodes)
        place = after
      default:
        stop(at: place, expecting: "a value")
        return nil
      }
      // After a value, or at the closing bracket of an empty array or object.
      var isBetweenValues = false
      while !isBetweenValues, let container = open.last {
        place = place.afterSpace(before: end)
        switch place.byte(before: end) {
        case 0x2c:
          place = (place + 1).afterSpace(before: end)
          if isObject {
            guard let key = afterKey(place) else { return nil }
            append(place, key.end, to: &nodes)
            place = key.value
          }
          isBetweenValues = true
        case isObject ? 0x7d : 0x5d:
          place += 1
          nodes[container].end = UInt32(truncatingIfNeeded: nodes.count)
          open.removeLast()
          isObject = open.last.map { start[Int(nodes[$0].offset)] == 0x7b } ?? false
        default:
          stop(at: place, expecting: isObject ? "a comma or '}'" : "a comma or ']'")
          return nil
        }
      }
      if isBetweenValues { continue }
      cursor = place
      return JSONTree(start: start, nodes: nodes)
    }
  }

  @inline(__always)
  private func append(_ place: JSONBytes, _ after: JSONBytes, to nodes: inout [JSONTree.Node]) {
    nodes.append(
      JSONTree.Node(
        offset: UInt32(truncatingIfNeeded: place - start), end: UInt32(truncatingIfNeeded: after - start)))
  }

  /// Each value and key but the first follows one of these four; in strings they count for nothing, and what is reserved for
  /// them is never touched.
  private var nodeCountAtMost: Int {
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
