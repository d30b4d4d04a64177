import CacheSync
import CLinux
import Glibc
import SystemPackage

/// The files of one publication before readers see them: drafted, written as temporaries, flushed, and then each renamed into
/// its place, the manifest last.
///
/// A publication that is given up removes its temporaries.
package final class PendingPublication: @unchecked Sendable {
  // @unchecked: one thread at a time uses it. Several threads write its files, each another file, while that thread waits.
  package let generation: Int
  /// What its files say of when they were published.
  let publishedAt: Instant
  let durability: Durability
  /// The file system that the publication is on; a flush of it serves every publication there.
  package let device: UInt64
  private var files: [File] = []
  /// The index of the first file that is not in its place.
  private var next = 0
  private let root: CacheRoot
  /// The directories that it writes into, while they are open.
  private var open: OutputDirectory?
  /// Holding it holds the lock as long as one of the temporaries may be there.
  let state: StateDirectory

  /// Less the umask, or what a default access list of the directory says in its place (CONTRACT section 5).
  static let fileMode: UInt32 = 0o644

  private final class File: @unchecked Sendable {
    let name: String
    let bytes: [UInt8]
    let digest: Int
    /// The temporary, closed; nil until it is written, and once it is in its place.
    private var written: WrittenFile?

    init(name: String, bytes: [UInt8], digest: Int) {
      self.name = name
      self.bytes = bytes
      self.digest = digest
    }

    var path: String { "\(CacheLayout.snapshots)/\(name)" }
    var isWaiting: Bool { written != nil }

    func write(in directory: OutputDirectory, isFlushing: Bool) throws(PublishError) {
      var operation = PublishError.Operation.create
      do throws(Errno) {
        let file = try AtomicFile(in: directory.temporaries, mode: PendingPublication.fileMode)
        operation = .write
        try file.write(bytes)
        operation = .flush
        if isFlushing { try file.flush() }
        written = try file.close()
      } catch {
        if operation == .create, error == .noSuchFileOrDirectory { throw .outputsRemoved }
        throw PublishError(operation, path, error)
      }
    }

    func giveUp(in directory: OutputDirectory) { written.take()?.remove(from: directory.temporaries) }

    func publish(in directory: OutputDirectory, aside: StateDirectory) throws(PublishError) -> FileIdentity? {
      guard let written else { return nil }
      do throws(Errno) {
        let identity = try written.publish(
          from: directory.temporaries, as: name, in: directory.raw, aside: aside.raw)
        self.written = nil
        return identity
      } catch {
        throw PublishError(.rename, path, error)
      }
    }
  }

  init(
    generation: Int, publishedAt: Instant, durability: Durability, in directory: OutputDirectory, of root: CacheRoot,
    state: StateDirectory
  ) {
    self.generation = generation
    self.publishedAt = publishedAt
    self.durability = durability
    self.root = root
    self.state = state
    open = directory
    device = directory.device
  }

  deinit { giveUp() }

  /// The directories that it writes into. They stay open until ``close()``.
  func directory() throws(PublishError) -> OutputDirectory {
    if let open { return open }
    let directory = try OutputDirectory(in: root)
    open = directory
    return directory
  }

  /// Closes the directories between two steps: thousands of publications may wait together.
  package func close() { open = nil }

  /// Drafts a file.
  func add(_ bytes: [UInt8], as name: String, digest: Int) {
    files.append(File(name: name, bytes: bytes, digest: digest))
  }

  /// The names of all files but the manifest's.
  var names: [String] { files.map(\.name).filter { $0 != CacheLayout.manifest } }

  /// Writes and flushes every temporary, all at the same time, so that they share one commit of the file system's journal
  /// (``WorkerPool``).
  package func writeAndFlush(with pool: WorkerPool) throws(PublishError) {
    let files = files
    let directory = try directory()
    let failures = pool.begin(files.count) { index in
      PublishError.caught { () throws(PublishError) in try files[index].write(in: directory, isFlushing: true) }
    }.results()
    if let failure = failures.compactMap(\.self).first { throw failure }
  }

  /// Writes every temporary without flushing it, and closes the directories; returns the failure, so that a pool's thread can
  /// hand it over.
  package func failureOfWriting() -> PublishError? {
    defer { close() }
    return PublishError.caught { () throws(PublishError) in
      let directory = try directory()
      for file in files { try file.write(in: directory, isFlushing: false) }
    }
  }

  /// Writes the next temporary; false when all files are in their places.
  func writeNext() throws(PublishError) -> Bool {
    guard next < files.count else { return false }
    try files[next].write(in: directory(), isFlushing: durability == .flush)
    return true
  }

  /// Waits until everything written to the file system is on disk. Many publications share this in place of a flush for each of
  /// their files (measured: 70–140 µs a file in a batch of 2,000 against 230–350 µs).
  package func flushFileSystem() throws(PublishError) {
    defer { close() }
    guard clinux_syncfs(try directory().raw) == 0 else {
      throw PublishError(.flush, CacheLayout.snapshots, Errno(rawValue: errno))
    }
  }

  /// Removes the temporaries that are not in their places.
  package func giveUp() {
    guard files.contains(where: \.isWaiting), let directory = try? directory() else { return }
    for file in files { file.giveUp(in: directory) }
  }

  /// Renames the next file into its place; nil when all are there.
  func publishNext() throws(PublishError) -> (name: String, published: PublishedFile)? {
    guard next < files.count else { return nil }
    let file = files[next]
    let identity = try file.publish(in: directory(), aside: state)
    next += 1
    return (
      file.name,
      PublishedFile(
        digest: file.digest, generation: generation, byteCount: file.bytes.count, identity: identity)
    )
  }
}
