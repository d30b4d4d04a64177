/// The content lines of a calendar (RFC 5545, 3.1), in the forms that real programs write: CRLF or LF, a byte-order
/// mark, white space before the first line, empty lines, and folds at any byte, even inside a character.
enum ContentLines {
  /// Passes each line to `receive`, unfolded, as UTF-8.
  ///
  /// - Throws: the error of `receive`, or the place of the first byte that is not UTF-8 in its unfolded line.
  static func read(
    _ document: UnsafeBufferPointer<UInt8>, _ receive: (ContentLine) throws(CalendarDefect) -> Void
  ) throws(CalendarDefect) {
    var position = document.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = 1
    // A blank there would continue a line that does not exist.
    while position < document.count, document[position] == 0x20 || (0x09...0x0D).contains(document[position]) {
      if document[position] == 0x0A { number += 1 }
      position += 1
    }
    var unfolded: [UInt8] = []
    while position < document.count {
      let start = position
      let first = number
      let line = physicalLine(document, at: &position)
      number += 1
      if line.isEmpty { continue }
      if isFold(document, at: position) {
        unfolded.removeAll(keepingCapacity: true)
        unfolded.append(contentsOf: line)
        while isFold(document, at: position) {
          position += 1
          unfolded.append(contentsOf: physicalLine(document, at: &position))
          number += 1
        }
        try unfolded.withUnsafeBufferPointer { line throws(CalendarDefect) in
          try give(line, number: first, offset: start, document, receive)
        }
      } else {
        try give(line, number: first, offset: start, document, receive)
      }
    }
  }

  private static func give(
    _ line: UnsafeBufferPointer<UInt8>, number: Int, offset: Int, _ document: UnsafeBufferPointer<UInt8>,
    _ receive: (ContentLine) throws(CalendarDefect) -> Void
  ) throws(CalendarDefect) {
    if let broken = firstBrokenByte(line) {
      let place = place(ofUnfolded: broken, offset: offset, document)
      throw CalendarDefect(
        line: number + place.line, column: place.column, "broken UTF-8: save the calendar as UTF-8")
    }
    try receive(ContentLine(line, number: number, offset: offset))
  }

  /// The bytes up to the line's end; `position` moves past it.
  private static func physicalLine(
    _ document: UnsafeBufferPointer<UInt8>, at position: inout Int
  ) -> UnsafeBufferPointer<UInt8> {
    let rest = UnsafeBufferPointer(rebasing: document[position...])
    var length = rest.count
    if let base = rest.baseAddress, let end = lineFeed(from: base, count: rest.count) {
      length = end - UnsafeRawPointer(base)
      position += length + 1
    } else {
      position = document.count
    }
    // CR CR LF too: a text with CRLF that was converted again.
    while length > 0, rest[length - 1] == 0x0D { length -= 1 }
    return UnsafeBufferPointer(rebasing: rest[..<length])
  }

  private static func isFold(_ document: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    position < document.count && (document[position] == UInt8(ascii: " ") || document[position] == UInt8(ascii: "\t"))
  }

  private static func firstBrokenByte(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = line.baseAddress else { return nil }
    var index = 0
    while index < line.count {
      if line[index] < 0x80 {
        index += 1
      } else {
        let length = (base + index).sequenceLength(before: base + line.count)
        if length == 0 { return index }
        index += length
      }
    }
    return nil
  }

  /// The place in the document of a byte of an unfolded line: how many physical lines further, and the column from 1.
  private static func place(
    ofUnfolded index: Int, offset: Int, _ document: UnsafeBufferPointer<UInt8>
  ) -> (line: Int, column: Int) {
    var position = offset
    var rest = index
    var line = 0
    while position < document.count {
      // A continued line begins with the blank of its fold.
      let blank = line == 0 ? 0 : 1
      position += blank
      let length = physicalLine(document, at: &position).count
      if rest < length { return (line, rest + blank + 1) }
      rest -= length
      line += 1
    }
    return (line, 1)
  }
}
