import CacheSyncSystem
import Glibc
public import SystemPackage

/// Reads what an agent published in a cache, at any moment and without a lock.
///
/// Every file is complete, and no file that was there before is missing. Where a rename is not atomic for readers, as on
/// FUSE, a call reads again for up to a second before it reports that a file is damaged, or that one is missing that
/// the manifest lists.
///
///     let reader = SnapshotReader(cache: "/home/me/.cache/cachesync")
///     let plan = try reader.snapshot("meal-plan")
///     print(plan.entry(at: .now).content["meals"] ?? .null)
public struct SnapshotReader: Sendable {
  /// The cache directory.
  public let cache: FilePath
  /// Reads a whole file; tests make it fail.
  private let readFile: @Sendable (FilePath) throws(Errno) -> [UInt8]

  /// Makes a reader of the cache at a path. It opens nothing yet.
  public init(cache: FilePath) { self.init(cache: cache, readFile: Self.readFile) }

  package init(cache: FilePath, readFile: @escaping @Sendable (FilePath) throws(Errno) -> [UInt8]) {
    self.cache = cache
    self.readFile = readFile
  }

  /// Reads the snapshot of a kind, such as `meal-plan`.
  ///
  /// - Throws: ``SnapshotError/missing(_:)``, ``SnapshotError/damaged(_:)`` or ``SnapshotError/unreadable(_:)``.
  public func snapshot(_ kind: String) throws(SnapshotError) -> Snapshot {
    guard FilePath.Component(kind)?.kind == .regular else { throw .missing(kind) }
    return try read("\(kind).json", Self.snapshot)
  }

  /// The published kinds, as the manifest lists them: first the kinds of ``KnownKind/all`` in its order, then those of
  /// the cache's own feeds, by name. Empty if the manifest is missing or damaged.
  public func kinds() -> [String] {
    (try? read(CacheLayout.manifest, Self.kinds)) ?? []
  }

  private static func kinds(_ bytes: [UInt8]) -> [String]? {
    guard let manifest = manifest(bytes) else { return nil }
    let published = Set(manifest.files.keys.compactMap { KindName(fileName: $0)?.description })
    let known = KnownKind.all.map(\.name)
    return known.filter(published.contains) + published.subtracting(known).sorted(by: { isOrdered($0, before: $1) })
  }

  /// The bytes of a published file as they are on disk, for programs that pass them on.
  ///
  ///     let index = try SnapshotReader(cache: "/home/me/.cache/cachesync").published("day-index.json")
  ///
  /// - Parameter file: `<kind>.json` for a kind of ``kinds()``, `day-index.json` or `manifest.json`.
  /// - Throws: ``SnapshotError/missing(_:)``, also for any other name, ``SnapshotError/damaged(_:)`` for a file that is
  ///   cut off, or ``SnapshotError/unreadable(_:)``.
  public func published(_ file: String) throws(SnapshotError) -> [UInt8] {
    let isKind = KindName(fileName: file).map { kinds().contains($0.description) } ?? false
    guard isKind || file == CacheLayout.dayIndex || file == CacheLayout.manifest else { throw .missing(file) }
    return try read(file, Self.whole)
  }

  /// Reads the day index: what the cache holds for the days around today.
  ///
  /// - Throws: ``SnapshotError/missing(_:)``, ``SnapshotError/damaged(_:)`` or ``SnapshotError/unreadable(_:)``.
  public func dayIndex() throws(SnapshotError) -> JSONValue {
    try read(CacheLayout.dayIndex, Self.json)
  }

  /// Several snapshots of the same publication, so that they agree.
  public struct Consistent: Sendable {
    /// The generation of that publication.
    public var generation: Int
    /// By kind.
    public var snapshots: [String: Snapshot]
    /// The day index of the same publication.
    public var dayIndex: JSONValue
  }

  /// Reads the day index and snapshots of one publication, so that they agree.
  ///
  /// It reads the manifest, then the files, and compares their generations with the manifest. After a mismatch it
  /// starts again, without a pause at first, and for up to a second. A kind that is not in the cache is left out.
  ///
  /// - Parameter kinds: the kinds to read; nil: all.
  /// - Throws: ``SnapshotError/changing`` after more than a hundred mismatches in a row; ``SnapshotError/missing(_:)`` if the
  ///   manifest or a file that it lists is missing; ``SnapshotError/damaged(_:)`` or ``SnapshotError/unreadable(_:)``
  ///   for a file that cannot be used.
  public func consistent(_ kinds: [String]? = nil) throws(SnapshotError) -> Consistent {
    try read { lookAtAll(kinds) }
  }

  /// The same as ``consistent(_:)`` for an actor or a task: before it starts again it suspends the caller, and not the
  /// thread.
  public func consistentWithoutBlocking(_ kinds: [String]? = nil) async throws(SnapshotError) -> Consistent {
    var rereading = Rereading()
    while true {
      switch lookAtAll(kinds) {
      case .read(let set): return set
      case .failed(let error): throw error
      case .doubtful(let error):
        guard let pause = rereading.pause() else { throw error }
        try? await Task.sleep(for: pause)
      }
    }
  }

