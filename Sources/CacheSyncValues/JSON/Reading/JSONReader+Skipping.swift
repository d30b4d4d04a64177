extension JSONReader {
  /// Skips the value about to be read. It checks the syntax, but not keys and numbers. It does not recurse, however
  /// deep the value is, and stops the reading at a syntax error.
  @inline(never)
  package mutating func skipValue() {
    let end = self.end
    let base = depth
    var level = depth
    var isObject = false
    // A bit for each level: whether the level around it is an object.
    var around = InlineArray<8, UInt64>(repeating: 0)
    var place = cursor
    latest = place
    while true {
      switch place.byte(before: end) {
      case 0x22:
        guard let quote = closingQuote(from: place + 1) else { return }
        place = quote + 1
      case 0x7b, 0x5b:
        let opensObject = place.pointee == 0x7b
        guard level < Self.deepest else { return stopTooDeep(at: place) }
        let bit: UInt64 = 1 &<< UInt64(level & 63)
        if isObject { around[level &>> 6] |= bit } else { around[level &>> 6] &= ~bit }
        level &+= 1
        isObject = opensObject
        place = (place + 1).afterSpace(before: end)
        if place.byte(before: end) != (opensObject ? 0x7d : 0x5d) {
          if opensObject {
            guard let key = afterKey(place) else { return }
            place = key.value
          }
          continue
        }
        place += 1
        level &-= 1
        isObject = around[level &>> 6] & bit != 0
      case 0x2d, 0x30...0x39:
        guard let after = afterNumber(place) else { return }
        place = after
      case 0x74, 0x66, 0x6e:
        guard let after = afterLiteral(place) else { return }
        place = after
      default:
        return stop(at: place, expecting: "a value")
      }
      // After a value.
      while level > base {
        place = place.afterSpace(before: end)
        let byte = place.byte(before: end)
        if byte == 0x2c {
          place = (place + 1).afterSpace(before: end)
          if isObject {
            guard let key = afterKey(place) else { return }
            place = key.value
          }
          break
        }
        guard byte == (isObject ? 0x7d : 0x5d) else {
          return stop(at: place, expecting: isObject ? "a comma or '}'" : "a comma or ']'")
        }
        place += 1
        level &-= 1
        isObject = around[level &>> 6] & (1 &<< UInt64(level & 63)) != 0
      }
      if level == base {
        cursor = place
        return
      }
    }
  }

  @inline(never)
  private mutating func stopTooDeep(at place: JSONBytes) {
    stop(at: place) { "nesting deeper than \(Self.deepest) levels" }
  }

  /// From a key's opening quote to the byte after its closing one, and to its value; nil at a syntax error.
  @inline(__always)
  mutating func afterKey(_ start: JSONBytes) -> (end: JSONBytes, value: JSONBytes)? {
    guard start.byte(before: end) == 0x22 else {
      stop(at: start, expecting: "a key")
      return nil
    }
    return closingQuote(from: start + 1).flatMap { afterKey(endingAt: $0) }
  }

  /// From a key's closing quote to the byte after it, and to its value; nil at a syntax error.
  @inline(__always)
  mutating func afterKey(endingAt quote: JSONBytes) -> (end: JSONBytes, value: JSONBytes)? {
    let place = (quote + 1).afterSpace(before: end)
    guard place.byte(before: end) == 0x3a else {
      stop(at: place, expecting: "a colon")
      return nil
    }
    return (quote + 1, (place + 1).afterSpace(before: end))
  }

  /// From the first byte of `true`, `false` or `null` to the byte after it; nil at a syntax error.
  @inline(__always)
  mutating func afterLiteral(_ start: JSONBytes) -> JSONBytes? {
    let word = start.word(before: end)
    let four = UInt32(truncatingIfNeeded: word)
    if four == 0x6575_7274 || four == 0x6c6c_756e { return start + 4 }
    if word & 0xff_ffff_ffff == 0x65_736c_6166 { return start + 5 }
    return failLiteral(start)
  }

  @inline(never)
  private mutating func failLiteral(_ start: JSONBytes) -> JSONBytes? {
    let literal = start.pointee == 0x74 ? "true" : start.pointee == 0x66 ? "false" : "null"
    var place = start
    for byte in literal.utf8 {
      guard place.byte(before: end) == byte else { break }
      place += 1
    }
    stop(at: place, expecting: literal)
    return nil
  }
}

// For documents in which a later field decides how an earlier one is read, and for values whose place is needed later.

extension JSONReader {
  /// Reads ahead and returns to the start: nothing is consumed, and defects on the way are not recorded.
  package mutating func lookingAhead<Result>(_ read: (inout JSONReader) -> Result) -> Result {
    let (cursor, latest, text) = (cursor, latest, text)
    let (depth, isStopped, list, isPruning) = (depth, isStopped, list, isPruning)
    let (warnings, exclusions, noDates) = (warnings, exclusions, noDates)
    self.isPruning = false
    let result = read(&self)
    (self.cursor, self.latest, self.text) = (cursor, latest, text)
    (self.depth, self.isStopped, self.list, self.isPruning) = (depth, isStopped, list, isPruning)
    (self.warnings, self.exclusions, self.noDates) = (warnings, exclusions, noDates)
    return result
  }

  /// Whether the document ends here, after the value just read, and was valid JSON up to here.
  package var isCompleteAndValid: Bool {
    !isStopped && cursor.afterSpace(before: end) == end && !list.defects.contains { $0.place == .document }
  }

  /// The place of a value, for people: its offset is ``valueOffset`` before it is read.
  package func place(ofValueAt offset: Int) -> JSONPlace {
    JSONPlace.of(
      JSONDefect(offset: offset, message: "", place: .value),
      in: UnsafeRawBufferPointer(start: start, count: end - start))
  }
}
