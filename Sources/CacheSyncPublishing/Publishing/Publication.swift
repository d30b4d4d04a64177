import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import SystemPackage

/// One publication of one cache. Its new files are drafted, written as temporaries, flushed if the durability requires
/// it, and renamed into place, the manifest last. Every file that readers see is published this way.
///
/// A publication that fails removes its temporaries.
package final class Publication: @unchecked Sendable {
  // @unchecked: one thread at a time uses it. While that thread waits, several threads write its files, each a
  // different one.
  package let generation: Int
  /// The `publishedAt` of its files.
  let publishedAt: Instant
  let durability: Durability
  /// Why it failed; nil when it succeeded. After a failure all files are intact, some perhaps new.
  package private(set) var failure: PublishError?
  /// Whether it made the directory of the temporaries again.
  private var replacesTemporaries = false
  /// When the manifest was renamed into place: from then on readers see the whole publication.
  private(set) var manifestRenamedAt: Uptime?

  private let store: SnapshotStore
  private var files: [File] = []
  /// The index of the first file that has not been renamed.
  private var next = 0
  /// The directories that it writes into; nil while they are closed.
  private var open: OutputDirectory?
  /// The file system of the publication; one flush of it covers every publication there.
  private let device: UInt64
  /// This reference keeps the lock as long as one of the temporaries may exist.
  private let state: StateDirectory

  init(
    generation: Int, publishedAt: Instant, durability: Durability, in directory: OutputDirectory,
    of store: SnapshotStore,
    state: StateDirectory
  ) {
    self.generation = generation
    self.publishedAt = publishedAt
    self.durability = durability
    self.store = store
    self.state = state
    open = directory
    device = directory.device
  }

  deinit { removeTemporaries() }

  func add(_ bytes: [UInt8], as name: String, digest: Int) {
    files.append(File(name: name, bytes: bytes, digest: digest))
  }

  /// Closes the directories until the next step, because thousands of publications may wait together.
  package func close() { open = nil }

  /// Something that an administrator wants to know about it; nil: nothing.
  func note(in cache: FilePath) -> String? {
    guard replacesTemporaries, failure == nil else { return nil }
    let place = cache.appending(CacheLayout.snapshots).appending(CacheLayout.temporaries)
    return
      "the kernel refused renames out of \(EscapedText.forPeople(place.bytes)), which is older than a project id or "
      + "mount of \(CacheLayout.snapshots): it was made again"
  }

  /// The names of its files except the manifest's.
  package var written: [String] { files.map(\.name).filter { $0 != CacheLayout.manifest } }

  // MARK: Publishing

  /// From this many publications on, flushing the whole file system once costs less than flushing each file. Measured:
  /// 70–140 µs a file in a batch of 2,000 against 230–350 µs. That flush also writes the unwritten data of other
  /// programs there (syncfs(2)).
  private static let minimumShared = 64

  /// Writes, flushes and renames the drafts of caches of one disk. Afterwards each contains its ``failure``.
  ///
  /// The publications of a batch do each step together, so that many caches share their flushes.
  package static func publish(_ publications: [Publication], with pool: WorkerPool) {
    for batch in batches(of: publications) {
      let sharesFlushes = batch.count > 1
      if sharesFlushes {
        _ = pool.begin(batch.count) { index in
          each(of: [batch[index]], isWaiting: true) { publication throws(PublishError) in try publication.write() }
        }.results()
        flushFileSystems(of: batch)
      } else {
        each(of: batch) { publication throws(PublishError) in try publication.prepare(with: pool) }
      }
      each(of: batch, isWaiting: sharesFlushes) { publication throws(PublishError) in
        while try publication.renameNext() {}
      }
      if sharesFlushes { flushFileSystems(of: batch) }
      each(of: batch) { publication throws(PublishError) in try publication.finish(isFlushed: sharesFlushes) }
      for publication in batch {
        if publication.durability == .flush, publication.failure?.isLackOfSpace ?? false {
          publication.publishOneByOne()
        }
        if publication.failure?.isAcrossDevices ?? false { publication.publishFromNewDirectory() }
        publication.close()
      }
    }
  }

  /// Returns one batch of those that flush, if they are many enough. Every other publication is a batch of one.
  private static func batches(of publications: [Publication]) -> [[Publication]] {
    let flushed = publications.filter { $0.durability == .flush }
    guard flushed.count >= minimumShared else { return publications.map { [$0] } }
    return publications.filter { $0.durability != .flush }.map { [$0] } + [flushed]
  }

  /// Runs a step for each publication of a batch that has not failed.
  ///
  /// - Parameter isWaiting: whether the publication then waits for others.
  private static func each(
    of batch: [Publication], isWaiting: Bool = false, _ step: (Publication) throws(PublishError) -> Void
  ) {
    for publication in batch where publication.failure == nil {
      publication.failure = PublishError.caught { () throws(PublishError) in try step(publication) }
      if isWaiting { publication.close() }
    }
  }

  /// Waits until everything that a batch has written or renamed is on disk, with one flush for each file system.
  private static func flushFileSystems(of batch: [Publication]) {
    var outcomes: [UInt64: PublishError?] = [:]
    each(of: batch, isWaiting: true) { publication throws(PublishError) in
      let outcome =
        outcomes[publication.device]
        ?? PublishError.caught { () throws(PublishError) in
          guard clinux_syncfs(try publication.directory().raw) == 0 else {
            throw PublishError(.flush, CacheLayout.snapshots, Errno(rawValue: errno))
          }
        }
      outcomes[publication.device] = .some(outcome)
      if let outcome { throw outcome }
    }
  }

  // MARK: Steps

  /// Returns the directories that it writes into. They stay open until ``close()``.
  private func directory() throws(PublishError) -> OutputDirectory {
    if let open { return open }
    do throws(PublishError) {
      let directory = try OutputDirectory(in: store.root)
      open = directory
      return directory
    } catch {
      throw error.reason == .noSuchFileOrDirectory ? .outputsRemoved : error
    }
  }

  /// Writes every temporary, without a flush.
  private func write() throws(PublishError) {
    let directory = try directory()
    for file in files { try file.write(in: directory, isFlushing: false) }
  }

  /// Does what comes before the first rename.
  ///
  /// With durability `flush` it writes and flushes every temporary, all at the same time, so that they share one commit
  /// of the file system's journal (``WorkerPool``). With `rename` it writes nothing: ``renameNext()`` does, so readers
  /// see the first file before the second is written.
  func prepare(with pool: WorkerPool) throws(PublishError) {
    guard durability == .flush else { return store.removeFlush(in: state) }
    let files = files
    let directory = try directory()
    try store.flushOlderOutputs(except: written, in: directory)
    let failures = pool.begin(files.count) { index in
      PublishError.caught { () throws(PublishError) in try files[index].write(in: directory, isFlushing: true) }
    }.results()
    if let failure = failures.compactMap(\.self).first { throw failure }
  }

  /// Renames the next file into place, and writes it just before if it is not written yet; false when none is left.
  func renameNext() throws(PublishError) -> Bool {
    guard next < files.count else { return false }
    let directory = try directory()
    let file = files[next]
    if !file.isWaiting { try file.write(in: directory, isFlushing: durability == .flush) }
    // A new file in a cache that is being deleted would make that fail, and writing takes a while.
    try store.noticeRemoval(in: directory.raw)
    let identity = try file.rename(in: directory, aside: state)
    next += 1
    store.record(
      PublishedFile(digest: file.digest, generation: generation, byteCount: file.bytes.count, identity: identity),
      as: file.name, publishedAt: publishedAt)
    if file.name == CacheLayout.manifest { manifestRenamedAt = store.uptime.now() }
    return true
  }

  /// Waits until the renames are on disk, if the durability requires it and they are not.
  private func finish(isFlushed: Bool) throws(PublishError) {
    guard durability == .flush else { return }
    if isFlushed { store.recordFlush(in: state) } else { try store.flushNames(in: directory(), state: state) }
  }

  /// Writes and renames one file after another. A disk without room for all temporaries next to the old files may have
  /// room for one at a time.
  private func publishOneByOne() {
    removeTemporaries()
    failure = PublishError.caught { () throws(PublishError) in
      if durability == .flush { try store.flushOlderOutputs(except: written, in: directory()) }
      while try renameNext() {}
      try finish(isFlushed: false)
    }
  }

  /// Makes the directory of the temporaries again, and publishes from there.
  ///
  /// An administrator may give `snapshots` a project id for a quota (xfs_quota(8)). Then the kernel refuses to rename
  /// from an older directory in it, which has another one: EXDEV.
  private func publishFromNewDirectory() {
    removeTemporaries()
    close()
    failure = PublishError.caught { () throws(PublishError) in
      open = try OutputDirectory(in: store.root, replacing: true)
      replacesTemporaries = true
    }
    if failure == nil { publishOneByOne() }
  }

  /// Removes the temporaries that have not been renamed.
  private func removeTemporaries() {
    guard files.contains(where: \.isWaiting), let directory = try? directory() else { return }
    for file in files { file.removeTemporary(in: directory) }
  }
}

