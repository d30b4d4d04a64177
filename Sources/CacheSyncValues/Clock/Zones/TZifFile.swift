/// The offsets in a TZif file (RFC 8536, RFC 9636; versions 1 to 4).
///
/// Reading rejects everything malformed and never goes past the bytes. Names of local time ("CEST"), daylight flags and
/// the standard/UT indicators are not needed, so only their place is checked. Files that count leap seconds (those
/// under `right/`) are rejected: their time line is not UTC as the wall clock counts it.
struct TZifFile {
  /// Seconds since 1970, strictly ascending.
  var times: [Int64]
  /// Seconds east from each of `times`.
  var offsets: [Int]
  /// Seconds east before the first of `times`: type 0 (RFC 8536, 3.2).
  var initialOffset: Int
  /// The POSIX string, a valid one, for the time after the last of `times`; nil if the file has none.
  var footer: String?

  /// The valid range of seconds east (RFC 8536, 3.2: "SHOULD be between -89999 and 93599"); beyond it the file is
  /// damaged.
  static let plausibleOffsets = -89_999...93_599

  /// Reads such a file; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard let file = bytes.withUnsafeBufferPointer({ TZifFile.parse($0) }) else { return nil }
    self = file
  }

  private init(block: Block, footer: String?) {
    times = block.times
    offsets = block.offsets
    initialOffset = block.initialOffset
    self.footer = footer
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> TZifFile? {
    guard let first = Header(bytes, at: 0) else { return nil }
    if first.version == 0 {
      return Block(bytes, header: first, at: Header.length, timeSize: 4).map { TZifFile(block: $0, footer: nil) }
    }
    // From version 2 the 32-bit block is for old readers, and may be empty; only its length matters.
    let secondAt = Header.length + first.blockLength(timeSize: 4)
    guard let second = Header(bytes, at: secondAt), second.version == first.version,
      let block = Block(bytes, header: second, at: secondAt + Header.length, timeSize: 8)
    else { return nil }

    let footerAt = secondAt + Header.length + second.blockLength(timeSize: 8)
    guard footerAt < bytes.count, bytes[footerAt] == UInt8(ascii: "\n"),
      let end = bytes[(footerAt + 1)...].firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    if end == footerAt + 1 { return TZifFile(block: block, footer: nil) }
    let text = String(decoding: bytes[(footerAt + 1)..<end], as: UTF8.self)
    guard PosixZone(text) != nil else { return nil }
    return TZifFile(block: block, footer: text)
  }
}

/// The 44 bytes before each block.
private struct Header {
  static let length = 44

  /// 0 for version 1, otherwise the digit's byte.
  let version: UInt8
  let utCount, standardCount, leapCount, timeCount, typeCount, characterCount: Int

  init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
    guard start >= 0, start <= bytes.count - Header.length,
      bytes[start..<(start + 4)].elementsEqual("TZif".utf8)
    else { return nil }
    version = bytes[start + 4]
    // Later versions must stay readable for older readers.
    guard version == 0 || (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(version) else { return nil }
    func count(_ index: Int) -> Int { Int(bigEndian(bytes, at: start + 20 + 4 * index, size: 4) & 0xFFFF_FFFF) }
    utCount = count(0)
    standardCount = count(1)
    leapCount = count(2)
    timeCount = count(3)
    typeCount = count(4)
    characterCount = count(5)
  }

  /// Six counts of at most 2^32, each times at most 12 bytes, cannot overflow an Int.
  func blockLength(timeSize: Int) -> Int {
    timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + standardCount + utCount
  }
}

/// The data block after a header.
private struct Block {
  var times: [Int64] = []
  var offsets: [Int] = []
  let initialOffset: Int

  init?(_ bytes: UnsafeBufferPointer<UInt8>, header: Header, at start: Int, timeSize: Int) {
    // The block is inside the bytes, so no index below can leave them.
    guard header.blockLength(timeSize: timeSize) <= bytes.count - start,
      header.leapCount == 0, (1...256).contains(header.typeCount), header.characterCount >= 1,
      header.utCount == 0 || header.utCount == header.typeCount,
      header.standardCount == 0 || header.standardCount == header.typeCount
    else { return nil }

    let indexesAt = start + header.timeCount * timeSize
    let typesAt = indexesAt + header.timeCount
    let charactersAt = typesAt + header.typeCount * 6
    guard bytes[charactersAt + header.characterCount - 1] == 0 else { return nil }
    var typeOffsets: [Int] = []
    typeOffsets.reserveCapacity(header.typeCount)
    for type in 0..<header.typeCount {
      let at = typesAt + 6 * type
      let offset = Int(bigEndian(bytes, at: at, size: 4))
      guard TZifFile.plausibleOffsets.contains(offset), bytes[at + 4] <= 1, bytes[at + 5] < header.characterCount
      else { return nil }
      typeOffsets.append(offset)
    }

    initialOffset = typeOffsets[0]
    times.reserveCapacity(header.timeCount)
    offsets.reserveCapacity(header.timeCount)
    for index in 0..<header.timeCount {
      let time = bigEndian(bytes, at: start + index * timeSize, size: timeSize)
      let type = Int(bytes[indexesAt + index])
      guard type < header.typeCount, times.last.map({ $0 < time }) ?? true else { return nil }
      times.append(time)
      offsets.append(typeOffsets[type])
    }
  }
}

/// A signed big-endian number of four or eight bytes. The caller has checked that they exist.
private func bigEndian(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, size: Int) -> Int64 {
  var value: UInt64 = 0
  for index in start..<(start + size) { value = value << 8 | UInt64(bytes[index]) }
  return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(truncatingIfNeeded: value)
}
