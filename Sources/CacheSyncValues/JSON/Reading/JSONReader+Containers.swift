import CacheSyncSystem

extension JSONReader {
  /// The state while reading an object.
  package struct Members {
    let object: JSONBytes
    let required: UInt64
    let optional: UInt64
    /// The current member's key with its quotes; nil before the first member.
    var key: Range<JSONBytes>?
    /// The first byte of the current member's value.
    var value: JSONBytes
    /// The current member's key as a set.
    var bit: UInt64 = 0
    /// The keys that occurred.
    var present: UInt64 = 0
    /// The keys that occurred and were not skipped.
    var read: UInt64 = 0
    /// The index of the current member's name, if it was the expected one.
    var index: Int?
    /// The index of the name that is expected next. Documents repeat the order of their keys.
    var expected = 0

    package init(object: JSONBytes, required: UInt64 = 0, optional: UInt64 = 0) {
      self.object = object
      self.required = required
      self.optional = optional
      value = object
    }
  }

  /// Consumes the opening bracket and the white space after it.
  @inline(__always)
  package mutating func open(_ bracket: UInt8, _ expected: StaticString) -> Bool {
    let place = cursor
    guard place.byte(before: end) == bracket else { return refuse(expected) }
    // Too deep: skipping the value records that.
    guard depth < Self.deepest else {
      skipValue()
      return false
    }
    latest = place
    depth &+= 1
    cursor = (place + 1).afterSpace(before: end)
    return true
  }

  @inline(never)
  private mutating func refuse(_ expected: StaticString) -> Bool {
    mismatch("\(expected)")
    return false
  }

  /// Moves to the next member that the decoder wants.
  ///
  /// - Returns: the index of its name, with the cursor at its value; nil after the closing bracket or a syntax error.
  @inline(never)
  package mutating func nextMember(_ members: inout Members, _ names: JSONNames) -> Int? {
    while let key = nextKey(&members, names) {
      let index = members.index ?? names.index(of: unescaped(key.lowerBound + 1, key.upperBound - 1))
      let bit: UInt64 = index.map { 1 << UInt64($0) } ?? 0
      guard let index, bit & (members.required | members.optional) != 0 else {
        if rejectsUnknownKeys { failUnknown(key, names.names) }
        if noteOnUnknownKeys != nil { warnUnknown(key) }
        continue
      }
      members.bit = bit
      members.expected = index + 1
      members.present |= bit
      let value = members.value
      if members.read & bit == 0 {
        let isAbsent = members.required & bit == 0 && value.byte(before: end) == 0x6e
        if !isAbsent { return index }
        skipValue()
        continue
      }
      skipValue()
      record(at: value, .secondValue) { "duplicate key '\(names.names[index])'" }
    }
    return nil
  }

  /// Moves to the value of the next member. It skips the previous value if that was not read.
  ///
  /// - Parameter names: the names, one of which is expected; nil: none is.
  /// - Returns: the key with its quotes; nil after the closing bracket or a syntax error.
  @inline(__always)
  private mutating func nextKey(_ members: inout Members, _ names: JSONNames? = nil) -> Range<JSONBytes>? {
    var place = cursor
    if let key = members.key {
      if place == members.value, place < end { skipMember(key) } else { members.read |= members.bit }
      members.bit = 0
      place = cursor.afterSpace(before: end)
      switch place.byte(before: end) {
      case 0x2c: place = (place + 1).afterSpace(before: end)
      case 0x7d:
        endContainer(place)
        return nil
      default:
        stop(at: place, expecting: "a comma or '}'")
        return nil
      }
    } else if place.byte(before: end) == 0x7d {
      endContainer(place)
      return nil
    }
    let quote = names?.quote(ofName: members.expected, at: place, before: end)
    members.index = quote == nil ? nil : members.expected
    let found = if let quote { afterKey(endingAt: quote) } else { afterKey(place) }
    guard let key = found else { return nil }
    cursor = key.value
    members.key = place..<key.end
    members.value = key.value
    return members.key
  }

  @inline(never)
  private mutating func failUnknown(_ key: Range<JSONBytes>, _ names: [String]) {
    let name = UnsafeBufferPointer(start: key.lowerBound + 1, count: key.count - 2).prefix(40)
    record(at: cursor, .value) {
      let near = NearestName.of(String(decoding: name, as: UTF8.self), among: names)
      return "unknown key '\(EscapedText.forPeople(name))'" + (near.map { ": did you mean '\($0)'?" } ?? "")
    }
  }

  @inline(never)
  private mutating func warnUnknown(_ key: Range<JSONBytes>) {
    let name = UnsafeBufferPointer(start: key.lowerBound + 1, count: key.count - 2)
    warn("unknown key '\(EscapedText.forPeople(name.prefix(40)))': \(noteOnUnknownKeys ?? "")", at: valueOffset)
  }

  @inline(__always)
  private mutating func endContainer(_ bracket: JSONBytes) {
    depth &-= 1
    cursor = bracket + 1
  }

  /// Skips the current member's value and leaves the member out of a pruned copy.
  @inline(__always)
  private mutating func skipMember(_ key: Range<JSONBytes>) {
    skipValue()
    if isPruning, !isStopped { cuts.append(key.lowerBound - start..<cursor - start) }
  }

  @inline(__always)
  package mutating func close(_ members: Members, _ names: JSONNames) -> Bool {
    latest = members.object
    if isStopped { return false }
    let absent = members.required & ~members.present
    if absent != 0 { recordMissing(members.object, absent, names) }
    return absent == 0
  }

  @inline(never)
  private mutating func recordMissing(_ object: JSONBytes, _ absent: UInt64, _ names: JSONNames) {
    for index in names.names.indices where absent & 1 << UInt64(index) != 0 {
      let name = names.names[index]
      record(at: object, .missing(name)) { "missing field '\(name)'" }
    }
  }

  /// Moves to the next element; false after the closing bracket or a syntax error.
  ///
  /// - Parameter element: the current element's first byte; nil before the first element.
  @inline(never)
  package mutating func nextElement(_ element: inout JSONBytes?) -> Bool {
    var place = cursor
    if let element {
      if place == element, place < end { skipValue() }
      place = cursor.afterSpace(before: end)
      switch place.byte(before: end) {
      case 0x2c: place = (place + 1).afterSpace(before: end)
      case 0x5d:
        endContainer(place)
        return false
      default:
        stop(at: place, expecting: "a comma or ']'")
        return false
      }
    } else if place.byte(before: end) == 0x5d {
      endContainer(place)
      return false
    }
    cursor = place
    element = place
    return !isStopped
  }

  /// Reads an object with any keys. It calls `member` with the place of each key with its quotes, and with the cursor
  /// at the value. It skips a value that `member` does not read.
  ///
  /// - Returns: whether the value was an object, complete to its closing bracket.
  @inline(__always)
  mutating func members(_ member: (inout JSONReader, Range<JSONBytes>) -> Void) -> Bool {
    guard open(0x7b, "an object") else { return false }
    var members = Members(object: latest)
    while let key = nextKey(&members) { member(&self, key) }
    latest = members.object
    return !isStopped
  }

  /// The text of the key that was just passed; nil if it is broken, which is recorded.
  mutating func text(ofKey key: Range<JSONBytes>) -> String? {
    text == .broken ? nil : String(decoding: unescaped(key.lowerBound + 1, key.upperBound - 1), as: UTF8.self)
  }
}
