/// Reads one JSON document in one pass: it validates every byte strictly (RFC 8259 and UTF-8) while a decoder pulls the
/// values it wants, in the order in which the document has them, and skips the rest.
///
///     let document = JSONReader.read(bytes) { json in
///       var session = Session()
///       let whole = json.object(Key.self, required: [.id]) { json, key in
///         switch key {
///         case .id: session.id = json.string() ?? ""
///         case .note: session.note = json.string()
///         }
///       }
///       return whole ? session : nil
///     }
///
/// Each reading call consumes exactly one value. When the value is not what was asked for, the call records a defect,
/// skips the value and returns nil, and the reading goes on; a syntax error, or nesting deeper than
/// ``deepest`` levels, ends it: from then on every call returns nil at once and nothing more is recorded. Only whole
/// values are judged, so an object that is cut off lacks no fields.
///
/// No input makes it crash: it allocates nothing for what is skipped, and its depth is bounded.
package struct JSONReader: ~Copyable {
  /// The most levels of arrays and objects, counting the outermost (contract.md section 2).
  package static let deepest = 512

  /// How much a decoder should look at.
  package enum Wanted: Sendable {
    /// What the agent publishes from. Decoders skip fields that are documented but not needed.
    case needed
    /// Every documented field, as `check` does.
    case everything
  }

  /// What came out of one document.
  package struct Document<Value> {
    /// What the decoder returned; nil when there is any defect.
    package var value: Value?
    /// In ascending order of offsets; of more than 10,000 those with the least offsets.
    package var defects: [JSONDefect]
    /// The records that are left out while the rest counts, in ascending order of offsets; empty when there are defects.
    package var warnings: [JSONDefect]
    /// The document with each skipped member replaced by `"":0`, when that was asked for and there is no defect. The
    /// same decoder reads the same value from it.
    package var pruned: [UInt8]?
    /// The only feed whose kinds show the defects, when the decoder has set one.
    package var scope: FeedName?
  }

  /// Whether a key that the decoder does not read is a defect: set for the settings, where it is a typing mistake.
  package var rejectsUnknownKeys = false

  /// A decoder may say here that the document's defects concern the readers of one feed only.
  package var scope: FeedName?

  /// The decoder's caller decides; the reader does nothing with it.
  package let wanted: Wanted

  let start: JSONBytes
  let end: JSONBytes
  /// The first byte of the document's value.
  private var first: JSONBytes
  /// Between calls: the first byte of the value about to be read, or what follows the value just read.
  var cursor: JSONBytes
  /// The first byte of the value just read.
  var latest: JSONBytes
  /// Open arrays and objects.
  var depth = 0
  /// After a syntax error. The cursor is then at the end, so the good path need not look at this.
  var isStopped = false
  /// What the last string scan met.
  var text = Text.plain
  /// Not while looking ahead.
  var isPruning: Bool
  var list = JSONDefectList()
  var warnings = JSONWarningList()
  /// Whether the value being read belongs to a record, which an unknown word leaves out.
  var isInRecord = false
  /// The first unknown word of the record being read.
  var unknownWord: JSONDefect?
  /// The members left out of a pruned copy, as byte ranges, ascending and disjoint.
  var cuts: [Range<Int>] = []
  /// Where strings with escapes are written out; kept so that a document allocates it once.
  var scratch = JSONScratch()

  /// Reads a whole document.
  ///
  /// - Parameters:
  ///   - bytes: the document; it must not change during the call.
  ///   - wanted: handed to the decoder as ``wanted``.
  ///   - pruning: whether to build ``Document/pruned``.
  ///   - body: the decoder. It reads one value; when it reads none, that value is skipped.
  @inline(__always)
  package static func read<Value>(
    _ bytes: UnsafeRawBufferPointer, wanting wanted: Wanted = .needed, pruning: Bool = false,
    _ body: (inout JSONReader) -> Value?
  ) -> Document<Value> {
    var reader = JSONReader(bytes, wanted, pruning)
    reader.begin()
    let value = body(&reader)
    reader.expectEnd()
    let defects = reader.list.defects
    return Document(
      value: defects.isEmpty ? value : nil, defects: defects, warnings: defects.isEmpty ? reader.warnings.all : [],
      pruned: pruning && defects.isEmpty ? reader.prunedCopy() : nil, scope: reader.scope)
  }

  private init(_ bytes: UnsafeRawBufferPointer, _ wanted: Wanted, _ pruning: Bool) {
    // An empty document may have no address. Any address does, as no byte is read.
    start = bytes.baseAddress.map { $0.assumingMemoryBound(to: UInt8.self) } ?? JSONNoBytes.address
    end = start + bytes.count
    first = start
    cursor = start
    latest = start
    self.wanted = wanted
    isPruning = pruning
  }

  @inline(never)
  private mutating func begin() {
    if end - start >= 3, start[0] == 0xef, start[1] == 0xbb, start[2] == 0xbf {
      record(at: start, .document) { "byte-order mark" }
      cursor = start + 3
    }
    cursor = cursor.afterSpace(before: end)
    first = cursor
    if cursor == end { stop(at: end, expecting: "a value") }
  }

  @inline(never)
  private mutating func expectEnd() {
    if !isStopped, cursor == first { skipValue() }
    let place = cursor.afterSpace(before: end)
    if place < end { stop(at: place, expecting: "the end of the document") }
  }

  private func prunedCopy() -> [UInt8] {
    let total = cuts.reduce(end - start) { $0 - $1.count + 4 }
    return [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
      func append(_ from: JSONBytes, _ length: Int) {
        // A part between two cuts has at least the comma or bracket, and an empty rest is no harm.
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<count + length])
          .copyMemory(from: UnsafeRawBufferPointer(start: from, count: length))
        count += length
      }
      var place = 0
      for cut in cuts {
        append(start + place, cut.lowerBound - place)
        for byte in [0x22, 0x22, 0x3a, 0x30] as [UInt8] {
          buffer[count] = byte
          count += 1
        }
        place = cut.upperBound
      }
      append(start + place, end - start - place)
    }
  }

  // MARK: Defects

  /// Records a defect unless the reading has ended.
  @inline(never)
  mutating func record(at place: JSONBytes, _ kind: JSONDefect.Place, _ message: () -> String) {
    if isStopped { return }
    // A number that ends where the document ends, inside brackets, may be half a number: only the syntax error that
    // follows is recorded.
    if kind == .value, cursor == end, depth > 0, end[-1] &- 0x30 < 10 { return }
    list.insert(at: place - start, kind, message)
  }

  /// Records a defect of a value that is not read yet.
  @inline(never)
  mutating func recordAtOnce(_ place: JSONBytes, _ message: () -> String) {
    if !isStopped { list.insert(at: place - start, .value, message) }
  }

  /// Ends the reading at a syntax error.
  @inline(never)
  mutating func stop(at place: JSONBytes, expecting expected: String) {
    let byte = place < end ? place.pointee : nil
    stop(at: place) {
      byte.map { "unexpected \(JSONMessage.byte($0)), expected \(expected)" } ?? "unexpected end of document"
    }
  }

  /// Ends the reading: the cursor goes to the end, where every call fails.
  @inline(never)
  mutating func stop(at place: JSONBytes, _ message: () -> String) {
    record(at: place, .document, message)
    isStopped = true
    cursor = end
  }
}

private enum JSONNoBytes {
  /// One byte that stands for the address of an empty document; never freed, never read.
  // Unsafe: written here once, before any other thread can see it.
  nonisolated(unsafe) static let address: JSONBytes = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return JSONBytes(byte)
  }()
}
