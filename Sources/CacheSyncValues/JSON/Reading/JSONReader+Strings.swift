extension JSONReader {
  /// What a scan found in a string.
  enum Text {
    /// The bytes between the quotes are the text.
    case plain
    case escaped
    /// Broken UTF-8 or a lone surrogate, which is recorded.
    case broken
  }

  /// Reads a string.
  package mutating func string() -> String? {
    guard let quote = stringEnd("a string") else { return nil }
    return String(decoding: unescaped(latest + 1, quote), as: UTF8.self)
  }

  /// Reads a string and passes its unescaped UTF-8 to `parse`. If that returns nil, the string is a range defect:
  /// "expected a date, found "2026-13-01"".
  ///
  /// - Parameters:
  ///   - expected: what the string should be, with its article.
  ///   - parse: must not keep the buffer.
  @inline(__always)
  package mutating func stringBytes<T>(
    _ expected: StaticString, _ parse: (UnsafeBufferPointer<UInt8>) -> T?
  ) -> T? {
    guard let quote = stringEnd(expected) else { return nil }
    if let value = parse(unescaped(latest + 1, quote)) { return value }
    failString("\(expected)", quote)
    return nil
  }

  /// Records what leaves out the record being read, unless something did already.
  mutating func exclude(at offset: Int, _ message: @autoclosure () -> String) {
    guard exclusions.count == exclusionMark else { return }
    exclusions.append(JSONDefect(offset: offset, message: message(), place: .value))
  }

  /// Makes the unknown word that was just read a defect of the file.
  package mutating func refuseUnknownWord(_ expected: StaticString) {
    guard exclusions.last?.offset == latest - start else { return }
    exclusions.removeLast()
    fail("expected \(expected), found \(valueText)")
  }

  /// Records a warning at the value that begins at `offset`.
  package mutating func warn(_ message: String, at offset: Int) {
    if !isStopped { warnings.insert(JSONDefect(offset: offset, message: message, place: .value)) }
  }

  /// Reads a listed word and returns its index.
  package mutating func word(_ names: JSONNames, named name: String = "word") -> Int? {
    word(named: name, choice: names.choice) { names.index(of: $0) }
  }

  package mutating func word(_ texts: JSONTexts, named name: String) -> Int? {
    word(named: name, choice: texts.choice) { texts.index(of: $0) }
  }

  private mutating func word(
    named name: String, choice: @autoclosure () -> String, _ find: (UnsafeBufferPointer<UInt8>) -> Int?
  ) -> Int? {
    guard cursor.byte(before: end) == 0x22 else {
      mismatch(choice())
      return nil
    }
    guard let quote = stringEnd("a string") else { return nil }
    let text = unescaped(latest + 1, quote)
    if let word = find(text) { return word }
    guard exclusionMark >= 0 else {
      failString(choice(), quote)
      return nil
    }
    exclude(at: latest - start, "unknown \(name) \(JSONMessage.quoted(text))")
    return nil
  }

  @inline(never)
  private mutating func failString(_ expected: @autoclosure () -> String, _ quote: JSONBytes) {
    let found = unescaped(latest + 1, quote)
    record(at: latest, .value) { "expected \(expected()), found \(JSONMessage.quoted(found))" }
  }

  /// Consumes a string.
  ///
  /// - Returns: its closing quote; nil if there is no string, or an invalid one.
  @inline(__always)
  private mutating func stringEnd(_ expected: StaticString) -> JSONBytes? {
    let place = cursor
    guard place.byte(before: end) == 0x22 else {
      mismatch("\(expected)")
      return nil
    }
    latest = place
    guard let quote = closingQuote(from: place + 1) else { return nil }
    cursor = quote + 1
    return text == .broken ? nil : quote
  }

  // MARK: Scanning

  /// Scans from the first byte of a string's text to its closing quote, and sets ``text`` to what it found; nil at a
  /// syntax error.
  @inline(__always)
  mutating func closingQuote(from start: JSONBytes) -> JSONBytes? {
    let place = start.afterPlainText(before: end)
    text = .plain
    if place.byte(before: end) == 0x22 { return place }
    return slowClosingQuote(from: place)
  }

  @inline(never)
  private mutating func slowClosingQuote(from start: JSONBytes) -> JSONBytes? {
    let end = self.end
    var place = start
    while place < end {
      switch place.pointee {
      case 0x22:
        return place
      case 0x5c:
        if text == .plain { text = .escaped }
        guard let after = afterEscape(place) else { return nil }
        place = after
      case 0x80...:
        let length = place.sequenceLength(before: end)
        place = length > 0 ? place + length : afterBroken(place)
        if place < end, place.pointee >= 0x80 { continue }
      default:
        let byte = place.pointee
        stop(at: place) { "unescaped control character \(JSONMessage.hexadecimal(byte)) in a string" }
        return nil
      }
      place = place.afterPlainText(before: end)
    }
    stop(at: end, expecting: "a quote")
    return nil
  }

  /// Records a broken UTF-8 sequence and skips it: its lead byte and the continuation bytes after it.
  @inline(never)
  private mutating func afterBroken(_ start: JSONBytes) -> JSONBytes {
    text = .broken
    record(at: start, .document) { "broken UTF-8" }
    var place = start + 1
    while place < end, place - start < 4, place.pointee & 0xc0 == 0x80 { place += 1 }
    return place
  }

  /// From the backslash of an escape, or of a pair of surrogate escapes, to the byte after it; nil at a syntax error.
  private mutating func afterEscape(_ start: JSONBytes) -> JSONBytes? {
    switch (start + 1).byte(before: end) {
    case 0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74:
      return start + 2
    case 0x75:
      let value: UInt32
      switch (start + 2).hexadecimal(before: end) {
      case .bad(let count):
        stop(at: start + 2 + count, expecting: "a hexadecimal digit")
        return nil
      case .value(let number):
        value = number
      }
      let next = start + 6
      guard value & 0xf800 == 0xd800 else { return next }
      if value < 0xdc00, lowSurrogate(next) != nil { return next + 6 }
      // A document that ends within a possible second half is cut off there; that is its only defect.
      if value < 0xdc00, isPartOfLowSurrogate(next) { return next }
      text = .broken
      record(at: start, .document) { "lone surrogate escape" }
      return next
    default:
      stop(at: start + 1, expecting: "an escape")
      return nil
    }
  }

  /// Whether the document ends here, or within what may be the beginning of an escaped low surrogate.
  private func isPartOfLowSurrogate(_ place: JSONBytes) -> Bool {
    guard end - place < 6 else { return false }
    let parts: [[UInt8]] = [Array("\\".utf8), Array("u".utf8), Array("dD".utf8), Array("cdefCDEF".utf8)]
    return (0..<end - place).allSatisfy { index in
      index < parts.count ? parts[index].contains(place[index]) : Self.isHexadecimal(place[index])
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
  }

  /// The low surrogate that is escaped here.
  private func lowSurrogate(_ place: JSONBytes) -> UInt32? {
    guard place.byte(before: end) == 0x5c, (place + 1).byte(before: end) == 0x75,
      case .value(let value) = (place + 2).hexadecimal(before: end), value & 0xfc00 == 0xdc00
    else { return nil }
    return value
  }

  /// The text between two quotes that a scan found valid: the document's own bytes if there are no escapes, or else the
  /// scratch buffer, which the next string overwrites.
  @inline(__always)
  mutating func unescaped(_ start: JSONBytes, _ quote: JSONBytes) -> UnsafeBufferPointer<UInt8> {
    text == .plain ? UnsafeBufferPointer(start: start, count: quote - start) : unescape(start, quote)
  }
}
