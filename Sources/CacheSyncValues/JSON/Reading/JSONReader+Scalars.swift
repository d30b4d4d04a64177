import CacheSyncSystem

extension JSONReader {
  /// The kind of a value by its first byte.
  package enum Kind: Sendable {
    case object, array, string, number, bool, null
    /// Not a value: the next call finds a syntax error.
    case invalid

    /// Whether the first byte alone determines the kind.
    fileprivate var isSettled: Bool {
      switch self {
      case .object, .array, .string, .number: true
      case .bool, .null, .invalid: false
      }
    }
  }

  // These three are mutating, because another library copies the reader for a call that is not.

  /// The kind of the value about to be read; nothing is consumed.
  package var next: Kind {
    mutating get {
      switch cursor.byte(before: end) {
      case 0x7b: .object
      case 0x5b: .array
      case 0x22: .string
      case 0x2d, 0x30...0x39: .number
      case 0x74, 0x66: .bool
      case 0x6e: .null
      default: .invalid
      }
    }
  }

  /// The offset of the value about to be read.
  package var valueOffset: Int { mutating get { cursor - start } }

  /// The value just read, as written in the document.
  var writtenValue: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: latest, count: cursor - latest) }

  /// The same, cut to the length of a message.
  package var valueText: String { JSONMessage.cut(writtenValue) }

  /// Whether the value just read is the empty string.
  package var isEmptyString: Bool { mutating get { cursor - latest == 2 && latest.pointee == 0x22 } }

  /// Records a defect at the value just read, or at `offset`: for rules between fields, such as an end before its
  /// start.
  ///
  /// - Parameter message: one line, without bytes of the document that might not be printable.
  package mutating func fail(_ message: String, at offset: Int? = nil) {
    record(at: offset.map { start + $0 } ?? latest, .value) { message }
  }

  /// Reads `true` or `false`.
  package mutating func bool() -> Bool? {
    let byte = cursor.byte(before: end)
    guard byte == 0x74 || byte == 0x66 else {
      mismatch("true or false")
      return nil
    }
    guard let after = afterLiteral(cursor) else { return nil }
    latest = cursor
    cursor = after
    return byte == 0x74
  }

  /// Reads a whole number, which may be written `2.0` or `2e0`.
  @inline(never)
  package mutating func integer(in range: ClosedRange<Int> = .min ... .max) -> Int? {
    let end = self.end
    let isNegative = cursor.byte(before: end) == 0x2d
    let digits = isNegative ? cursor + 1 : cursor
    var place = digits
    var value = 0
    while place < end, place.pointee &- 0x30 < 10 {
      value = value &* 10 &+ Int(place.pointee &- 0x30)
      place += 1
    }
    let count = place - digits
    let byte = place.byte(before: end)
    // 18 digits fit. The slow path handles what is longer, has a fraction, an exponent or a needless zero, or is not a
    // number.
    guard count > 0, count <= 18, byte != 0x2e, byte | 0x20 != 0x65, count == 1 || digits.pointee != 0x30 else {
      return longInteger(in: range)
    }
    if isNegative { value = 0 &- value }
    latest = cursor
    cursor = place
    if range.contains(value) { return value }
    failNumber(JSONMessage.wholeNumber(range))
    return nil
  }

  @inline(never)
  private mutating func longInteger(in range: ClosedRange<Int>) -> Int? {
    guard let number = longNumber(JSONMessage.wholeNumber(range)) else { return nil }
    switch number.whole {
    case .value(let value) where range.contains(value): return value
    case .value, .tooLarge, .fraction: failNumber(JSONMessage.wholeNumber(range))
    }
    return nil
  }

  /// Reads one of two whole numbers.
  package mutating func integer(_ first: Int, or second: Int) -> Int? {
    guard let value = integer() else { return nil }
    if value == first || value == second { return value }
    failNumber("\(first) or \(second)")
    return nil
  }

  /// Reads a whole number of any size, as its decimal digits.
  mutating func integerDigits() -> String? {
    let expected = "a whole number or a string"
    guard let number = longNumber(expected) else { return nil }
    if let digits = number.wholeDigits { return digits }
    failNumber(expected)
    return nil
  }

  /// Reads a number, correctly rounded. A number beyond every double is a range defect.
  @inline(never)
  package mutating func number(
    in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) -> Double? {
    guard let number = longNumber(JSONMessage.number(range)) else { return nil }
    let value = number.double
    if range.contains(value) { return value }
    if value.isFinite {
      failNumber(JSONMessage.number(range))
    } else {
      record(at: latest, .value) { "number too large" }
    }
    return nil
  }

  @inline(__always)
  private mutating func longNumber(_ expected: @autoclosure () -> String) -> JSONNumber? {
    let place = cursor
    let byte = place.byte(before: end)
    guard byte == 0x2d || byte &- 0x30 < 10 else {
      mismatch(expected())
      return nil
    }
    guard let after = afterNumber(place) else { return nil }
    latest = place
    cursor = after
    return JSONNumber(UnsafeBufferPointer(start: place, count: after - place))
  }

  /// Records that the number just read is out of range, or not whole.
  @inline(never)
  private mutating func failNumber(_ expected: @autoclosure () -> String) {
    let text = UnsafeBufferPointer(start: latest, count: cursor - latest)
    record(at: latest, .value) { "expected \(expected()), found \(JSONMessage.cut(text))" }
  }

  /// Records that a value is of the wrong type, and skips it.
  @inline(never)
  package mutating func mismatch(_ expected: @autoclosure () -> String) {
    let place = cursor
    let byte = place.byte(before: end)
    let kind = next
    func message() -> String { "expected \(expected()), found \(JSONMessage.kind(kind, byte))" }
    // The first byte determines the kind, even of a value that is broken further on. Only a word may turn out not to be
    // a value.
    if kind.isSettled {
      recordAtOnce(place, message)
      skipValue()
    } else {
      skipValue()
      record(at: place, .value, message)
    }
  }

  /// From the first byte of a number, a minus or a digit, to the byte after it; nil at a syntax error.
  @inline(__always)
  mutating func afterNumber(_ start: JSONBytes) -> JSONBytes? {
    let end = self.end
    var place = start.pointee == 0x2d ? start + 1 : start
    if place.byte(before: end) == 0x30 {
      place += 1
    } else {
      let digits = place
      place = digits.afterDigits(before: end)
      if place == digits { return failNumberSyntax(place) }
    }
    if place.byte(before: end) == 0x2e {
      let digits = place + 1
      place = digits.afterDigits(before: end)
      if place == digits { return failNumberSyntax(place) }
    }
    if place.byte(before: end) | 0x20 == 0x65 {
      var digits = place + 1
      let sign = digits.byte(before: end)
      if sign == 0x2b || sign == 0x2d { digits += 1 }
      place = digits.afterDigits(before: end)
      if place == digits { return failNumberSyntax(place) }
    }
    return place
  }

  @inline(never)
  private mutating func failNumberSyntax(_ place: JSONBytes) -> JSONBytes? {
    stop(at: place, expecting: "a digit")
    return nil
  }
}

// The values that the files of all feeds share: paths, lists and ids.

extension JSONReader {
  /// Reads a relative path in the cache.
  package mutating func relativePath() -> String? {
    stringBytes("a relative path in the cache such as tasks/anna, without . and ..") { text in
      CachePath(relative: text).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
  }

  /// Reads an id: a whole number or a text.
  package mutating func recordID() -> RecordID? {
    next == .number ? integerDigits().map { RecordID(digits: $0) } : string().map { RecordID($0) }
  }
}
