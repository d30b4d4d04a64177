package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
package import SystemPackage

/// The log of the last good version of every session file, `.cachesync/sessions`.
///
/// With it, a file that turns bad while no agent runs still has a last good version, and a restart need not read
/// unchanged files again.
///
/// The log is append-only, and each record has a checksum. A record that a crash cut off, or that cannot be read, ends
/// the log; the next save rewrites the log if necessary. For each file it stores the document without the fields that
/// the feed ignores. The decoder of the file also reads that document, so sessions have no second format. The log lags
/// a publication by up to a second.
///
/// With durability `flush`, another thread then flushes the saved records, and no publication waits for it. A new log
/// is on disk before it replaces the old one, whatever the durability.
package final class LastGoodLog {
  /// One file's last good version.
  package struct Record: Sendable {
    package var identity: FileIdentity
    /// The range of the record in the log. The pruned document is its end.
    fileprivate var place: Range<Int>
  }

  /// The log as found at a start: an index of its records. The documents stay on disk.
  ///
  /// The start releases it once every file is judged.
  package final class Loaded {
    package private(set) var records: [CachePath: Record] = [:]
    package private(set) var feeds: Set<FeedName> = []
    /// The greatest generation that earlier runs published, even if the outputs were removed since.
    package private(set) var generation = 0
    /// How many bytes the intact records take, including the header.
    package private(set) var wholeBytes = 0
    /// Why the log could not be read to its end.
    fileprivate private(set) var failure: Errno?
    fileprivate let file: File?

    /// - Parameter limit: how many bytes to read at most; nil reads all.
    fileprivate init(in directory: Int32, limit: Int? = nil) {
      let opened = openat(directory, CacheLayout.lastGood, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      let reason = Errno(rawValue: errno)
      file = File(opened)
      if let file {
        scan(file, to: min(file.size, limit ?? .max))
      } else if opened < 0, reason != .noSuchFileOrDirectory, reason != .tooManySymbolicLinkLevels {
        failure = reason
      }
    }

    /// A description of the damage for people; nil when the log is intact.
    package var damage: String? {
      if let failure { return "\(failure)" }
      return wholeBytes < file?.size ?? 0 ? "what follows is not whole" : nil
    }

    /// Scans the file in pieces, which grow to the largest record if necessary.
    private func scan(_ file: File, to end: Int) {
      var bytes: [UInt8] = []
      var base = 0
      var wanted = LogFormat.header.count
      while wanted <= end - base, failure == nil {
        let start = base + bytes.count
        let (more, failure) = file.read(start..<min(end, max(base + wanted, start + Self.pieceBytes)))
        self.failure = failure
        if more.isEmpty { return }
        bytes += more
        guard bytes.withUnsafeBytes({ index($0, at: base) }) else { return }
        bytes.removeFirst(wholeBytes - base)
        base = wholeBytes
        wanted = bytes.withUnsafeBytes(LogFormat.size(ofRecordIn:))
        // The whole next record was read and yet not indexed, so it is damaged.
        if wanted <= bytes.count { return }
      }
    }

    private static let pieceBytes = 1 << 18

    /// Indexes the intact records in a piece of the file; false when the file is not a log.
    private func index(_ bytes: UnsafeRawBufferPointer, at base: Int) -> Bool {
      if base == 0 {
        guard LogFormat.hasHeader(bytes) else { return false }
        wholeBytes = LogFormat.header.count
      }
      LogFormat.scan(bytes, from: wholeBytes - base) { record, end in
        let place = wholeBytes..<(base + end)
        wholeBytes = place.upperBound
        switch record {
        case .session(let path, let identity, _): records[path] = Record(identity: identity, place: place)
        case .removed(let path): records[path] = nil
        case .present(let feed): feeds.insert(feed)
        case .generation(let number): generation = max(generation, number)
        }
      }
      return true
    }

    /// Removes the last good version of a file that is missing for good, so that a bad file with the same name finds
    /// none.
    package func remove(_ path: CachePath) { records[path] = nil }

    /// Returns the last good version of a file. Any thread may read it.
    package subscript(path: CachePath) -> LastGood? {
      guard let file, let record = records[path] else { return nil }
      return LastGood(identity: record.identity, file: file, place: record.place)
    }
  }

  /// A file's last good version, and the open log that contains it.
  package struct LastGood: Sendable {
    package let identity: FileIdentity
    fileprivate let file: File
    fileprivate let place: Range<Int>

    /// How many bytes it takes in the log.
    package var size: Int { place.count }

    /// Reads the document; nil when the log no longer contains it.
    package func withDocument<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
      record().flatMap { bytes in
        bytes.withUnsafeBytes { bytes in
          var result: Result?
          LogFormat.scan(bytes, from: 0) { record, _ in
            if case .session(_, _, let document) = record {
              result = body(UnsafeRawBufferPointer(rebasing: bytes[document]))
            }
          }
          return result
        }
      }
    }

    /// Reads the whole record; nil when it cannot be read.
    fileprivate func record() -> [UInt8]? {
      let (bytes, failure) = file.read(place)
      return failure == nil && bytes.count == place.count ? bytes : nil
    }
  }

  /// An open log, which any thread may read.
  fileprivate final class File: Sendable {
    let identity: FileIdentity
    private let descriptor: Descriptor

    /// Takes ownership of the descriptor that a system call returned. Nil when the call failed, or when it is not a
    /// regular file.
    init?(_ result: Int32) {
      guard let descriptor = Descriptor(result), let identity = try? Directory.identity(of: descriptor.raw),
        identity.type == .regular
      else { return nil }
      self.identity = identity
      self.descriptor = descriptor
    }

    var size: Int { Int(identity.size) }

    /// Reads the range up to its end, the file's end, or the first unreadable byte.
    func read(_ range: Range<Int>) -> (bytes: [UInt8], failure: Errno?) {
      var failure: Errno?
      let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        while count < range.count, let base = buffer.baseAddress {
          let got = pread(descriptor.raw, base + count, range.count - count, off_t(range.lowerBound + count))
          if got < 0, errno == EINTR { continue }
          if got < 0 { failure = Errno(rawValue: errno) }
          if got <= 0 { return }
          count += got
        }
      }
      return (bytes, failure)
    }
  }

  private let shared: SharedDescriptor
  private var directory: Int32 { shared.raw }
  private let queue: BackgroundQueue
  /// Whether the inode of an unchanged log may change (``ChangingInodes``).
  private let inodeMayChange: Bool
  private var pending = LogFormat.Writer()
  /// The identity of the log after this process's last write. If it differs, another program changed the log.
  private var left: FileIdentity?
  private var byteCount = 0
  /// Whether a part of the log cannot be read or written, so that the next save must rewrite it.
  private var mustRewrite = false
  /// Whether the log lost versions that are in use.
  private var hasLost = false
  /// Whether the last save found the log missing.
  private var isMissing = false
  /// How many of the bytes, written and pending, belong to versions in use.
  private var liveByteCount = 0
  private var generation = 0
  /// The new log that is being flushed before it replaces the old one.
  private var rewriting: Rewriting?
  /// The flushes that were started and whose results were not checked yet.
  private var flushes: [DiskTask] = []
  /// Whether part of the log may not be on disk, and no flush of it was started.
  package private(set) var needsFlush = true
  /// Whether the same applies to the name of the log and of its directory.
  private var needsNameFlush = true

  /// A log that is being rewritten.
  private struct Rewriting {
    var file: WrittenFile
    var flush: DiskTask
    /// The records that it contains and the old log lacks.
    var pending: LogFormat.Writer
    var byteCount: Int
    /// Whether it contains everything that the old log contained.
    var isWhole: Bool
  }

  /// A save rewrites the log when its dead bytes exceed its live ones by this.
  private static let minimumWaste = 1 << 20

  /// - Parameters:
  ///   - directory: the open `.cachesync`.
  ///   - queue: the queue that waits for the disk.
  ///   - inodeMayChange: whether the inode of an unchanged log may change; nil asks the file system.
  package init(
    in directory: SharedDescriptor, flushingOn queue: BackgroundQueue = BackgroundQueue(), inodeMayChange: Bool? = nil
  ) {
    shared = directory
    self.queue = queue
    self.inodeMayChange =
      inodeMayChange ?? !clinux_filesystem_has_events(clinux_filesystem_type(directory.raw))
  }

  deinit { rewriting?.file.remove(from: directory) }

  /// Whether records are pending that the log does not contain yet.
  package var hasPending: Bool { !pending.isEmpty || rewriting != nil }

  /// Reads the log up to its first damage. A missing log, or a file that is not a log, is empty.
  package static func load(from directory: Int32) -> Loaded { Loaded(in: directory) }

  /// Reads the current log again, after it tries to save the pending records.
  package func reload() -> Loaded {
    _ = try? save()
    return Loaded(in: directory)
  }

  /// Continues the log that was loaded; the first save cuts off a damaged end.
  ///
  /// A missing log is created now. The first save may come while the cache is being deleted, and a new file would then
  /// make that fail.
  package func open(after loaded: Loaded) {
    byteCount = loaded.wholeBytes
    left = loaded.file?.identity
    mustRewrite = loaded.failure != nil
    generation = loaded.generation
    liveByteCount = loaded.records.values.reduce(0) { $0 + $1.place.count }
    if left == nil { create() }
  }

  /// Creates the log. If that fails, the first save retries.
  private func create() {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    guard let file = Descriptor(openat(directory, CacheLayout.lastGood, flags, 0o600)) else { return }
    // Overrides the umask, because every save opens the file again.
    fchmod(file.raw, 0o600)
    do throws(Errno) {
      try AtomicFile.writeAll(LogFormat.header, to: file.raw)
      left = try Directory.identity(of: file.raw)
      byteCount = LogFormat.header.count
    } catch {
      unlinkat(directory, CacheLayout.lastGood, 0)
    }
  }

  /// Records a good version of a file, for the next save.
  ///
  /// - Parameter oldSize: how many bytes the version in the log takes (the result of this function, or
  ///   ``LastGood/size``); 0 when there is none.
  /// - Returns: how many bytes the new version takes in the log.
  package func keep(_ path: CachePath, identity: FileIdentity, document: [UInt8], replacing oldSize: Int) -> Int {
    pending.append(.session, path: path.bytes, identity: identity, document: document)
    let size = LogFormat.size(of: document.count, at: path)
    liveByteCount += size - oldSize
    return size
  }

  /// Removes a file from the log, with the next save.
  ///
  /// - Parameter size: how many bytes its version takes in the log; 0 when there is none.
  package func remove(_ path: CachePath, size: Int) {
    pending.append(.removed, path: path.bytes)
    liveByteCount -= size
  }

  package func keep(present feed: FeedName) { pending.append(.present, path: Array(feed.description.utf8)) }

  package func keep(generation number: Int) {
    guard number > generation else { return }
    generation = number
    pending.append(.generation, path: Array(String(number).utf8))
  }

  /// Returns whether another program deleted or changed the log, so that it lacks versions in use. True only once for
  /// each loss.
  package func claimLoss() -> Bool {
    defer { hasLost = false }
    return hasLost
  }

  /// Writes the pending records. Records that cannot be written remain pending for the next save.
  ///
  /// Throws `ENOENT` once when another program deleted the log. The cache is then probably being deleted, and a new log
  /// would make that fail. The next save creates one.
  ///
  /// - Parameters:
  ///   - isFlushing: whether to flush everything that is in the log after the save.
  ///   - waits: whether to wait for flushes. Otherwise a rewritten log replaces the old one in a later save, and
  ///     ``hasPending`` is true until then.
  /// - Returns: how many bytes of memory that has freed.
  @discardableResult
  package func save(isFlushing: Bool = false, waits: Bool = true) throws(Errno) -> Int {
    judgeFlushes()
    var freed = try finishRewriting(waits: waits)
    if rewriting == nil, !pending.isEmpty {
      // Pending bytes count too: if nothing could be written for a while, most of them may be dead.
      let isWasteful = byteCount + pending.byteCount > 2 * liveByteCount + Self.minimumWaste
      if byteCount > 0, !mustRewrite, let file = try openAsLeft(), !isWasteful {
        try append(to: file)
        freed += pending.byteCount
        pending = LogFormat.Writer()
      } else {
        try rewrite()
        freed += try finishRewriting(waits: waits)
      }
    }
    if isFlushing, rewriting == nil, needsFlush { beginFlush() }
    if isFlushing, waits { for flush in flushes { try flush.wait() } }
    return freed
  }

  // MARK: Flushing

  private func beginFlush() {
    let isNew = needsNameFlush
    (needsFlush, needsNameFlush) = (false, false)
    flushes.append(
      DiskTask(on: queue) { [shared] () throws(Errno) in
        try Directory.flush(CachePath(CacheLayout.lastGood), in: shared.raw)
        guard isNew else { return }
        try Directory.flush(shared.raw)
        // The agent may also have created the directory itself.
        guard let cache = Descriptor(openat(shared.raw, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
          throw Errno(rawValue: errno)
        }
        try Directory.flush(cache.raw)
      })
  }

  /// Requires a rewrite of the log after a failed flush: a second flush may report success for data that are lost
  /// (fsync(2), "errors").
  private func judgeFlushes() {
    let over = flushes.filter(\.isOver)
    flushes.removeAll { flush in over.contains { $0 === flush } }
    for flush in over {
      do throws(Errno) {
        try flush.wait()
      } catch {
        (needsFlush, needsNameFlush) = (true, true)
        // If the file is missing, the next save handles that.
        if error != .noSuchFileOrDirectory { mustRewrite = true }
      }
    }
  }

  /// Replaces the old log with a new one that is on disk. Returns how many bytes of memory that has freed.
  private func finishRewriting(waits: Bool) throws(Errno) -> Int {
    guard let rewriting, waits || rewriting.flush.isOver else { return 0 }
    self.rewriting = nil
    do throws(Errno) {
      try rewriting.flush.wait()
      left = try rewriting.file.publish(
        from: directory, as: CacheLayout.lastGood, of: rewriting.byteCount, in: directory)
    } catch {
      rewriting.file.remove(from: directory)
      var all = rewriting.pending
      all.append(pending)
      pending = all
      throw error
    }
    byteCount = rewriting.byteCount
    mustRewrite = false
    isMissing = false
    (needsFlush, needsNameFlush) = (true, true)
    if !rewriting.isWhole { hasLost = true }
    return rewriting.pending.byteCount
  }

  // MARK: Writing

  /// Opens the log; nil when it has changed since this process's last write.
  private func openAsLeft() throws(Errno) -> Descriptor? {
    let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    guard let file = Descriptor(openat(directory, CacheLayout.lastGood, flags)) else {
      if errno == ENOENT, !isMissing {
        isMissing = true
        throw .noSuchFileOrDirectory
      }
      if [ENOENT, ELOOP, ENXIO, EISDIR].contains(errno) { return nil }
      throw Errno(rawValue: errno)
    }
    let found = try Directory.identity(of: file.raw)
    guard let left, found.size == left.size,
      isOurs(found, wholeBytes: Loaded(in: directory, limit: byteCount).wholeBytes)
    else { return nil }
    self.left = found
    return file
  }

  /// Whether the log that was found is the one that this process left. If its inode may change, the log is known by its
  /// records: as many bytes of them are whole.
  private func isOurs(_ found: FileIdentity, wholeBytes: @autoclosure () -> Int) -> Bool {
    guard let left else { return false }
    return found.isSameFile(as: left) || (inodeMayChange && wholeBytes() == byteCount)
  }

  private func append(to file: borrowing Descriptor) throws(Errno) {
    do throws(Errno) {
      // Removes a record that a crash cut off.
      guard ftruncate(file.raw, off_t(byteCount)) == 0, lseek(file.raw, 0, SEEK_END) >= 0 else {
        throw Errno(rawValue: errno)
      }
      for piece in pending.pieces { try AtomicFile.writeAll(piece, to: file.raw) }
      left = try Directory.identity(of: file.raw)
      byteCount += pending.byteCount
      needsFlush = true
    } catch {
      // Half a record must not keep a full disk full.
      ftruncate(file.raw, off_t(byteCount))
      left = try? Directory.identity(of: file.raw)
      if error == .ioError { mustRewrite = true }
      throw error
    }
  }

  /// Writes a new log with the versions in use, and starts to flush it.
  private func rewrite() throws(Errno) {
    let old = Loaded(in: directory, limit: byteCount)
    if old.file == nil, let failure = old.failure { throw failure }
    let isOurs = old.file.map { self.isOurs($0.identity, wholeBytes: old.wholeBytes) } ?? false
    var isWhole = byteCount == 0 || (isOurs && old.wholeBytes == byteCount)
    var feeds = isOurs ? old.feeds : []
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
    let file = try AtomicFile(in: directory, mode: 0o600, prefix: CacheLayout.temporaryPrefix)
    let raw = file.raw
    var buffer = LogFormat.header + head.pieces.joined()
    var size = 0
    var liveSize = 0
    func flush(beyond limit: Int) throws(Errno) {
      guard buffer.count > limit else { return }
      try AtomicFile.writeAll(buffer, to: raw)
      size += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
    func add(_ record: some Collection<UInt8>) throws(Errno) {
      buffer.append(contentsOf: record)
      liveSize += record.count
      try flush(beyond: 1 << 16)
    }
    if isOurs {
      let kept = old.records.filter { latest[$0.key] == nil }
      for (path, _) in kept.sorted(by: { $0.value.place.lowerBound < $1.value.place.lowerBound }) {
        if let record = old[path]?.record() { try add(record) } else { isWhole = false }
      }
    }
    for case let record? in latest.values { try add(record) }
    try flush(beyond: 0)
    let written = file.close()
    let flush = DiskTask(on: queue) { [shared] () throws(Errno) in try written.flush(in: shared.raw) }
    rewriting = Rewriting(file: written, flush: flush, pending: pending, byteCount: size, isWhole: isWhole)
    pending = LogFormat.Writer()
    liveByteCount = liveSize
  }
}
