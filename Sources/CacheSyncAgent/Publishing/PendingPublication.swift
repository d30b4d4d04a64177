import CacheSync
import CLinux
import Glibc
import SystemPackage

/// The files of one publication on their way: drafted, written beside their place, flushed, and committed by a rename each,
/// the manifest last. Those that are given up remove themselves.
package final class PendingPublication: @unchecked Sendable {
  // @unchecked: one thread at a time has it, and its files are written by several only while that one waits.
  package let generation: Int
  /// The file system that the publication is on; a flush of it serves every publication there.
  package let device: UInt64
  private var files: [File] = []
  /// The first that is not in its place.
  private var next = 0
  /// Where the files lie until they are published. The lock is held as long as one of them may be.
  private let state: StateDirectory

  /// Less the umask (CONTRACT section 5).
  static let fileMode: UInt32 = 0o644

  private final class File: @unchecked Sendable {
    let name: String
    let bytes: [UInt8]
    let digest: Int
    /// Nil until it is written, and once it is in its place.
    private var file: AtomicFile?

    init(name: String, bytes: [UInt8], digest: Int) {
      self.name = name
      self.bytes = bytes
      self.digest = digest
    }

    var path: String { "\(CacheLayout.snapshots)/\(name)" }

    /// Writes it beside its place, and closes it: many files wait together, and a process has only so many descriptors.
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

  init(generation: Int, state: StateDirectory) {
    self.generation = generation
    self.state = state
    device = (try? Directory.identity(of: state.raw))?.device ?? 0
  }

  /// Drafts a file.
  func add(_ bytes: [UInt8], as name: String, digest: Int) {
    files.append(File(name: name, bytes: bytes, digest: digest))
  }

  /// The names of all files but the manifest's.
  var names: [String] { files.map(\.name).filter { $0 != CacheLayout.manifest } }

  /// Writes every file beside its place and has it on disk, all at once, so that one commit of the file system's journal takes
  /// them all (``WorkerPool``).
  package func writeAndFlush(with pool: WorkerPool) throws(PublishError) {
    let files = files
    let failures = pool.begin(files.count) { index in
      PublishError.caught { () throws(PublishError) in try files[index].write(in: self.state.raw, isFlushing: true) }
    }.results()
    if let failure = failures.compactMap(\.self).first { throw failure }
  }

  /// Writes every file beside its place; a failure as a value, for another thread to hand over.
  package func failureOfWriting() -> PublishError? {
    PublishError.caught { () throws(PublishError) in
      for file in files { try file.write(in: state.raw, isFlushing: false) }
    }
  }

  /// Writes the next file beside its place; false when all are in their places.
  func writeNext(isFlushing: Bool) throws(PublishError) -> Bool {
    guard next < files.count else { return false }
    try files[next].write(in: state.raw, isFlushing: isFlushing)
    return true
  }

  /// Waits until everything written to the file system is on disk: for many publications at once, in place of a flush for
  /// each of their files (measured: 70–140 µs a file in a batch of 2,000 against 230–350 µs).
  package func flushFileSystem() throws(PublishError) {
    guard clinux_syncfs(state.raw) == 0 else {
      throw PublishError(.flush, CacheLayout.snapshots, Errno(rawValue: errno))
    }
  }

  /// Removes what was written and is not in its place.
  package func giveUp() { for file in files { file.giveUp() } }

  /// Puts the next file in its place in the open `snapshots`; nil when all are.
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
