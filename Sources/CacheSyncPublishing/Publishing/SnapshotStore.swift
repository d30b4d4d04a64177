package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import SystemPackage

/// The files in `snapshots/` of one cache.
///
/// It writes each changed file whole, all with the same generation, and the manifest last.
package final class SnapshotStore {
  let root: CacheRoot
  package private(set) var files: [String: PublishedFile] = [:]
  private var manifest: PublishedFile?
  /// The greatest generation of any output that was found or written.
  package private(set) var generation: Int
  /// Whether the manifest must be written even if no other file changes.
  private var needsManifest = false
  /// Whether renames may not be on disk yet: flushing their directory failed, or an earlier run was killed before that
  /// flush.
  private var needsDirectoryFlush = false
  /// Whether the name of `snapshots` in the cache may not be on disk yet.
  private var needsParentFlush = true
  /// Whether the outputs that this run did not publish are on disk; nil until the marker of earlier runs is read.
  private var hasFlushed: Bool?
  /// Whether the existing outputs must be written again with a greater generation, even if they are up to date.
  private var mustRewrite: Bool
  /// The `publishedAt` of the latest manifest that was found or written; nil before the first.
  package private(set) var lastPublication: Instant?
  private let pool: WorkerPool
  let uptime: any UptimeClock

  /// - Parameters:
  ///   - generation: the greatest one known from elsewhere, such as from an earlier directory at the same path.
  ///   - mustRewrite: whether to write the existing outputs again with a greater generation, even if they are up to
  ///     date: readers may have seen another directory at the path.
  ///   - pool: the threads that flush several files at once.
  ///   - uptime: the clock that measures publications.
  package init(
    root: CacheRoot, generation: Int = 0, mustRewrite: Bool = false, pool: WorkerPool = WorkerPool(),
    uptime: any UptimeClock = SystemUptimeClock()
  ) {
    self.root = root
    self.generation = generation
    self.mustRewrite = mustRewrite
    self.pool = pool
    self.uptime = uptime
  }

  /// Makes the next generation greater than a published one, whatever the outputs contain.
  package func raiseGeneration(toAtLeast published: Int) { generation = max(generation, published) }

  // MARK: Existing outputs

  /// The names of the outputs that exist or that the manifest lists.
  package private(set) var known: Set<String> = []

  /// Reads the outputs of earlier runs. Damaged ones will be written again, and generations continue from the greatest.
  ///
  /// - Parameter names: the files that belong here, besides those of kinds that the manifest lists. Files with other
  ///   names are ignored.
  package func readExistingOutputs(named names: some Sequence<String>) {
    let published = generation
    generation = 0
    defer { continueGenerations(after: published) }
    files = [:]
    known = []
    needsParentFlush = true
    hasFlushed = nil
    guard
      let directory = Descriptor(
        openat(root.raw, CacheLayout.snapshots, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    else {
      manifest = nil
      needsManifest = false
      return
    }
    let listed = Self.read(CacheLayout.manifest, in: directory.raw).flatMap { _, bytes in
      bytes.withUnsafeBytes { Manifest($0) }?.files.keys.filter { KindName(fileName: $0) != nil }
    }
    for name in Set(names).union(listed ?? []) {
      guard let found = Self.read(name, in: directory.raw) else { continue }
      known.insert(name)
      record(found.file, as: name)
    }
    needsDirectoryFlush = !files.isEmpty
    readExistingManifest(in: directory.raw)
  }

  /// Requires that every output is written again when readers of the path have seen a greater generation than the
  /// outputs have.
  ///
  /// This happens when a directory returns after the agent published into another one in its place.
  private func continueGenerations(after published: Int) {
    guard published > generation || mustRewrite else { return }
    mustRewrite = false
    generation = max(generation, published)
    for name in files.keys { files[name]?.digest = nil }
    if manifest != nil || !files.isEmpty { needsManifest = true }
  }

  private func record(_ file: PublishedFile, as name: String) {
    files[name] = file
    generation = max(generation, file.generation)
  }

  private func readExistingManifest(in directory: Int32) {
    needsManifest = true
    manifest = nil
    guard let (file, bytes) = Self.read(CacheLayout.manifest, in: directory) else { return }
    guard let found = bytes.withUnsafeBytes({ Manifest($0) }) else {
      generation = max(generation, Manifest.generation(inDamaged: bytes))
      return
    }
    known.formUnion(found.files.keys)
    generation = max(generation, found.generation, found.files.values.map(\.generation).max() ?? 0)
    manifest = PublishedFile(
      digest: 0, generation: found.generation, byteCount: bytes.count, identity: file.identity)
    lastPublication = found.publishedAt
    // The manifest must match byte for byte, must not be older than any file, and must be readable like the others.
    let expected = currentManifest(generation: found.generation, publishedAt: found.publishedAt)
    needsManifest = found.generation < generation || bytes != expected.encoded() || !file.isReadable
  }

  private func currentManifest(generation: Int, publishedAt: Instant) -> Manifest {
    Manifest(
      files: files.mapValues { Manifest.File(bytes: $0.byteCount, generation: $0.generation) }, generation: generation,
      publishedAt: publishedAt)
  }

  /// No output is nearly this large: a larger file belongs to another program.
  private static let maximumOutputBytes = 1 << 28

  private static func read(_ name: String, in directory: Int32) -> (file: PublishedFile, bytes: [UInt8])? {
    guard let file = Descriptor(openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
      let identity = try? Directory.identity(of: file.raw), identity.type == .regular,
      identity.size <= maximumOutputBytes,
      let bytes = try? FileDescriptor(rawValue: file.raw).readAll(limit: maximumOutputBytes)
    else { return nil }
    var found = PublishedFile(reading: bytes, identity: identity)
    // Additional permissions are accepted: file systems without permissions report them for every file.
    let wanted = clinux_mode_in(directory, Publication.fileMode, Umask.current)
    found.isReadable = Directory.permissions(of: file.raw).map { $0 & wanted == wanted } ?? true
    return (found, bytes)
  }

  /// Checks whether another program removed or changed an output; true when a file must be restored.
  package func verify() -> Bool {
    guard !files.isEmpty || manifest != nil else { return false }
    var isDamaged = false
    let directory = openat(root.raw, CacheLayout.snapshots, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    defer { if directory >= 0 { close(directory) } }
    for (name, file) in files where !isInPlace(file, name, in: directory) {
      isDamaged = true
      files[name]?.digest = nil
      guard directory >= 0, let found = Self.read(name, in: directory) else { continue }
      // The same content in another inode is valid once it is on disk. Its generation counts in any case.
      hasFlushed = false
      record(found.file, as: name)
      if files[name]?.digest != file.digest || files[name]?.generation != file.generation { files[name]?.digest = nil }
    }
    if let manifest, !isInPlace(manifest, CacheLayout.manifest, in: directory) {
      isDamaged = true
      needsManifest = true
      // Forgotten, so that the next publication restores it instead of assuming that the cache is being deleted.
      self.manifest = nil
    }
    return isDamaged
  }

  /// The outputs that another program removed, in any order. A sweep finds those that it only changed.
  package var missing: [String] {
    guard !files.isEmpty else { return [] }
    let names = files.keys + (lastPublication == nil ? [] : [CacheLayout.manifest])
    let directory = openat(root.raw, CacheLayout.snapshots, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { return [ENOENT, ENOTDIR, ELOOP].contains(errno) ? names : [] }
    defer { close(directory) }
    var about = stat()
    return names.filter { fstatat(directory, $0, &about, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT }
  }

  /// Forgets an output that another program deleted, so that the manifest no longer lists it. False when the output
  /// exists.
  package func removeIfDeleted(_ name: String) -> Bool {
    do throws(Errno) {
      _ = try Directory.identity(of: CachePath("\(CacheLayout.snapshots)/\(name)"), in: root.raw)
      return false
    } catch {
      guard error == .noSuchFileOrDirectory else { return false }
      known.remove(name)
      if files.removeValue(forKey: name) != nil { needsManifest = true }
      return true
    }
  }

  private func isInPlace(_ file: PublishedFile, _ name: String, in directory: Int32) -> Bool {
    guard directory >= 0, let found = try? Directory.identity(of: CachePath(name), in: directory) else { return false }
    return found.type == .regular && file.matches(found)
  }

  // MARK: Publishing

  /// Whether a document differs from the existing output with its name.
  package func isNew(_ document: OutputDocument, as name: String) -> Bool {
    guard let file = files[name], let digest = file.digest, file.isReadable else { return true }
    return digest != document.digest
  }

  package var mustWriteManifest: Bool { needsManifest }

  /// Writes the new documents, then the manifest, with the next generation; nil when no document is new.
  ///
  /// After a failure every file is intact, either old or new, and the next publication writes the rest. Renamed files
  /// keep their generation, which is never used again.
  package func publish(
    _ documents: [(name: String, document: OutputDocument)], at moment: Instant, durability: Durability,
    state: StateDirectory
  ) throws(PublishError) -> Publication? {
    guard let publication = try draft(documents, at: moment, durability: durability, state: state) else { return nil }
    Publication.publish([publication], with: pool)
    if let failure = publication.failure { throw failure }
    return publication
  }

  /// Drafts a publication without writing anything; nil when no document is new.
  package func draft(
    _ documents: [(name: String, document: OutputDocument)], at moment: Instant, durability: Durability,
    state: StateDirectory
  ) throws(PublishError) -> Publication? {
    if hasFlushed == nil { hasFlushed = state.hasFlushed }
    let new = documents.filter { isNew($0.document, as: $0.name) }
    guard !new.isEmpty || needsManifest else {
      if durability == .flush { try flushEarlierPublications(state: state) }
      return nil
    }
    // The check comes before anything is created: a new file would make a deletion of the cache fail.
    let directory = try OutputDirectory(in: root, creating: true, check: noticeRemoval)
    if directory.isNew { needsParentFlush = true }
    let publication = Publication(
      generation: generation + 1, publishedAt: moment, durability: durability, in: directory, of: self, state: state)
    var manifest = currentManifest(generation: publication.generation, publishedAt: moment)
    for (name, document) in new {
      let bytes = document.bytes(generation: publication.generation, publishedAt: moment)
      publication.add(bytes, as: name, digest: document.digest)
      manifest.files[name] = Manifest.File(bytes: bytes.count, generation: publication.generation)
    }
    publication.add(manifest.encoded(), as: CacheLayout.manifest, digest: 0)
    return publication
  }

  /// Records that an output was renamed into place. From the first rename on, the generation identifies exactly these
  /// bytes, even if a later step fails.
  func record(_ file: PublishedFile, as name: String, publishedAt: Instant) {
    needsDirectoryFlush = true
    generation = file.generation
    needsManifest = name != CacheLayout.manifest
    if needsManifest {
      files[name] = file
    } else {
      manifest = file
      lastPublication = publishedAt
    }
  }

  /// Whether the last published manifest still exists. If it is missing, the cache is probably being deleted.
  package var isManifestInPlace: Bool {
    guard manifest != nil else { return true }
    return (try? Directory.identity(of: CachePath("\(CacheLayout.snapshots)/\(CacheLayout.manifest)"), in: root.raw))
      != nil
  }

  /// Looks for the manifest. If it is missing, the cache is probably being deleted, and a new file would make that fail. So
  /// this records that there are no outputs, and throws; the publisher tries again a little later, and then makes them anew.
  func noticeRemoval(in outputs: Int32) throws(PublishError) {
    guard manifest != nil else { return }
    do throws(Errno) {
      _ = try Directory.identity(of: CachePath(CacheLayout.manifest), in: outputs)
    } catch .noSuchFileOrDirectory {
      _ = verify()
      throw .outputsRemoved
    } catch {}
  }

  // MARK: Durability

  /// Records that outputs were published without a flush.
  func removeFlush(in state: StateDirectory) {
    guard hasFlushed != false else { return }
    state.hasFlushed = false
    hasFlushed = false
  }

  /// Flushes the data of the unchanged outputs when no earlier publication has, because its durability was `rename`.
  func flushOlderOutputs(except names: [String], in directory: OutputDirectory) throws(PublishError) {
    if hasFlushed == true { return }
    let older = files.keys.filter { !names.contains($0) } + (manifest == nil ? [] : [CacheLayout.manifest])
    let failures = pool.begin(older.count) { index -> Errno? in
      do throws(Errno) {
        try Directory.flush(CachePath(older[index]), in: directory.raw)
        return nil
      } catch {
        return error == .noSuchFileOrDirectory ? nil : error
      }
    }.results()
    for (name, failure) in zip(older, failures) {
      guard let failure else { continue }
      // A second flush may report success for data that are lost (fsync(2), "errors"), so the file is rewritten.
      files[name]?.digest = nil
      if name == CacheLayout.manifest { needsManifest = true }
      throw PublishError(.flush, "\(CacheLayout.snapshots)/\(name)", failure)
    }
  }

  /// Waits until the renames, and the directories created for them, are on disk.
  func flushNames(in directory: OutputDirectory, state: StateDirectory) throws(PublishError) {
    do throws(Errno) {
      try Directory.flush(directory.raw)
      if needsParentFlush { try Directory.flush(root.raw) }
    } catch {
      throw PublishError(.flush, CacheLayout.snapshots, error)
    }
    recordFlush(in: state)
  }

  /// Records that everything published is on disk.
  func recordFlush(in state: StateDirectory) {
    needsDirectoryFlush = false
    needsParentFlush = false
    if hasFlushed != true { state.hasFlushed = true }
    hasFlushed = true
  }

  /// Flushes earlier publications that may not be on disk: the flush failed, the process was killed, or the durability
  /// was `rename`. Otherwise a pass with nothing new would report success too early.
  private func flushEarlierPublications(state: StateDirectory) throws(PublishError) {
    guard needsDirectoryFlush || (hasFlushed == false && !files.isEmpty) else { return }
    let directory = try OutputDirectory(in: root)
    try flushOlderOutputs(except: [], in: directory)
    try flushNames(in: directory, state: state)
  }
}
