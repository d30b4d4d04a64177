/// One content line of a calendar, unfolded: `NAME;PARAMETER=value:value` (RFC 5545, 3.1).
///
/// ``ContentLines`` owns the bytes; they are valid for one call only.
struct ContentLine {
  /// The physical line on which it begins, from 1.
  let number: Int
  /// The offset of that line in the document.
  let offset: Int
  let bytes: UnsafeBufferPointer<UInt8>
  private let nameEnd: Int
  /// The offset of the value; nil without a colon.
  private let valueStart: Int?

  init(_ bytes: UnsafeBufferPointer<UInt8>, number: Int, offset: Int) {
    self.bytes = bytes
    self.number = number
    self.offset = offset
    var index = 0
    while index < bytes.count, bytes[index] != UInt8(ascii: ":"), bytes[index] != UInt8(ascii: ";") { index += 1 }
    nameEnd = index
    var isQuoted = false
    while index < bytes.count, isQuoted || bytes[index] != UInt8(ascii: ":") {
      if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      index += 1
    }
    valueStart = index < bytes.count ? index + 1 : nil
  }

  var name: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[..<nameEnd]) }

  /// The text after the colon; nil without one.
  var value: UnsafeBufferPointer<UInt8>? { valueStart.map { UnsafeBufferPointer(rebasing: bytes[$0...]) } }

  /// The value of the first parameter with that name, without its quotes.
  func parameter(_ wanted: StaticString) -> UnsafeBufferPointer<UInt8>? {
    let end = valueStart.map { $0 - 1 } ?? bytes.count
    var index = nameEnd
    while index < end {
      index += 1
      let start = index
      while index < end, bytes[index] != UInt8(ascii: "="), bytes[index] != UInt8(ascii: ";") { index += 1 }
      let name = UnsafeBufferPointer(rebasing: bytes[start..<index])
      if index == end || bytes[index] == UInt8(ascii: ";") { continue }
      index += 1
      let valueStart = index
      var isQuoted = false
      while index < end, isQuoted || bytes[index] != UInt8(ascii: ";") {
        if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
        index += 1
      }
      guard name.isWord(wanted) else { continue }
      var value = bytes[valueStart..<index]
      if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
        value = value.dropFirst().dropLast()
      }
      return UnsafeBufferPointer(rebasing: value)
    }
    return nil
  }

  /// The addresses of an ATTENDEE who declined, in lower case; empty if another answer or none is given.
  var declinedAddresses: [ExactText] {
    guard parameter("PARTSTAT")?.isWord("DECLINED") == true else { return [] }
    var addresses = [parameter("EMAIL")].compactMap(\.self)
    let scheme = "MAILTO:".utf8
    if let value = value?.trimmed, value.count > scheme.count,
      UnsafeBufferPointer(rebasing: value.prefix(scheme.count)).isWord(Array(scheme))
    {
      addresses.append(UnsafeBufferPointer(rebasing: value[scheme.count...]))
    }
    return addresses.map { ExactText(String(decoding: $0.trimmed, as: UTF8.self).lowercased()) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes equal a word, in upper or lower case.
  ///
  /// - Parameter word: in upper case.
  func isWord(_ word: StaticString) -> Bool {
    isWord(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  func isWord(_ word: some RandomAccessCollection<UInt8>) -> Bool {
    guard count == word.count else { return false }
    return zip(self, word).allSatisfy { byte, wanted in
      let isLower = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
      return (isLower ? byte & 0xDF : byte) == wanted
    }
  }

  /// The bytes without blanks at either end.
  package var trimmed: UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = count
    while start < end, self[start] == UInt8(ascii: " ") || self[start] == UInt8(ascii: "\t") { start += 1 }
    while end > start, self[end - 1] == UInt8(ascii: " ") || self[end - 1] == UInt8(ascii: "\t") { end -= 1 }
    return UnsafeBufferPointer(rebasing: self[start..<end])
  }

  /// The values of a list of TEXT: between commas without a backslash, without blanks around them and empty ones.
  var textItems: [String] {
    var items: [String] = []
    var start = 0
    func add(to end: Int) {
      let item = UnsafeBufferPointer(rebasing: self[start..<end]).trimmed
      if !item.isEmpty { items.append(item.unescapedText) }
    }
    var index = 0
    while index < count {
      if self[index] == UInt8(ascii: ",") {
        add(to: index)
        start = index + 1
      }
      // A backslash escapes the next byte.
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    add(to: count)
    return items
  }

  /// A value of type TEXT (RFC 5545, 3.3.11): `\n` is a line break; a backslash before anything else is dropped.
  var unescapedText: String {
    guard contains(UInt8(ascii: "\\")) else { return String(decoding: self, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(count)
    var index = 0
    while index < count {
      if self[index] == UInt8(ascii: "\\"), index + 1 < count {
        index += 1
        text.append(self[index] | 0x20 == UInt8(ascii: "n") ? UInt8(ascii: "\n") : self[index])
      } else {
        text.append(self[index])
      }
      index += 1
    }
    return String(decoding: text, as: UTF8.self)
  }
}
