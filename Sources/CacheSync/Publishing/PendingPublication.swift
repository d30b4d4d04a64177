import CLinux
import Glibc
import SystemPackage

/// The files of one publication that are not yet in their places. Those that are given up remove themselves.
///
/// One thread at a time has it; who has it may let another one write it.
package final class PendingPublication: @unchecked Sendable {
  package let generation: Int
  /// The file system that the publication is on; a flush of it serves every publication there.
  package let device: UInt64
  /// Where it goes.
  package let directory: OutputDirectory
  private var drafts: [Draft] = []
  private var files: [File] = []
  private var next = 0
  /// Where the files lie until they are published. The lock is held as long as one of them may be.
  private let state: StateDirectory
  private(set) var names: [String] = []

  /// Less the umask (CONTRACT section 5).
  static let fileMode: UInt32 = 0o644

  /// A file that is to be written.
  private struct Draft {
    let name: String
    let bytes: [UInt8]
    let digest: Int
  }

  private final class File {
    let name: String
    let digest: Int
    let byteCount: Int
    private var file: AtomicFile?

    init(_ file: consuming AtomicFile, name: String, digest: Int, byteCount: Int) {
      self.name = name
      self.digest = digest
      self.byteCount = byteCount
      self.file = consume file
    }

    /// The open file, until it is published.
    var raw: Int32? { file?.raw }

    func publish(in directory: Int32) throws(Errno) -> FileIdentity? {
      guard let file = file.take() else { return nil }
      return try file.publish(as: name, in: directory)
    }
  }

  init(generation: Int, root: CacheRoot, directory: consuming Descriptor, state: StateDirectory) {
    self.generation = generation
    self.state = state
    device = (try? Directory.identity(of: directory.raw))?.device ?? 0
    self.directory = OutputDirectory(directory, in: root, isNew: generation == 1)
  }

  /// Takes in a file, which is then to be written.
  func add(_ bytes: [UInt8], as name: String, digest: Int) {
    drafts.append(Draft(name: name, bytes: bytes, digest: digest))
  }

  /// Writes what was taken in beside its place.
  func write() throws(PublishError) { try write(closing: false) }

  /// The same with files that are closed, because many wait together; a failure as a value, for another thread to hand over.
  package func failureOfWriting() -> PublishError? {
    PublishError.caught { () throws(PublishError) in try write(closing: true) }
  }

  private func write(closing isClosing: Bool) throws(PublishError) {
    let drafts = drafts
    self.drafts = []
    for draft in drafts { try write(draft, closing: isClosing) }
  }

  private func write(_ draft: Draft, closing isClosing: Bool) throws(PublishError) {
    let name = draft.name
    var operation = PublishError.Operation.create
    do throws(Errno) {
      var file = try AtomicFile(in: state.raw, mode: Self.fileMode)
      operation = .write
      try file.write(draft.bytes)
      if isClosing { try file.close() }
      files.append(File(file, name: name, digest: draft.digest, byteCount: draft.bytes.count))
      if name != CacheLayout.manifest { names.append(name) }
    } catch {
      if operation == .create, error == .noSuchFileOrDirectory { throw .outputsRemoved }
      throw PublishError(operation, path(name), error)
    }
  }

  private func path(_ name: String) -> String { "\(CacheLayout.snapshots)/\(name)" }

  /// Waits until the data of every file are on disk.
  ///
  /// All are waited for together, so that one commit of the file system's journal takes them all: one after the other would
  /// be a commit, or at least a wait for the disk, for each.
  func flush() throws(PublishError) {
    let files = files[next...]
    for (file, failure) in zip(files, DiskWorkers.shared.flush(files.compactMap(\.raw))) {
      if let failure { throw PublishError(.flush, path(file.name), failure) }
    }
  }

  /// Waits until everything written to the file system is on disk: for many publications at once, in place of a flush for
  /// each of their files (measured: 70–140 µs a file in a batch of 2,000 against 230–350 µs).
  package func flushFileSystem() throws(PublishError) {
    guard clinux_syncfs(directory.raw) == 0 else {
      throw PublishError(.flush, CacheLayout.snapshots, Errno(rawValue: errno))
    }
  }

  /// Whether there is no file of that name where this publication goes.
  func isMissing(_ name: String) -> Bool {
    do throws(Errno) {
      _ = try Directory.identity(of: CachePath(name), in: directory.raw)
      return false
    } catch {
      return error == .noSuchFileOrDirectory
    }
  }

  /// Removes what is not in its place.
  package func giveUp() { files.removeSubrange(next...) }

  /// Puts the next file in its place; nil when all are.
  func publishNext() throws(PublishError) -> (name: String, published: PublishedFile)? {
    guard next < files.count else { return nil }
    let file = files[next]
    let identity: FileIdentity?
    do throws(Errno) {
      identity = try file.publish(in: directory.raw)
    } catch {
      throw PublishError(.rename, path(file.name), error)
    }
    next += 1
    return (
      file.name,
      PublishedFile(
        digest: file.digest, generation: generation, byteCount: file.byteCount, identity: identity)
    )
  }
}

/// The open `snapshots` of a cache, to be flushed after renames in it, also from another thread.
package final class OutputDirectory: Sendable {
  private let root: CacheRoot
  private let directory: Descriptor
  private let isNew: Bool

  /// - Parameter isNew: whether its own name in the cache may not be on disk either.
  init(_ directory: consuming Descriptor, in root: CacheRoot, isNew: Bool) {
    self.root = root
    self.directory = directory
    self.isNew = isNew
  }

  var raw: Int32 { directory.raw }

  /// Waits until the renames are on disk.
  package func flush() throws(PublishError) {
    guard fsync(directory.raw) == 0, !isNew || fsync(root.raw) == 0 else {
      throw PublishError(.flush, CacheLayout.snapshots, Errno(rawValue: errno))
    }
  }

  /// The same as a value, for another thread to hand over.
  func failureOfFlush() -> PublishError? { PublishError.caught(flush) }
}
