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
    /// Where the pruned document lies in the mapped log.
    package var document: Range<Int>
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
      LogFormat.scan(bytes) { record, end in
        wholeBytes = end
        switch record {
        case .session(let path, let identity, let document):
          records[path] = Record(identity: identity, document: document)
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

    /// The last good version of a file, for any thread.
    package subscript(path: CachePath) -> LastGood? {
      records[path].map { LastGood(identity: $0.identity, document: document($0), mapping: mapping) }
    }
  }

  /// A file's last good version, and the mapping in which it lies.
  // @unchecked: what is mapped is only read.
  package struct LastGood: @unchecked Sendable {
    package let identity: FileIdentity
    package let document: UnsafeRawBufferPointer
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
  /// How many of them are of versions that were replaced or forgotten, as far as is known without looking.
  private var deadByteCount = 0
  private var recordCount = 0
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
    recordCount = loaded.records.count
    deadByteCount = byteCount - loaded.records.values.reduce(0) { $0 + $1.document.count + LogFormat.usualOverhead }
  }

  /// - Parameter isReplacing: whether the log holds an earlier version of the file.
  package func keep(_ path: CachePath, identity: FileIdentity, document: [UInt8], isReplacing: Bool) {
    let size = pending.append(.session, path: path.bytes, identity: identity, document: document)
    // The earlier version was about as large: it was reckoned as small or as large as the one before it.
    if isReplacing { deadByteCount += size } else { recordCount += 1 }
  }

  package func forget(_ path: CachePath) {
    let size = pending.append(.removed, path: path.bytes)
    deadByteCount += size + (recordCount > 0 ? (byteCount - deadByteCount) / recordCount : 0)
    recordCount = max(0, recordCount - 1)
  }

  package func keep(present feed: FeedName) { pending.append(.present, path: Array(feed.description.utf8)) }

  package func keep(generation number: Int) {
    guard number > generation else { return }
    generation = number
    deadByteCount += pending.append(.generation, path: Array(String(number).utf8))
  }

  /// Writes what was kept since. What cannot be written stays, for the next time.
  ///
  /// - Returns: how many bytes of memory that has freed.
  @discardableResult
  package func save() throws(Errno) -> Int {
    guard !pending.isEmpty else { return 0 }
    let before = byteCount
    try append()
    let size = byteCount - before
    pending = LogFormat.Writer()
    if 2 * deadByteCount > byteCount + Self.minimumWaste { try compact() }
    return size
  }

  private func append() throws(Errno) {
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    guard let file = Descriptor(openat(directory, CacheLayout.lastGood, flags, 0o600)) else {
      throw Errno(rawValue: errno)
    }
    // Also takes away a record that the last crash, or the last full disk, cut off.
    guard ftruncate(file.raw, off_t(byteCount)) == 0, lseek(file.raw, 0, SEEK_END) >= 0 else {
      throw Errno(rawValue: errno)
    }
    byteCount += try pending.write(to: file.raw, withHeader: byteCount == 0)
  }

  /// Writes a log of what is live, beside the old one, and puts it in its place.
  private func compact() throws(Errno) {
    let old = Self.load(from: directory)
    var live = LogFormat.Writer()
    for feed in old.feeds { live.append(.present, path: Array(feed.description.utf8)) }
    live.append(.generation, path: Array(String(generation).utf8))
    for (path, record) in old.records {
      live.append(.session, path: path.bytes, identity: record.identity, document: old.document(record))
    }
    let file = try AtomicFile(in: directory, mode: 0o600)
    let size = try live.write(to: file.raw, withHeader: true)
    try file.publish(as: CacheLayout.lastGood, in: directory)
    byteCount = size
    deadByteCount = 0
    recordCount = old.records.count
  }
}
