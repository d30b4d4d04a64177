import CacheSyncSystem

extension JSONReader {
  /// Reads an object and calls `member` for each member whose key is required or optional, with the cursor at the member's
  /// value. Other members are skipped, and so is a value that `member` does not read.
  ///
  /// A required key that is absent is a defect at the object; the second occurrence of a key that was read is a defect
  /// at the second value, which is skipped. An optional key whose value is null is read here and never reaches `member`:
  /// null means that there is none (CONTRACT, notation). Keys compare after unescaping.
  ///
  /// - Parameter optional: by default every key of `Key` that is not required.
  /// - Returns: whether the value was an object, to its closing bracket, with all required keys.
  @inline(__always)
  package mutating func object<Key: JSONKey>(
    _ keys: Key.Type, required: JSONKeySet<Key> = [], optional: JSONKeySet<Key> = .all,
    _ member: (inout JSONReader, Key) -> Void
  ) -> Bool {
    let table = Key.table
    return object(table.names, required: required.bits, optional: optional.bits) { json, index in
      member(&json, table.key(index))
    }
  }

  /// The same for names that are only known when the program runs; sets are of their bits, and members come by their index.
  @inline(__always)
  mutating func object(
    _ names: JSONNames, required: UInt64, optional: UInt64, _ member: (inout JSONReader, Int) -> Void
  ) -> Bool {
    guard open(0x7b, "an object") else { return false }
    var members = Members(object: latest, required: required, optional: optional)
    while true {
      let index = nextMember(&members, names)
      if index < 0 { break }
      member(&self, index)
    }
    return close(members, names)
  }

  /// Reads an array and calls `element` for each element, with the cursor at it. An element that is not read is
  /// skipped.
  ///
  /// - Returns: whether the value was an array, to its closing bracket.
  @inline(__always)
  package mutating func array(_ element: (inout JSONReader) -> Void) -> Bool {
    guard open(0x5b, "an array") else { return false }
    let array = latest
    var place: JSONBytes?
    while nextElement(&place) { element(&self) }
    latest = array
    return !isStopped
  }

  /// Where the reading of an object stands.
  struct Members {
    let object: JSONBytes
    let required: UInt64
    let optional: UInt64
    /// The first byte of the current member's key, its quote.
    var key: JSONBytes
    /// The first byte of the current member's value; nil before the first member.
    var value: JSONBytes?
    /// The current member's key as a set.
    var bit: UInt64 = 0
    /// The keys that occurred.
    var present: UInt64 = 0
    /// The keys that occurred and were not skipped.
    var read: UInt64 = 0
    /// The name to try first.
    var hint = 0

    init(object: JSONBytes, required: UInt64, optional: UInt64) {
      self.object = object
      self.required = required
      self.optional = optional
      key = object
    }
  }

