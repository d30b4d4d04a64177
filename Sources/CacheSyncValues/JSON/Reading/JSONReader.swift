/// Reads one JSON document in one pass. It validates every byte strictly (RFC 8259 and UTF-8), while a decoder reads
/// the values it needs in the order of the document. The reader skips the rest.
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
/// Each reading call consumes exactly one value. If the value is not of the expected kind, the call records a defect,
/// skips the value and returns nil, and the reading continues. A syntax error, or nesting deeper than ``deepest``
/// levels, ends the reading: every later call returns nil at once and records nothing. Only complete values are
/// checked, so an object that is cut off has no missing fields.
///
/// No input makes it crash: it allocates nothing for skipped values, and its depth is limited.
package struct JSONReader: ~Copyable {
  /// The maximum number of levels of arrays and objects, including the outermost (contract.md section 2).
  package static let deepest = 512

  /// How much a decoder should read.
  package enum Wanted: Sendable {
    /// The fields that the agent publishes from.
    case needed
    /// The same, and the fields that only an exported calendar has.
    case exported
  }

  /// The result of reading one document.
  package struct Document<Value> {
    /// The decoder's result; nil if there is any defect.
    package var value: Value?
    /// In ascending order of offsets; of more than 10,000, those with the lowest offsets.
    package var defects: [JSONDefect]
    /// The records that were left out of a usable document, in ascending order of offsets; empty if there are defects.
    package var warnings: [JSONDefect]
    /// If requested, and if there is no defect: the document with each skipped member replaced by `"":0`. The same
    /// decoder reads the same value from it. (A meal plan of 11.5 kB becomes 3.4 kB. So the log of 20,000 of them, which
    /// a first start writes and every later one reads, has 68 MB instead of 230.)
    package var pruned: [UInt8]?
    /// The only feed whose kinds show the defects, if the decoder has set one.
    package var scope: FeedName?
  }

  /// Whether a key that the decoder does not read is a defect. It is set for the settings, where such a key is a typing
  /// error.
  package var rejectsUnknownKeys = false
  /// What happens to a member with an unknown key, for a warning about it; nil: it is ignored without a word.
  package var noteOnUnknownKeys: String?

  /// The only feed whose readers the document's defects concern, if a decoder sets it.
  package var scope: FeedName?

  /// Set by the decoder's caller; the reader ignores it.
  package let wanted: Wanted

  package let start: JSONBytes
  let end: JSONBytes
  /// The first byte of the document's value.
  private var first: JSONBytes
  /// Between calls: the first byte of the value about to be read, or the byte after the value just read.
  package var cursor: JSONBytes
  /// The first byte of the value just read.
  package var latest: JSONBytes
  /// The number of open arrays and objects.
  package var depth = 0
  /// Whether a syntax error ended the reading. The cursor is then at the end, so the fast path need not test this.
  package var isStopped = false
  /// What the last string scan found.
  var text = Text.plain
  /// False while looking ahead.
  var isPruning: Bool
  package var list = JSONDefectList()
  package var warnings = JSONWarningList()
  /// The number and the first byte of a line before or at the record that is read.
  private var line: Int32 = 1
  private var lineStart: JSONBytes
  /// Up to where line breaks were looked for.
  private var lineScan: JSONBytes
  /// Whether an optional member that cannot be read is a defect of the document, as for what a person is typing.
  package var isStrict = false
  /// How many records of lists were read, including those with unknown words, and the defects of the others.
  package var wholeRecords = 0
  package var lostRecords = JSONWarningList()
  /// The dates that mean that there is none.
  package var noDates = NoDates()
  /// By which stamps are judged; nil: they count as they are.
  var times: FileTimes?
  /// What leaves out the records being read, although they can be read: the first unknown word, or a start in the future.
  /// Each record that has one adds it at most once.
  package var exclusions: [JSONDefect] = []
  /// How many of them there were before the record being read; -1: none is.
  package var exclusionMark = -1
  /// The members left out of a pruned copy, as byte ranges, ascending and disjoint.
  var cuts: [Range<Int>] = []
  /// The buffer for unescaped strings; kept so that a document allocates it once.
  var scratch = JSONScratch()

  /// Reads a whole document.
  ///
  /// - Parameters:
  ///   - bytes: the document; it must not change during the call.
  ///   - wanted: passed to the decoder as ``wanted``.
  ///   - pruning: whether to build ``Document/pruned``.
  ///   - times: of the document's file, by which stamps in it are judged; nil: they count as they are.
  ///   - body: the decoder. It reads one value; if it reads none, the reader skips that value.
  @inline(__always)
  package static func read<Value>(
    _ bytes: UnsafeRawBufferPointer, wanting wanted: Wanted = .needed, pruning: Bool = false, times: FileTimes? = nil,
    _ body: (inout JSONReader) -> Value?
  ) -> Document<Value> {
    var reader = JSONReader(bytes, wanted, pruning)
    reader.times = times
    reader.begin()
    let value = body(&reader)
    reader.expectEnd()
    reader.warnOfNoDates()
    let defects = reader.finalDefects
    return Document(
      value: defects.isEmpty ? value : nil, defects: defects, warnings: defects.isEmpty ? reader.warnings.all : [],
      pruned: pruning && defects.isEmpty ? reader.prunedCopy() : nil, scope: reader.scope)
  }

  private init(_ bytes: UnsafeRawBufferPointer, _ wanted: Wanted, _ pruning: Bool) {
    // An empty document may have no address. Any address will do, because no byte is read.
    start = bytes.baseAddress.map { $0.assumingMemoryBound(to: UInt8.self) } ?? JSONNoBytes.address
    end = start + bytes.count
    first = start
    cursor = start
    latest = start
    lineStart = start
    lineScan = start
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
        // The part between two cuts has at least the comma or bracket, and an empty rest does no harm.
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

  /// The line and the column of a byte; each byte is at or after the line of the one before.
  package mutating func position(of offset: Int) -> (line: Int32, column: Int32) {
    let place = start + offset
    while lineScan < place, let end = lineFeed(from: lineScan, count: place - lineScan) {
      line += 1
      lineStart = JSONBytes(end.assumingMemoryBound(to: UInt8.self)) + 1
      lineScan = lineStart
    }
    lineScan = place
    return (line, Int32(clamping: place - lineStart + 1))
  }

  // MARK: Defects

  /// Records a defect, unless the reading has ended.
  @inline(never)
  mutating func record(at place: JSONBytes, _ kind: JSONDefect.Place, _ message: () -> String) {
    if isStopped { return }
    // A number at the end of the document, inside brackets, may be cut off: only the syntax error that follows is
    // recorded.
    if kind == .value, cursor == end, depth > 0, end[-1] &- 0x30 < 10 { return }
    list.insert(at: place - start, kind, message)
  }

  /// Records a defect of a value that has not been read yet.
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

  /// Makes one warning of the defects of a value.
  @inline(never)
  package mutating func lose(from offset: Int, since mark: Int, _ consequence: String) {
    if isStopped { return }
    guard var warning = list.takeValues(from: offset) else { return }
    warnings.removeAll(since: mark)
    warning.message += ": \(consequence)"
    warnings.append(warning)
  }

  /// The defects of the whole document: if it has records and none can be read, those of the records.
  var finalDefects: [JSONDefect] {
    list.defects.isEmpty && wholeRecords == 0 ? lostRecords.all(named: "defect") : list.defects
  }
}

private enum JSONNoBytes {
  /// One byte whose address replaces that of an empty document; never freed, never read.
  // Unsafe: written here once, before any other thread can see it.
  nonisolated(unsafe) static let address: JSONBytes = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return JSONBytes(byte)
  }()
}