extension Publication {
  /// Reduced by the umask; a default access list of the directory overrides the umask (contract.md section 5).
  static let fileMode: UInt32 = 0o644

  private final class File: @unchecked Sendable {
    let name: String
    let bytes: [UInt8]
    let digest: Int
    /// The temporary, closed; nil until it is written, and again after the rename.
    private var written: WrittenFile?

    init(name: String, bytes: [UInt8], digest: Int) {
      self.name = name
      self.bytes = bytes
      self.digest = digest
    }

    private var path: String { "\(CacheLayout.snapshots)/\(name)" }
    var isWaiting: Bool { written != nil }

    func write(in directory: OutputDirectory, isFlushing: Bool) throws(PublishError) {
      var operation = PublishError.Operation.create
      do throws(Errno) {
        let file = try AtomicFile(
          in: directory.temporaries, mode: Publication.fileMode, prefix: CacheLayout.temporaryPrefix)
        operation = .write
        try file.write(bytes)
        operation = .flush
        if isFlushing { try file.flush() }
        written = file.close()
      } catch {
        if operation == .create, error == .noSuchFileOrDirectory { throw .outputsRemoved }
        throw PublishError(operation, path, error)
      }
    }

    func rename(in directory: OutputDirectory, aside: StateDirectory) throws(PublishError) -> FileIdentity? {
      guard let written else { return nil }
      do throws(Errno) {
        let identity = try written.publish(
          from: directory.temporaries, as: name, of: bytes.count, in: directory.raw, aside: aside.raw)
        self.written = nil
        return identity
      } catch {
        throw PublishError(.rename, path, error)
      }
    }

    func removeTemporary(in directory: OutputDirectory) { written.take()?.remove(from: directory.temporaries) }
  }
}
