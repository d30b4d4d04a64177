/// A buffer for unescaped strings; each overwrites the previous one.
struct JSONScratch: ~Copyable {
  private(set) var bytes: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  /// A buffer of at least that many bytes; its earlier content is lost.
  mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if let bytes, capacity >= count { return bytes }
    bytes?.deallocate()
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 256))
    capacity = max(count, 256)
    bytes = new
    return new
  }

  deinit {
    bytes?.deallocate()
  }
}

extension JSONReader {
  /// Unescapes the text between two quotes, which a scan has found valid.
  @inline(never)
  mutating func unescape(_ start: JSONBytes, _ quote: JSONBytes) -> UnsafeBufferPointer<UInt8> {
    // An escape is never shorter than its result.
    let first = scratch.reserve(quote - start)
    var out = first
    var place = start
    func put(_ byte: UInt8) {
      out.pointee = byte
      out += 1
    }
    while place < quote {
      guard place.pointee == 0x5c else {
        put(place.pointee)
        place += 1
        continue
      }
      let letter = place[1]
      place += 2
      switch letter {
      case 0x62: put(0x08)
      case 0x66: put(0x0c)
      case 0x6e: put(0x0a)
      case 0x72: put(0x0d)
      case 0x74: put(0x09)
      case 0x75:
        guard case .value(var code) = place.hexadecimal(before: quote) else { continue }
        place += 4
        if code & 0xfc00 == 0xd800, case .value(let low) = (place + 2).hexadecimal(before: quote) {
          code = 0x10000 + ((code & 0x3ff) << 10 | low & 0x3ff)
          place += 6
        }
        // The scan has rejected lone surrogates, so this is a scalar.
        for byte in UTF8.encode(Unicode.Scalar(code) ?? "\u{fffd}") ?? UTF8.encodedReplacementCharacter { put(byte) }
      default: put(letter)
      }
    }
    return UnsafeBufferPointer(start: first, count: out - first)
  }
}
