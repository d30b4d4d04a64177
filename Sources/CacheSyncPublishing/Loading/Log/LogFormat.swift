import CacheSync
import CacheSyncSystem

/// The bytes of a ``LastGoodLog``: a header, then records of
///
///     length: u32 of all that follows the checksum; checksum: u64; type: u8; path length: u32; path; 5 × i64; document
///
/// in the byte order of the machine, because the log never leaves it.
enum LogFormat {
  static let header = Array("CacheSync sessions 1\n".utf8)

  enum RecordType: UInt8 { case session = 1, removed = 2, present = 3, generation = 4 }

  enum Record {
    case session(CachePath, FileIdentity, Range<Int>)
    case removed(CachePath)
    case present(FeedName)
    /// Its path is the number, in digits.
    case generation(Int)
  }

  private static let prefix = 12
  private static let identityBytes = 40

  static func hasHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= header.count && bytes[..<header.count].elementsEqual(header)
  }

  /// How many bytes a session's record takes.
  static func size(of documentCount: Int, at path: CachePath) -> Int {
    prefix + 5 + path.bytes.count + identityBytes + documentCount
  }

  /// Returns how many bytes the record takes that begins here. If the piece is too short to contain the length, returns
  /// how many bytes are required to read it.
  static func size(ofRecordIn bytes: UnsafeRawBufferPointer) -> Int {
    bytes.count < prefix ? prefix : prefix + Int(bytes.loadUnaligned(as: UInt32.self))
  }

  /// Calls `body` with every intact record and the offset of its end, up to the first damaged one.
  static func scan(_ bytes: UnsafeRawBufferPointer, from start: Int, _ body: (Record, Int) -> Void) {
    var start = start
    while start + prefix <= bytes.count {
      let length = Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
      let content = start + prefix
      guard length >= 5, content + length <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt64.self)
          == checksum(UnsafeRawBufferPointer(rebasing: bytes[content..<content + length])),
        let record = record(in: bytes, content..<content + length)
      else { return }
      start = content + length
      body(record, start)
    }
  }

  private static func record(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Record? {
    let pathStart = range.lowerBound + 5
    let pathEnd = pathStart + Int(bytes.loadUnaligned(fromByteOffset: range.lowerBound + 1, as: UInt32.self))
    guard pathEnd <= range.upperBound else { return nil }
    let path = Array(bytes[pathStart..<pathEnd])
    switch RecordType(rawValue: bytes[range.lowerBound]) {
    case .session:
      guard pathEnd + identityBytes <= range.upperBound else { return nil }
      func number(_ index: Int) -> Int64 { bytes.loadUnaligned(fromByteOffset: pathEnd + 8 * index, as: Int64.self) }
      let identity = FileIdentity(
        device: UInt64(bitPattern: number(0)), inode: UInt64(bitPattern: number(1)), size: number(2),
        modifiedNanoseconds: number(3), changedNanoseconds: number(4))
      return .session(CachePath(bytes: path), identity, pathEnd + identityBytes..<range.upperBound)
    case .removed: return .removed(CachePath(bytes: path))
    case .present: return .present(FeedName(String(decoding: path, as: UTF8.self)))
    case .generation: return Int(String(decoding: path, as: UTF8.self)).map(Record.generation)
    case nil: return nil
    }
  }

  /// Distinguishes an intact record from one that a crash cut off. It does not protect against forgery: no other user
  /// may enter the directory.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)  // 2^64 / the golden ratio, as in splitmix64
    var index = 0
    func mix(_ word: UInt64) {
      hash = (hash ^ word) &* 0xBF58_476D_1CE4_E5B9
      hash ^= hash >> 29
    }
    while index + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    while index < bytes.count {
      mix(UInt64(bytes[index]))
      index += 1
    }
    return hash
  }

  /// Encodes records that the next save writes to the log.
  struct Writer {
    /// Pieces of whole records. One growing array would be copied again and again: a first start stores thousands of
    /// records.
    private(set) var pieces: [[UInt8]] = []
    private(set) var byteCount = 0

    private static let pieceBytes = 1 << 16

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(_ later: Writer) {
      pieces += later.pieces
      byteCount += later.byteCount
    }

    mutating func append(_ type: RecordType, path: [UInt8]) {
      append(type, path: path, identity: nil, document: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    mutating func append(_ type: RecordType, path: [UInt8], identity: FileIdentity, document: [UInt8]) {
      document.withUnsafeBytes { append(type, path: path, identity: identity, document: $0) }
    }

    private mutating func append(
      _ type: RecordType, path: [UInt8], identity: FileIdentity?, document: UnsafeRawBufferPointer
    ) {
      if pieces.last.map({ $0.count >= Self.pieceBytes }) ?? true { pieces.append([]) }
      byteCount += Self.append(type, path, identity, document, to: &pieces[pieces.count - 1])
    }

    private static func append(
      _ type: RecordType, _ path: [UInt8], _ identity: FileIdentity?, _ document: UnsafeRawBufferPointer,
      to bytes: inout [UInt8]
    ) -> Int {
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: LogFormat.prefix))
      bytes.append(type.rawValue)
      append(UInt32(path.count), to: &bytes)
      bytes.append(contentsOf: path)
      if let identity {
        for number in [Int64(bitPattern: identity.device), Int64(bitPattern: identity.inode), identity.size] {
          append(number, to: &bytes)
        }
        append(identity.modifiedNanoseconds, to: &bytes)
        append(identity.changedNanoseconds, to: &bytes)
        bytes.append(contentsOf: document)
      }
      let content = start + LogFormat.prefix
      let sum = bytes.withUnsafeBytes { LogFormat.checksum(UnsafeRawBufferPointer(rebasing: $0[content...])) }
      let length = UInt32(bytes.count - content)
      bytes.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: length, toByteOffset: start, as: UInt32.self)
        bytes.storeBytes(of: sum, toByteOffset: start + 4, as: UInt64.self)
      }
      return bytes.count - start
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
  }
}
