import Glibc
import SystemPackage

/// The files under `snapshots/` of one cache: writes what changed, each file whole, the manifest last, under one generation.
package final class SnapshotStore {
  private let root: CacheRoot
  package private(set) var files: [String: PublishedFile] = [:]
  private var manifest: PublishedFile?
  /// The greatest generation that any output has, or that was written by this process.
  package private(set) var generation: Int
  /// Whether the manifest must be written though no other file changes.
  private var needsManifest = false
  /// Whether renames may not be on disk yet.
  package private(set) var needsDirectoryFlush = false
  /// Whether it was tried and failed to bring them there.
  private var isDirectoryFlushOverdue = false

  /// A publication that happened.
  package struct Publication: Sendable {
    package var generation: Int
    package var written: [String]
    /// What must be flushed before the publication survives power loss; nil where that was not asked for, or is done.
    package var unflushed: OutputDirectory?

    package init(_ pending: PendingPublication, isFlushed: Bool) {
      generation = pending.generation
      written = pending.names
      unflushed = isFlushed ? nil : pending.directory
    }
  }

  /// - Parameter generation: the greatest one known from elsewhere, such as from a cache directory of the same path that is
  ///   gone.
  package init(root: CacheRoot, generation: Int = 0) {
    self.root = root
    self.generation = generation
  }

  /// Takes note of a generation that was published before, whatever the outputs say.
  package func goBeyond(_ published: Int) { generation = max(generation, published) }

  // MARK: What is there

  /// The names of the files that are there, or that the manifest says were.
  package private(set) var known: Set<String> = []

  /// Reads every output, to go on from it: damaged files are written again, generations go on from the greatest.
  ///
  /// - Parameter names: the files that belong here; others are somebody else's and stay.
  package func takeStock(of names: some Sequence<String>) {
    let published = generation
    generation = 0
    defer { goOn(from: published) }
    files = [:]
    known = []
    guard
      let directory = Descriptor(
        openat(root.raw, CacheLayout.snapshots, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    else {
      manifest = nil
      needsManifest = false
      return
    }
    for name in names {
      guard let found = Self.read(name, in: directory.raw) else { continue }
      known.insert(name)
      note(found.file, as: name)
    }
    takeStockOfManifest(in: directory.raw)
  }

  /// A directory that comes back after another one was published in its place holds older generations than readers of the
  /// path have seen: it is written anew, so that they see greater ones.
  private func goOn(from published: Int) {
    guard published > generation else { return }
    generation = published
    for name in files.keys { files[name]?.digest = nil }
    if manifest != nil || !files.isEmpty { needsManifest = true }
  }

  private func note(_ file: PublishedFile, as name: String) {
    files[name] = file
    generation = max(generation, file.generation)
  }

  private func takeStockOfManifest(in directory: Int32) {
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
    // To the byte, no older than any file, and for everybody to read.
    let expected = currentManifest(generation: found.generation, publishedAt: found.publishedAt)
    needsManifest = found.generation < generation || bytes != expected.encoded() || !file.isReadable
  }

  private func currentManifest(generation: Int, publishedAt: Instant) -> Manifest {
    Manifest(
      files: files.mapValues { Manifest.File(bytes: $0.byteCount, generation: $0.generation) }, generation: generation,
      publishedAt: publishedAt)
  }

  /// No output is nearly as large; what is, was put there by somebody else.
  private static let maximumOutputBytes = 1 << 28

  private static func read(_ name: String, in directory: Int32) -> (file: PublishedFile, bytes: [UInt8])? {
    guard let file = Descriptor(openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
      let identity = try? Directory.identity(of: file.raw), identity.type == .regular,
      identity.size <= maximumOutputBytes
    else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(identity.size)) { buffer, count in
      count = 0
      while count < buffer.count, let base = buffer.baseAddress {
        let got = Glibc.read(file.raw, base + count, buffer.count - count)
        if got <= 0 { break }
        count += got
      }
    }
    var found = PublishedFile(reading: bytes, identity: identity)
    // More than that is what file systems without permissions say of every file.
    let wanted = PendingPublication.fileMode & ~Umask.current
    found.isReadable = Directory.permissions(of: file.raw).map { $0 & wanted == wanted } ?? true
    return (found, bytes)
  }

  /// Looks whether somebody removed or changed an output; true when something must be put back.
  package func verify() -> Bool {
    guard !files.isEmpty || manifest != nil else { return false }
    var isDamaged = false
    let directory = openat(root.raw, CacheLayout.snapshots, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    defer { if directory >= 0 { close(directory) } }
    for (name, file) in files where !isInPlace(file, name, in: directory) {
      isDamaged = true
      files[name]?.digest = nil
      guard directory >= 0, let found = Self.read(name, in: directory) else { continue }
      // The same content under another inode is as good, and its generation counts in any case.
      note(found.file, as: name)
      if files[name]?.digest != file.digest || files[name]?.generation != file.generation { files[name]?.digest = nil }
    }
    if let manifest, !isInPlace(manifest, CacheLayout.manifest, in: directory) {
      isDamaged = true
      needsManifest = true
      // Seen and to be put back; nobody is suspected of deleting the cache at this moment.
      self.manifest = nil
    }
    return isDamaged
  }

  private func isInPlace(_ file: PublishedFile, _ name: String, in directory: Int32) -> Bool {
    guard directory >= 0, let found = try? Directory.identity(of: CachePath(name), in: directory) else { return false }
    return found.type == .regular && file.isStill(found)
  }

  // MARK: Publishing

  /// Whether a document differs from what is under its name.
  package func isNew(_ document: OutputDocument, as name: String) -> Bool {
    guard let file = files[name], let digest = file.digest, file.isReadable else { return true }
    return digest != document.digest
  }

  package var mustWriteManifest: Bool { needsManifest }

  /// Writes the documents that are new, then the manifest, under the next generation; nil when nothing is. With durability
  /// `flush` the caller goes on to flush the directory, and says what came of it.
  ///
  /// After a failure every file is whole, the old one or the new one, and the next publication writes the rest. What was
  /// renamed keeps its generation, which is then never given again.
  package func publish(
    _ documents: [(name: String, document: OutputDocument)], at moment: Instant, durability: Durability,
    state: StateDirectory
  ) throws(PublishError) -> Publication? {
    guard durability == .flush else { return try publishOneByOne(documents, at: moment, durability, state: state) }
    do throws(PublishError) {
      guard let pending = try prepare(documents, at: moment, state: state) else {
        try flushWhatIsLeft()
        return nil
      }
      try pending.write()
      try pending.flush()
      return try finish(pending)
    } catch {
      // A disk that has no room for all of them beside the old ones may have it for one at a time.
      guard error.isLackOfSpace else { throw error }
      return try publishOneByOne(documents, at: moment, durability, state: state)
    }
  }

  private func publishOneByOne(
    _ documents: [(name: String, document: OutputDocument)], at moment: Instant, _ durability: Durability,
    state: StateDirectory
  ) throws(PublishError) -> Publication? {
    let strategy = CommitStrategy.oneByOne(isFlushing: durability == .flush)
    guard let pending = try prepare(documents, at: moment, state: state, committing: strategy) else {
      try flushWhatIsLeft()
      return nil
    }
    return published(pending, durability)
  }

  /// Puts what is written and flushed in its place. The caller goes on to flush the directory.
  package func finish(_ pending: PendingPublication) throws(PublishError) -> Publication {
    try commit(pending)
    return published(pending, .flush)
  }

  private func published(_ pending: PendingPublication, _ durability: Durability) -> Publication {
    if durability == .flush { needsDirectoryFlush = true }
    return Publication(pending, isFlushed: durability == .rename)
  }

  /// When the files of a publication are written and go to their places.
  package enum CommitStrategy {
    /// The caller writes, flushes and commits them, all together or with those of other caches.
    case together
    /// Each as soon as it is made: where there is no flush to share, or no room for two at a time.
    case oneByOne(isFlushing: Bool)
  }

  /// The first half of a publication: the files are made, and those that are to be seen at once are put in their places.
  /// Nil when nothing is new.
  package func prepare(
    _ documents: [(name: String, document: OutputDocument)], at moment: Instant, state: StateDirectory,
    committing strategy: CommitStrategy = .together
  ) throws(PublishError) -> PendingPublication? {
    let new = documents.filter { isNew($0.document, as: $0.name) }
    guard !new.isEmpty || needsManifest else { return nil }
    let directory = try OwnedDirectory.open(
      CacheLayout.snapshots, in: root, mode: 0o755, isExact: false, creating: true)
    let pending = PendingPublication(generation: generation + 1, root: root, directory: directory, state: state)
    var manifest = currentManifest(generation: pending.generation, publishedAt: moment)
    for (name, document) in new {
      let bytes = document.bytes(generation: pending.generation, publishedAt: moment)
      pending.add(bytes, as: name, digest: document.digest)
      try commit(pending, strategy)
      manifest.files[name] = Manifest.File(bytes: bytes.count, generation: pending.generation)
    }
    pending.add(manifest.encoded(), as: CacheLayout.manifest, digest: 0)
    try commit(pending, strategy)
    return pending
  }

  private func commit(_ pending: PendingPublication, _ strategy: CommitStrategy) throws(PublishError) {
    guard case .oneByOne(let isFlushing) = strategy else { return }
    try pending.write()
    if isFlushing { try pending.flush() }
    try commit(pending)
  }

  /// Says what came of bringing the renames up to a generation to the disk.
  package func noteDirectoryFlush(through generation: Int, hasFailed: Bool) {
    if hasFailed {
      needsDirectoryFlush = true
      isDirectoryFlushOverdue = true
    } else {
      guard generation == self.generation else { return }
      needsDirectoryFlush = false
      isDirectoryFlushOverdue = false
    }
  }

  /// Flushes the renames of earlier publications whose flush failed: nothing new must not look like success.
  package func flushWhatIsLeft() throws(PublishError) {
    guard isDirectoryFlushOverdue else { return }
    let directory = try OwnedDirectory.open(
      CacheLayout.snapshots, in: root, mode: 0o755, isExact: false, creating: false)
    try OutputDirectory(directory, in: root, isNew: true).flush()
    noteDirectoryFlush(through: generation, hasFailed: false)
  }

  /// Puts every file in its place, the manifest last.
  private func commit(_ pending: PendingPublication) throws(PublishError) {
    while true {
      try requireNobodyRemoves(pending)
      guard let file = try pending.publishNext() else { return }
      // From the first rename on the generation stands for these bytes and no others, whatever fails next.
      generation = pending.generation
      needsManifest = file.name != CacheLayout.manifest
      if needsManifest { files[file.name] = file.published } else { manifest = file.published }
    }
  }

  /// Where the manifest went, somebody is probably deleting the cache, and a file put there now would be in their way: the
  /// publication is given up once, and tried again a little later.
  private func requireNobodyRemoves(_ pending: PendingPublication) throws(PublishError) {
    guard manifest != nil, pending.isMissing(CacheLayout.manifest) else { return }
    _ = verify()
    throw .outputsRemoved
  }
}