  /// Consumes the opening bracket and the white space after it.
  @inline(__always)
  private mutating func open(_ bracket: UInt8, _ expected: StaticString) -> Bool {
    let place = cursor
    guard place.byte(before: end) == bracket else { return refuse(expected) }
    // Too deep: skipping it finds that out.
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

  /// Goes to the next member that the decoder wants.
  ///
  /// - Returns: the index of its name, with the cursor at its value; -1 after the closing bracket or a syntax error.
  @inline(never)
  mutating func nextMember(_ members: inout Members, _ names: JSONNames) -> Int {
    let end = self.end
    while true {
      var place = cursor
      if let value = members.value {
        if place == value, place < end { skipMember(members) } else { members.read |= members.bit }
        place = cursor.afterSpace(before: end)
        switch place.byte(before: end) {
        case 0x2c: place = (place + 1).afterSpace(before: end)
        case 0x7d: return endContainer(place)
        default: return failMember(place, "a comma or '}'")
        }
      } else if place.byte(before: end) == 0x7d {
        return endContainer(place)
      }
      guard place.byte(before: end) == 0x22 else { return failMember(place, "a key") }
      members.key = place
      var index = names.index(at: place + 1, end: end, hint: members.hint) ?? -1
      if index >= 0 {
        place += names.names[index].length &+ 2
      } else {
        guard let quote = closingQuote(from: place + 1) else { return -1 }
        if text == .escaped { index = names.index(of: unescaped(place + 1, quote)) ?? -1 }
        place = quote + 1
      }
      place = place.afterSpace(before: end)
      guard place.byte(before: end) == 0x3a else { return failMember(place, "a colon") }
      place = (place + 1).afterSpace(before: end)
      cursor = place
      members.value = place
      members.bit = index < 0 ? 0 : names.names[index].bit
      if members.bit & (members.required | members.optional) == 0 {
        members.bit = 0
        if rejectsUnknownKeys { failUnknown(members.key, before: place) }
        skipMember(members)
        continue
      }
      members.hint = index &+ 1
      members.present |= members.bit
      if members.read & members.bit == 0 {
        let isAbsent = members.required & members.bit == 0 && place.byte(before: end) == 0x6e
        if !isAbsent { return index }
        skipValue()
        continue
      }
      skipValue()
      record(at: place, .value) { "duplicate key '\(names.text(index))'" }
      if isStopped { return -1 }
    }
  }

  @inline(never)
  private mutating func failUnknown(_ key: JSONBytes, before value: JSONBytes) {
    // The key's text, without its quotes: what stands between them and the colon is white space at most.
    let text = UnsafeBufferPointer(start: key + 1, count: value - key - 1)
    let name = text.prefix { $0 != 0x22 }
    record(at: value, .value) { "unknown key '\(EscapedText.forPeople(name.prefix(40)))'" }
  }

  @inline(never)
  private mutating func failMember(_ place: JSONBytes, _ expected: String) -> Int {
    stop(at: place, expecting: expected)
    return -1
  }

  @inline(__always)
  private mutating func endContainer(_ bracket: JSONBytes) -> Int {
    depth &-= 1
    cursor = bracket + 1
    return -1
  }

  /// Skips the current member's value and leaves the member out of a pruned copy.
  @inline(__always)
  private mutating func skipMember(_ members: Members) {
    skipValue()
    if isPruning, !isStopped { cuts.append(members.key - start..<cursor - start) }
  }

  @inline(__always)
  private mutating func close(_ members: Members, _ names: JSONNames) -> Bool {
    latest = members.object
    if isStopped { return false }
    let absent = members.required & ~members.present
    if absent != 0 { recordMissing(members.object, absent, names) }
    return absent == 0
  }

  @inline(never)
  private mutating func recordMissing(_ object: JSONBytes, _ absent: UInt64, _ names: JSONNames) {
    for index in 0..<names.count where absent & names.names[index].bit != 0 {
      let name = names.text(index)
      record(at: object, .missing(name)) { "missing field '\(name)'" }
    }
  }

  /// Goes to the next element; false after the closing bracket or a syntax error.
  ///
  /// - Parameter element: the current element's first byte, nil before the first.
  @inline(never)
  mutating func nextElement(_ element: inout JSONBytes?) -> Bool {
    var place = cursor
    if let element {
      if place == element, place < end { skipValue() }
      place = cursor.afterSpace(before: end)
      switch place.byte(before: end) {
      case 0x2c: place = (place + 1).afterSpace(before: end)
      case 0x5d: return endContainer(place) >= 0
      default: return failMember(place, "a comma or ']'") >= 0
      }
    } else if place.byte(before: end) == 0x5d {
      return endContainer(place) >= 0
    }
    cursor = place
    element = place
    return !isStopped
  }

  /// Reads an object of any keys, in the order of the document. A key that comes twice is a defect at its second value,
  /// which is skipped.
  ///
  /// - Parameter member: reads the value and returns true, or returns false at once for a key that it had before.
  mutating func members(_ member: (inout JSONReader, String) -> Bool) -> Bool {
    guard open(0x7b, "an object") else { return false }
    let object = latest
    var isFirst = true
    while nextKey(isFirst: isFirst) {
      isFirst = false
      // A key with broken characters is recorded as such, and its value is skipped.
      let key = string()
      guard passColon() else { return false }
      let value = cursor
      guard let key else {
        skipValue()
        continue
      }
      if !member(&self, key) {
        skipValue()
        record(at: value, .value) { "duplicate key \(JSONMessage.quoted(key))" }
      }
    }
    latest = object
    return !isStopped
  }

  private mutating func nextKey(isFirst: Bool) -> Bool {
    var place = cursor.afterSpace(before: end)
    let byte = place.byte(before: end)
    if byte == 0x7d { return endContainer(place) >= 0 }
    if !isFirst {
      guard byte == 0x2c else { return failMember(place, "a comma or '}'") >= 0 }
      place = (place + 1).afterSpace(before: end)
    }
    guard place.byte(before: end) == 0x22 else { return failMember(place, "a key") >= 0 }
    cursor = place
    return true
  }

  private mutating func passColon() -> Bool {
    let place = cursor.afterSpace(before: end)
    guard place.byte(before: end) == 0x3a else { return failMember(place, "a colon") >= 0 }
    cursor = (place + 1).afterSpace(before: end)
    return true
  }
}
