import CacheSyncSystem
import Glibc
public import SystemPackage

/// Reads what an agent published in a cache, at any moment and without a lock.
///
/// Every file is complete, and no file that was there before is missing.
///
///     let reader = SnapshotReader(cache: "/home/me/.cache/cachesync")
///     let plan = try reader.snapshot("meal-plan")
///     print(plan.entry(at: .now).content["meals"] ?? .null)
public struct SnapshotReader: Sendable {
  /// The cache directory.
  public let cache: FilePath

  /// Makes a reader of the cache at a path. It opens nothing yet.
  public init(cache: FilePath) { self.cache = cache }

  /// Reads the snapshot of a kind, such as `meal-plan`.
  ///
  /// - Throws: ``SnapshotError/missing(_:)``, ``SnapshotError/damaged(_:)`` or ``SnapshotError/unreadable(_:)``.
  public func snapshot(_ kind: String) throws(SnapshotError) -> Snapshot {
    try Snapshot(bytes: try bytes(of: kind))
  }

  /// The published kinds, as the manifest lists them: first the kinds of ``KnownKind/all`` in its order, then those of
  /// the cache's own feeds, by name. Empty if the manifest is missing or damaged.
  public func kinds() -> [String] {
    let manifest = (try? read(CacheLayout.manifest)).flatMap { $0.withUnsafeBytes { Manifest($0) } }
    let published = Set((manifest?.files.keys ?? [:].keys).compactMap { KindName(fileName: $0)?.description })
    let known = KnownKind.all.map(\.name)
    return known.filter(published.contains) + published.subtracting(known).sorted(by: { isOrdered($0, before: $1) })
  }

  /// The bytes of a published file as they are on disk, for programs that pass them on.
  ///
  ///     let index = try SnapshotReader(cache: "/home/me/.cache/cachesync").published("day-index.json")
  ///
  /// - Parameter file: `<kind>.json` for a kind of ``kinds()``, `day-index.json` or `manifest.json`.
  /// - Throws: ``SnapshotError/missing(_:)``, also for any other name, or ``SnapshotError/unreadable(_:)``.
  public func published(_ file: String) throws(SnapshotError) -> [UInt8] {
    let isKind = KindName(fileName: file).map { kinds().contains($0.description) } ?? false
    guard isKind || file == CacheLayout.dayIndex || file == CacheLayout.manifest else { throw .missing(file) }
    return try read(file)
  }

  func bytes(of kind: String) throws(SnapshotError) -> [UInt8] {
    guard FilePath.Component(kind)?.kind == .regular else { throw .missing(kind) }
    return try read("\(kind).json")
  }

  /// Reads the day index: what the cache holds for the days around today.
  ///
  /// - Throws: ``SnapshotError/missing(_:)``, ``SnapshotError/damaged(_:)`` or ``SnapshotError/unreadable(_:)``.
  public func dayIndex() throws(SnapshotError) -> JSONValue {
    let bytes = try read(CacheLayout.dayIndex)
    guard let value = bytes.withUnsafeBytes({ JSONValue.parse($0) }) else { throw .damaged(CacheLayout.dayIndex) }
    return value
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
  /// starts again. A kind that is not in the cache is left out.
  ///
  /// - Parameter kinds: the kinds to read; nil: all.
  /// - Throws: ``SnapshotError/changing`` after a hundred mismatches in a row; ``SnapshotError/missing(_:)`` if the
  ///   manifest or a file that it lists is missing; ``SnapshotError/damaged(_:)`` or ``SnapshotError/unreadable(_:)``
  ///   for a file that cannot be used.
  public func consistent(_ kinds: [String]? = nil) throws(SnapshotError) -> Consistent {
    // A publication takes a fraction of a millisecond. A hundred mismatches in a row mean that publications follow one
    // another without a pause.
    for _ in 0..<100 {
      if let set = try attempt(kinds) { return set }
    }
    throw .changing
  }

  private func attempt(_ kinds: [String]?) throws(SnapshotError) -> Consistent? {
    let bytes = try read(CacheLayout.manifest)
    guard let manifest = bytes.withUnsafeBytes({ Manifest($0) }) else { throw .damaged(CacheLayout.manifest) }
    let wanted = kinds.map { Set($0.map { "\($0).json" }) }
    var set = Consistent(generation: manifest.generation, snapshots: [:], dayIndex: .null)
    for (name, file) in manifest.files {
      if name == CacheLayout.dayIndex {
        set.dayIndex = try dayIndex()
        guard set.dayIndex["generation"]?.int == file.generation else { return nil }
      } else if wanted?.contains(name) ?? true {
        let snapshot = try Snapshot(bytes: try read(name))
        guard snapshot.generation == file.generation else { return nil }
        set.snapshots[snapshot.kind] = snapshot
      }
    }
    return set
  }

  func read(_ name: String) throws(SnapshotError) -> [UInt8] {
    do {
      let file = try FileDescriptor.open(
        cache.appending(CacheLayout.snapshots).appending(name), .readOnly, options: .closeOnExec)
      defer { try? file.close() }
      return try file.readAll()
    } catch {
      if error as? Errno == .noSuchFileOrDirectory { throw .missing(name) }
      throw .unreadable("cannot read \(name): \(error)")
    }
  }
}

extension Instant {
  /// The current time of the system's clock.
  public static var now: Instant { SystemWallClock().now() }
}