  /// The same as ``consistent(_:)`` without waiting, for a program that tries again by itself; nil: a file may be in the
  /// middle of its replacement, or the files do not agree.
  public func consistentNow(_ kinds: [String]? = nil) throws(SnapshotError) -> Consistent? {
    switch lookAtAll(kinds) {
    case .read(let set): return set
    case .failed(let error): throw error
    case .doubtful: return nil
    }
  }

  /// Looks once at the files of one publication. Files that do not agree are in doubt.
  private func lookAtAll(_ kinds: [String]? = nil) -> Look<Consistent> {
    // A publication takes a fraction of a millisecond, so that ten mismatches in a row are rare. A FUSE file system may
    // give old files for some names for longer.
    for _ in 0..<10 {
      do throws(Interruption) {
        if let set = try attempt(kinds) { return .read(set) }
      } catch {
        return error.isDoubtful ? .doubtful(error.error) : .failed(error.error)
      }
    }
    return .doubtful(.changing)
  }

  private func attempt(_ kinds: [String]?) throws(Interruption) -> Consistent? {
    let manifest = try look(at: CacheLayout.manifest, Self.manifest).get()
    let wanted = kinds.map { Set($0.map { "\($0).json" }) }
    var set = Consistent(generation: manifest.generation, snapshots: [:], dayIndex: .null)
    for (name, file) in manifest.files {
      if name == CacheLayout.dayIndex {
        set.dayIndex = try look(at: name, Self.json).get()
        guard set.dayIndex["generation"]?.int == file.generation else { return nil }
      } else if wanted?.contains(name) ?? true {
        let snapshot = try look(at: name, Self.snapshot).get()
        guard snapshot.generation == file.generation else { return nil }
        set.snapshots[snapshot.kind] = snapshot
      }
    }
    return set
  }

  // MARK: Looking, and looking again

  /// What one look at published files found.
  enum Look<Value> {
    case read(Value)
    /// They cannot be used, but one may be in the middle of its replacement.
    case doubtful(SnapshotError)
    case failed(SnapshotError)

    fileprivate func get() throws(Interruption) -> Value {
      switch self {
      case .read(let value): return value
      case .doubtful(let error): throw Interruption(error: error, isDoubtful: true)
      case .failed(let error): throw Interruption(error: error, isDoubtful: false)
      }
    }
  }

  /// A look at one file that ends the look at several.
  fileprivate struct Interruption: Error {
    var error: SnapshotError
    var isDoubtful: Bool
  }

  /// Looks once at the manifest for the published kinds.
  func lookAtKinds() -> Look<[String]> { look(at: CacheLayout.manifest, Self.kinds) }

  /// Reads a file once.
  ///
  /// A missing file is in doubt only if the manifest lists it, so that asking for what is not published takes no time.
  ///
  /// - Parameter parse: nil for a text that is damaged or cut off.
  func look<Value>(at name: String, _ parse: ([UInt8]) -> Value?) -> Look<Value> {
    do throws(Errno) {
      let bytes = try readFile(path(of: name))
      return parse(bytes).map { .read($0) } ?? .doubtful(.damaged(name))
    } catch {
      let unreadable = SnapshotError.unreadable("cannot read \(name): \(error)")
      return switch error {
      case .noSuchFileOrDirectory: isPublished(name) ? .doubtful(.missing(name)) : .failed(.missing(name))
      case .staleNFSFileHandle: .doubtful(unreadable)
      default: .failed(unreadable)
      }
    }
  }

  /// Whether a file that is missing should be there: the manifest lists it, or `snapshots/` is there without a manifest.
  private func isPublished(_ name: String) -> Bool {
    if name != CacheLayout.manifest, case .read(let manifest) = look(at: CacheLayout.manifest, Self.manifest) {
      return manifest.files[name] != nil
    }
    return cache.appending(CacheLayout.snapshots).exists
  }

  /// Looks again until nothing is in doubt.
  private func read<Value>(_ look: () -> Look<Value>) throws(SnapshotError) -> Value {
    var rereading = Rereading()
    while true {
      switch look() {
      case .read(let value): return value
      case .failed(let error): throw error
      case .doubtful(let error): guard rereading.wait() else { throw error }
      }
    }
  }

  private func read<Value>(_ name: String, _ parse: ([UInt8]) -> Value?) throws(SnapshotError) -> Value {
    try read { look(at: name, parse) }
  }

  private func path(of name: String) -> FilePath { cache.appending(CacheLayout.snapshots).appending(name) }

  private static func readFile(_ path: FilePath) throws(Errno) -> [UInt8] {
    do {
      return try FileDescriptor.readAll(at: path)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  private static func snapshot(_ bytes: [UInt8]) -> Snapshot? { try? Snapshot(bytes: bytes) }

  private static func manifest(_ bytes: [UInt8]) -> Manifest? { bytes.withUnsafeBytes { Manifest($0) } }

  private static func json(_ bytes: [UInt8]) -> JSONValue? { bytes.withUnsafeBytes { JSONValue.parse($0) } }

  /// A published file is one line, so one that is cut off does not end with a newline.
  static func whole(_ bytes: [UInt8]) -> [UInt8]? { bytes.last == UInt8(ascii: "\n") ? bytes : nil }
}
