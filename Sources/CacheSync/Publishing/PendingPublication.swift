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
  private let temporaries: Temporaries
  private let reusableThrough: Int?
  /// Whether replaced files are kept for the next publication, or until all is quiet.
  var keepsReplaced = true
  private(set) var names: [String] = []

  /// Less the umask (CONTRACT section 5).
  static let fileMode: UInt32 = 0o644

  /// A file that is to be written.
  private struct Draft {
    let name: String
    let bytes: [UInt8]
    let digest: Int
    let current: PublishedFile?
  }

  private final class File {
    let name: String
    let digest: Int
    let byteCount: Int
    /// The name that the file which is to be replaced has among the temporaries; nil: none.
    let spare: Temporaries.Spare?
    private var file: AtomicFile?

    init(_ file: consuming AtomicFile, name: String, digest: Int, byteCount: Int, spare: Temporaries.Spare?) {
      self.name = name
      self.spare = spare
      self.digest = digest
      self.byteCount = byteCount
      self.file = consume file
    }

    func startWriteback() { file?.startWriteback() }

    /// The open file, until it is published.
    var raw: Int32? { file?.raw }

    func publish(in directory: Int32) throws(Errno) -> FileIdentity? {
      guard let file = file.take() else { return nil }
      return try file.publish(as: name, in: directory)
    }
  }

  /// - Parameter reusableThrough: the files that this generation and earlier ones replaced may be written again; nil: none
  ///   are, and none are kept for it.
  init(
    generation: Int, root: CacheRoot, directory: consuming Descriptor, temporaries: Temporaries, reusableThrough: Int?
  ) {
    self.generation = generation
    self.temporaries = temporaries
    // Asked before anything of this publication is replaced, which would look like a burst.
    self.reusableThrough = temporaries.isInBurst ? reusableThrough : nil
    device = (try? Directory.identity(of: directory.raw))?.device ?? 0
    self.directory = OutputDirectory(directory, in: root, isNew: generation == 1)
  }

  /// Takes in a file, which is then to be written.
  ///
  /// - Parameter current: the file that was published last under the name.
  func add(_ bytes: [UInt8], as name: String, digest: Int, replacing current: PublishedFile?) {
    drafts.append(Draft(name: name, bytes: bytes, digest: digest, current: current))
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
      var file = try temporaries.makeFile(for: name, reusingThrough: reusableThrough, mode: Self.fileMode)
      operation = .write
      try file.write(draft.bytes)
      if isClosing { try file.close() }
      // Now and not when it is replaced: whoever deletes the cache meanwhile should not meet new names as it ends.
      let spare =
        reusableThrough == nil ? nil : temporaries.link(name, draft.current, in: directory.raw, replacedBy: generation)
      files.append(File(file, name: name, digest: draft.digest, byteCount: draft.bytes.count, spare: spare))
      if name != CacheLayout.manifest { names.append(name) }
    } catch {
      if operation == .create, error == .noSuchFileOrDirectory { throw .outputsRemoved }
      throw PublishError(operation, path(name), error)
    }
  }

  private func path(_ name: String) -> String { "\(CacheLayout.snapshots)/\(name)" }

  /// Waits until the data of every file are on disk.
  ///
  /// All are sent on their way before the first is waited for, and then waited for together, so that one commit of the file
  /// system's journal takes them all: one after the other would be a commit, or at least a wait for the disk, for each.
  func flush() throws(PublishError) {
    let files = files[next...]
    if files.count > 1 { for file in files { file.startWriteback() } }
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

  /// Keeps the file that is about to be replaced, because a rename that lets go of its last holder waits until the file
  /// system has freed its blocks (measured on ext4 with online discard: 1.2 ms, and 14 µs for the rename without it), and
  /// readers wait with it.
  private func holdReplaced(_ name: String) {
    let old = clinux_open_path(directory.raw, name, false)
    guard old >= 0 else { return }
    if DescriptorReserve.isTouched(by: old) { close(old) } else { temporaries.keep(old) }
  }

  /// Removes what is not in its place.
  package func giveUp() {
    for file in files[next...] { file.spare.map(temporaries.unlink) }
    files.removeSubrange(next...)
  }

  deinit { giveUp() }

  /// Puts the next file in its place; nil when all are.
  func publishNext() throws(PublishError) -> (name: String, published: PublishedFile)? {
    guard next < files.count else { return nil }
    let file = files[next]
    if keepsReplaced, file.spare == nil { holdReplaced(file.name) }
    let identity: FileIdentity?
    do throws(Errno) {
      identity = try file.publish(in: directory.raw)
    } catch {
      throw PublishError(.rename, path(file.name), error)
    }
    if let spare = file.spare { temporaries.keep(spare) }
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
