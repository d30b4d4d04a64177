import CLinux
import Glibc
package import SystemPackage

/// The last good version of every session file, kept in `.cachesync/sessions` so that a file which turns bad while no agent
/// runs still has one, and a restart need not read again what did not change.
///
/// An append-only log of records, each with a checksum: a record that a crash cut off ends the log. What it holds of a file
/// is the document without the parts that nobody reads, to be read by the same decoder as the file itself, so there is no
/// second format of a session. It lags a publication by up to a second and is never flushed: after power loss a record may
/// be missing, and the file itself is read.
package final class LastGoodLog {
  /// One file's last good version.
  package struct Record {
    package var identity: FileIdentity
    /// Where the pruned document lies in the mapped log, and the whole record, which ends with it.
    package var document: Range<Int>
    fileprivate var start: Int
  }

  /// The log as a start finds it, mapped; given up once everything is loaded.
  package final class Loaded {
    package private(set) var records: [CachePath: Record] = [:]
    package private(set) var feeds: Set<FeedName> = []
    /// The greatest generation that is known to have been published: outputs may be removed while no agent runs.
    package private(set) var generation = 0
    /// How many bytes are whole records.
    fileprivate var wholeBytes = 0
    private let mapping: Mapping

    fileprivate init(mapping bytes: UnsafeRawBufferPointer) {
      mapping = Mapping(bytes)
      guard LogFormat.hasHeader(bytes) else { return }
      wholeBytes = LogFormat.header.count
      LogFormat.scan(bytes, from: wholeBytes) { record, end in
        defer { wholeBytes = end }
        switch record {
        case .session(let path, let identity, let document):
          records[path] = Record(identity: identity, document: document, start: wholeBytes)
        case .removed(let path): records[path] = nil
        case .present(let feed): feeds.insert(feed)
        case .generation(let number): generation = max(generation, number)
        }
      }
    }

    /// The file is gone for good: a bad one of the same name finds nothing in force.
    package func forget(_ path: CachePath) { records[path] = nil }

    package func document(_ record: Record) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: mapping.bytes[record.document])
    }

    fileprivate func bytes(of record: Record) -> UnsafeRawBufferPointer.SubSequence {
      mapping.bytes[record.start..<record.document.upperBound]
    }

    /// The last good version of a file, for any thread.
    package subscript(path: CachePath) -> LastGood? {
      records[path].map { record in
        LastGood(
          identity: record.identity, document: document(record), size: record.document.upperBound - record.start,
          mapping: mapping)
      }
    }
  }

  /// A file's last good version, and the mapping in which it lies.
  // @unchecked: what is mapped is only read.
  package struct LastGood: @unchecked Sendable {
    package let identity: FileIdentity
    package let document: UnsafeRawBufferPointer
    /// How many bytes of the log it takes.
    package let size: Int
    fileprivate let mapping: Mapping
  }

  fileprivate final class Mapping {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    deinit {
      if let base = bytes.baseAddress, bytes.count > 0 { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
    }
  }

  private let directory: Int32
  private var pending = LogFormat.Writer()
  private var byteCount = 0
  /// How many of the bytes, written and pending, are of versions in force.
  private var liveByteCount = 0
  private var generation = 0

  /// The log is written anew when it holds more that is dead than that is live, by this at least.
  private static let minimumWaste = 1 << 20

  /// - Parameter directory: the open `.cachesync`, which the caller keeps open.
  package init(directory: Int32) { self.directory = directory }

  package var hasPending: Bool { !pending.isEmpty }

  /// Reads the log. A missing, foreign or damaged one gives what is whole of it.
  package static func load(from directory: Int32) -> Loaded {
    guard
      let file = Descriptor(openat(directory, CacheLayout.lastGood, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
      let identity = try? Directory.identity(of: file.raw), identity.type == .regular, identity.size > 0,
      let base = mmap(nil, Int(identity.size), PROT_READ, MAP_PRIVATE, file.raw, 0), base != MAP_FAILED
    else { return Loaded(mapping: UnsafeRawBufferPointer(start: nil, count: 0)) }
    return Loaded(mapping: UnsafeRawBufferPointer(start: base, count: Int(identity.size)))
  }

  /// Continues the log that was loaded: what is not whole at its end is cut off.
  package func open(after loaded: Loaded) {
    byteCount = loaded.wholeBytes
    generation = loaded.generation
    liveByteCount = loaded.records.reduce(0) { $0 + LogFormat.size(of: $1.value.document.count, at: $1.key) }
  }

  /// - Parameter oldSize: what ``keep(_:identity:document:replacing:)`` or ``LastGood/size`` said of the version that is in
  ///   the log; 0: there is none.
  /// - Returns: how many bytes of the log this version takes.
  package func keep(_ path: CachePath, identity: FileIdentity, document: [UInt8], replacing oldSize: Int) -> Int {
    pending.append(.session, path: path.bytes, identity: identity, document: document)
    let size = LogFormat.size(of: document.count, at: path)
    liveByteCount += size - oldSize
    return size
  }

  /// - Parameter size: of the version that is in the log; 0: there is none.
  package func forget(_ path: CachePath, size: Int) {
    pending.append(.removed, path: path.bytes)
    liveByteCount -= size
  }

  package func keep(present feed: FeedName) { pending.append(.present, path: Array(feed.description.utf8)) }

  package func keep(generation number: Int) {
    guard number > generation else { return }
    generation = number
    pending.append(.generation, path: Array(String(number).utf8))
  }

  /// Writes what was kept since. What cannot be written stays, for the next time.
  ///
  /// - Returns: how many bytes of memory that has freed.
  @discardableResult
  package func save() throws(Errno) -> Int {
    guard !pending.isEmpty else { return 0 }
    // Also what is pending may be dead for the most part, when it could not be written for a while.
    if byteCount + pending.byteCount > 2 * liveByteCount + Self.minimumWaste { try compact() } else { try append() }
    defer { pending = LogFormat.Writer() }
    return pending.byteCount
  }

  private func append() throws(Errno) {
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    guard let file = Descriptor(openat(directory, CacheLayout.lastGood, flags, 0o600)) else {
      throw Errno(rawValue: errno)
    }
    // Takes away a record that the last crash cut off.
    guard ftruncate(file.raw, off_t(byteCount)) == 0, lseek(file.raw, 0, SEEK_END) >= 0 else {
      throw Errno(rawValue: errno)
    }
    do throws(Errno) {
      var size = 0
      if byteCount == 0 {
        try AtomicFile.writeAll(LogFormat.header, to: file.raw)
        size = LogFormat.header.count
      }
      for piece in pending.pieces { try AtomicFile.writeAll(piece, to: file.raw) }
      byteCount += size + pending.byteCount
    } catch {
      // A full disk is not kept full with half a record.
      ftruncate(file.raw, off_t(byteCount))
      throw error
    }
  }

  /// Writes a log of what is live, beside the old one, and puts it in its place.
  private func compact() throws(Errno) {
    let old = Self.load(from: directory)
    // What cannot be read at this moment, or was damaged by somebody, is no reason to forget it.
    guard old.wholeBytes == byteCount else { return try append() }
    var feeds = old.feeds
    var latest: [CachePath: ArraySlice<UInt8>?] = [:]
    for piece in pending.pieces {
      piece.withUnsafeBytes { bytes in
        var start = 0
        LogFormat.scan(bytes, from: 0) { record, end in
          switch record {
          case .session(let path, _, _): latest[path] = .some(piece[start..<end])
          case .removed(let path): latest[path] = .some(nil)
          case .present(let feed): feeds.insert(feed)
          case .generation: break
          }
          start = end
        }
      }
    }
    var head = LogFormat.Writer()
    for feed in feeds { head.append(.present, path: Array(feed.description.utf8)) }
    head.append(.generation, path: Array(String(generation).utf8))
    let file = try AtomicFile(in: directory, mode: 0o600)
    let raw = file.raw
    var buffer = LogFormat.header + head.pieces.joined()
    var size = 0
    func flush(beyond limit: Int) throws(Errno) {
      guard buffer.count > limit else { return }
      try AtomicFile.writeAll(buffer, to: raw)
      size += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
    for (path, record) in old.records where latest[path] == nil {
      buffer.append(contentsOf: old.bytes(of: record))
      try flush(beyond: 1 << 16)
    }
    for case let record? in latest.values {
      buffer.append(contentsOf: record)
      try flush(beyond: 1 << 16)
    }
    try flush(beyond: 0)
    try file.publish(as: CacheLayout.lastGood, in: directory)
    byteCount = size
  }
}
