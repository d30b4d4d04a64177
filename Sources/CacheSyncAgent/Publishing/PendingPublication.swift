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
  /// The file system that the publication is on; a flush of it serves every publication there.
  package let device: UInt64
  private var files: [File] = []
  /// The index of the first file that is not in its place.
  private var next = 0
  /// The directory of the temporaries. Holding it holds the lock as long as one of them may be there.
  private let state: StateDirectory

  /// Less the umask (CONTRACT section 5).
  static let fileMode: UInt32 = 0o644

  private final class File: @unchecked Sendable {
    let name: String
    let bytes: [UInt8]
    let digest: Int
    /// The temporary; nil until it is written, and once it is in its place.
    private var file: AtomicFile?

    init(name: String, bytes: [UInt8], digest: Int) {
      self.name = name
      self.bytes = bytes
      self.digest = digest
    }

    var path: String { "\(CacheLayout.snapshots)/\(name)" }

    /// Writes the temporary, and closes it: many of them wait together, and a process has only so many descriptors.
    func write(in directory: Int32, isFlushing: Bool) throws(PublishError) {
      var operation = PublishError.Operation.create
      do throws(Errno) {
        var file = try AtomicFile(in: directory, mode: PendingPublication.fileMode)
        operation = .write
        try file.write(bytes)
        operation = .flush
        if isFlushing { try file.flush() }
        try file.close()
        self.file = consume file
      } catch {
        if operation == .create, error == .noSuchFileOrDirectory { throw .outputsRemoved }
        throw PublishError(operation, path, error)
      }
    }

    func giveUp() { file = nil }

    func publish(in directory: Int32) throws(PublishError) -> FileIdentity? {
      guard let file = file.take() else { return nil }
      do throws(Errno) {
        return try file.publish(as: name, in: directory)
      } catch {
        throw PublishError(.rename, path, error)
      }
    }
  }

  init(generation: Int, publishedAt: Instant, state: StateDirectory) {
    self.generation = generation
    self.publishedAt = publishedAt
    self.state = state
    device = (try? Directory.identity(of: state.raw))?.device ?? 0
  }

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
    let failures = pool.begin(files.count) { index in
      PublishError.caught { () throws(PublishError) in try files[index].write(in: self.state.raw, isFlushing: true) }
    }.results()
    if let failure = failures.compactMap(\.self).first { throw failure }
  }

  /// Writes every temporary without flushing it; returns the failure, so that a pool's thread can hand it over.
  package func failureOfWriting() -> PublishError? {
    PublishError.caught { () throws(PublishError) in
      for file in files { try file.write(in: state.raw, isFlushing: false) }
    }
  }

  /// Writes the next temporary; false when all files are in their places.
  func writeNext(isFlushing: Bool) throws(PublishError) -> Bool {
    guard next < files.count else { return false }
    try files[next].write(in: state.raw, isFlushing: isFlushing)
    return true
  }

  /// Waits until everything written to the file system is on disk. Many publications share this in place of a flush for each of
  /// their files (measured: 70–140 µs a file in a batch of 2,000 against 230–350 µs).
  package func flushFileSystem() throws(PublishError) {
    guard clinux_syncfs(state.raw) == 0 else {
      throw PublishError(.flush, CacheLayout.snapshots, Errno(rawValue: errno))
    }
  }

  /// Removes the temporaries that are not in their places.
  package func giveUp() { for file in files { file.giveUp() } }

  /// Renames the next file into its place in the open `snapshots`; nil when all are there.
  func publishNext(in directory: Int32) throws(PublishError) -> (name: String, published: PublishedFile)? {
    guard next < files.count else { return nil }
    let file = files[next]
    let identity = try file.publish(in: directory)
    next += 1
    return (
      file.name,
      PublishedFile(
        digest: file.digest, generation: generation, byteCount: file.bytes.count, identity: identity)
    )
  }
}
