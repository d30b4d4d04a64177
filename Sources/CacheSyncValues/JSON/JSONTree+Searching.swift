/// The members or elements of a long object or array, so that finding one does not visit all.
enum WideContainer {
  /// The values, in their order.
  case array([UInt32])
  /// The key nodes by their hashes: a table with twice as many slots as keys, where 0 is a free slot (0 is the root,
  /// which is not a key). It has only the first of duplicate keys; `again` lists the second by the first.
  case object(table: [UInt32], again: [UInt32: UInt32])
}

extension JSONTree {
  /// Up to this many members or elements, a search visits all. A table for fewer would cost more than it saves.
  private static let shortCount = 32
  /// How many bytes of a name count as one step of the work.
  private static let bytesOfStep = 64
  /// The maximum number of bytes in a string for one byte of its text: `\u0061`.
  private static let longestEscape = 6

  /// The value of a member; for duplicate keys the first value, and the second as `again`.
  mutating func member(_ name: String, of object: Index) -> (value: Index, again: Index?)? {
    if wide[object] == nil {
      var found: (value: Index, again: Index?)?
      var count = 0
      var key = object + 1
      let end = after(object)
      while key < end, count < Self.shortCount {
        if isKey(key, name) {
          if let value = found?.value {
            found = (value, found?.again ?? key + 1)
          } else {
            found = (key + 1, nil)
          }
        }
        key = after(key + 1)
        count += 1
      }
      // A comparison reads at most as many bytes as the name has.
      steps += (count + 1) * (1 + name.utf8.count / Self.bytesOfStep)
      if key == end { return found }
      wide[object] = widened(object: object)
    }
    guard case .object(let table, let again)? = wide[object] else { return nil }
    steps += 1 + name.utf8.count / Self.bytesOfStep
    var slot = name.withUTF8Bytes { Self.hash($0) } & (table.count - 1)
    while table[slot] != 0 {
      let key = Int(table[slot])
      if isKey(key, name) { return (key + 1, again[table[slot]].map { Int($0) + 1 }) }
      slot = (slot + 1) & (table.count - 1)
    }
    return nil
  }

  /// An element of an array; a negative index counts from the end.
  mutating func element(_ place: Int, of array: Index) -> Index? {
    if wide[array] == nil {
      var elements: [Index] = []
      var element = array + 1
      let end = after(array)
      while element < end, elements.count < Self.shortCount {
        elements.append(element)
        element = after(element)
      }
      steps += elements.count + 1
      if element == end {
        let place = place < 0 ? place &+ elements.count : place
        return elements.indices.contains(place) ? elements[place] : nil
      }
      wide[array] = widened(array: array)
    }
    guard case .array(let elements)? = wide[array] else { return nil }
    steps += 1
    let place = place < 0 ? place &+ elements.count : place
    return elements.indices.contains(place) ? Int(elements[place]) : nil
  }

  /// The number of elements or members.
  mutating func count(of container: Index) -> Int {
    if case .array(let elements)? = wide[container] { return elements.count }
    let count = children(of: container).reduce(0) { count, _ in count + 1 }
    steps += count + 1
    return count
  }

  private mutating func widened(array: Index) -> WideContainer {
    var elements: [UInt32] = []
    elements.reserveCapacity(count(of: array))
    for element in children(of: array) { elements.append(UInt32(truncatingIfNeeded: element)) }
    return .array(elements)
  }

  private mutating func widened(object: Index) -> WideContainer {
    let count = count(of: object)
    var length = 64
    while length < 2 * count { length *= 2 }
    var table = [UInt32](repeating: 0, count: length)
    var again: [UInt32: UInt32] = [:]
    for key in children(of: object) {
      let bytes = bytes(of: key)
      var slot =
        (bytes.contains(0x5c) ? text(of: key).withUTF8Bytes { Self.hash($0) } : Self.hash(bytes)) & (length - 1)
      while table[slot] != 0, !isSameKey(Int(table[slot]), key) { slot = (slot + 1) & (length - 1) }
      if table[slot] == 0 {
        table[slot] = UInt32(truncatingIfNeeded: key)
      } else if again[table[slot]] == nil {
        again[table[slot]] = UInt32(truncatingIfNeeded: key)
      }
    }
    return .object(table: table, again: again)
  }

  /// Seeded differently in each process, so that no file can be made of keys that all collide.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    return hasher.finalize()
  }

  /// Whether a key equals a name after unescaping.
  private func isKey(_ key: Index, _ name: String) -> Bool {
    let bytes = bytes(of: key)
    return name.withUTF8Bytes { name in
      // However long a key is, comparing it costs no more than the name.
      guard bytes.count <= Self.longestEscape * name.count else { return false }
      var index = 0
      while index < bytes.count {
        // From the first escape on, raw bytes cannot be compared.
        if bytes[index] == 0x5c { return isSameText(text(of: key), String(decoding: name, as: UTF8.self)) }
        guard index < name.count, bytes[index] == name[index] else { return false }
        index += 1
      }
      return index == name.count
    }
  }

  private func isSameKey(_ a: Index, _ b: Index) -> Bool {
    let (x, y) = (bytes(of: a), bytes(of: b))
    if x.contains(0x5c) || y.contains(0x5c) { return isSameText(text(of: a), text(of: b)) }
    return x.elementsEqual(y)
  }
}
