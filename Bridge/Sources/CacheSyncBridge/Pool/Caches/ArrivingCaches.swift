import CacheSyncSystem
import Glibc
import SystemPackage

/// Builds caches from the engine's messages, before the agent sees them.
///
/// Each file is written when its message arrives, so that a takeover of many caches does not keep their contents in
/// memory. Files are not flushed; only the record of all of them is, once.
@LoopActor
final class ArrivingCaches {
  private struct Cache {
    var isThere = false
    var generation: Int?
    /// Why the cache could not be built.
    var failure: Errno?
  }

  private let directory: PoolDirectory
  private var caches: [CacheName: Cache] = [:]
  private(set) var kept: [SessionKey: KeptVersion] = [:]
  /// Keys whose files are replaced by another version for now.
  private var replaced: Set<SessionKey> = []
  /// Keys whose paths lead through other keys' files, with the reason.
  private(set) var impossible: [SessionKey: Errno] = [:]

  init(_ directory: PoolDirectory) { self.directory = directory }

  // MARK: Building

  /// Adds the change of a key. A change with a lower sequence than the one before is ignored, and so is a put-back
  /// without a greater version.
  func add(_ change: SessionFiles.Change) {
    let key = change.key
    if let earlier = kept[key],
      change.isPutBack ? change.version <= earlier.version : change.sequence < earlier.sequence
    {
      return
    }
    impossible[key] = nil
    replaced.remove(key)
    switch change.content {
    case .deletion:
      if kept[key]?.digest != nil { remove(key) }
      kept[key] = .init(version: change.version, sequence: change.sequence)
    case .file(let bytes, let modified):
      guard write(bytes, modified: modified, as: key) else { return }
      kept[key] = .init(version: change.version, digest: SHA256.hex(bytes), sequence: change.sequence)
    }
  }

  /// Writes another version in place of a key's own, which will be renamed there later.
  func put(_ bytes: [UInt8], modified: Int64, inPlaceOf key: SessionKey) {
    // It is not recorded, so that the key's own version is still wanted.
    guard write(bytes, modified: modified, as: key) else { return }
    kept[key] = nil
    replaced.insert(key)
  }

  /// The file of a key so far.
  func content(of key: SessionKey) -> (bytes: [UInt8], modified: Int64)? {
    guard kept[key]?.digest != nil else { return nil }
    return try? FileCall.readDated(at: path(key), in: directory.arriving)
  }

  /// Adds a cache's set if its generation is greater than that of the set before.
  func add(_ set: PublishedSet, of cache: CacheName) {
    if let generation = caches[cache]?.generation, generation >= set.generation { return }
    caches[cache, default: Cache()].isThere = true
    caches[cache]?.generation = set.generation
    let snapshots = cache.bytes + Array("/snapshots".utf8)
    do throws(Errno) {
      let (parent, name) = try FileCall.parent(of: snapshots, in: directory.arriving, making: true)
      defer { close(parent) }
      try FileCall.removeTree(name, in: parent)
      try FileCall.check(FileCall.withName(name) { mkdirat(parent, $0, 0o755) })
      let folder = try FileCall.directory(name, in: parent)
      defer { close(folder) }
      for file in set.files + [PublishedSet.File(name: "manifest.json", bytes: set.manifest)] {
        try FileCall.write(file.bytes, as: Array(file.name.utf8), in: folder, mode: 0o644)
      }
    } catch {
      caches[cache]?.failure = error
    }
  }

  func generation(of cache: CacheName) -> Int? { caches[cache]?.generation }

  private func path(_ key: SessionKey) -> [UInt8] { key.cache.bytes + [UInt8(ascii: "/")] + key.path }

  private func write(_ bytes: [UInt8], modified: Int64, as key: SessionKey) -> Bool {
    caches[key.cache, default: Cache()].isThere = true
    do throws(Errno) {
      let (parent, name) = try FileCall.parent(of: path(key), in: directory.arriving, making: true)
      defer { close(parent) }
      try FileCall.write(bytes, as: name, in: parent, mode: 0o666, modified: modified)
      return true
    } catch {
      if Self.isImpossible(error) {
        impossible[key] = error
        kept[key] = nil
      } else {
        caches[key.cache]?.failure = error
      }
      return false
    }
  }

  /// Whether a path leads through a file, or a directory is in its place. Other errors may be temporary.
  nonisolated static func isImpossible(_ reason: Errno) -> Bool { [.notDirectory, .isDirectory].contains(reason) }

  private func remove(_ key: SessionKey) {
    guard let (parent, name) = try? FileCall.parent(of: path(key), in: directory.arriving, making: false) else {
      return
    }
    defer { close(parent) }
    _ = FileCall.withName(name) { unlinkat(parent, $0, 0) }
  }

  // MARK: Arriving

  /// The caches that have a file or a set.
  var names: [CacheName] {
    let live = Set(kept.filter { $0.value.digest != nil }.map(\.key.cache)).union(replaced.map(\.cache))
    return caches.filter { $0.value.generation != nil || live.contains($0.key) }.map(\.key)
  }

  /// Moves the caches into place, with one flush for all. Returns those that failed, with the reason.
  ///
  /// - Parameter ready: called for each cache just before it arrives.
  func arrive(_ ready: (CacheName) -> Void) -> [CacheName: Errno] {
    var failures = caches.compactMapValues(\.failure)
    let names = names.filter { failures[$0] == nil }
    do throws(Errno) {
      // When this member had the shard before, it may have recorded the very version that is to be written later.
      try directory.files.remove(Array(replaced))
      try directory.files.record(kept.filter { failures[$0.key.cache] == nil }.map { ($0.key, $0.value) })
    } catch {
      discard()
      return Dictionary(uniqueKeysWithValues: names.map { ($0, error) })
    }
    for name in names {
      do throws(Errno) {
        try makeSnapshots(of: name)
        ready(name)
        try directory.arrive(name.bytes)
      } catch {
        failures[name] = error
      }
    }
    discard()
    return failures
  }

  /// Creates `snapshots/` before the agent does, so that the bridge can watch for the first set.
  private func makeSnapshots(of cache: CacheName) throws(Errno) {
    guard caches[cache]?.generation == nil else { return }
    let folder = try FileCall.directory(cache.bytes, in: directory.arriving)
    defer { close(folder) }
    close(try FileCall.directory(Array("snapshots".utf8), in: folder, makingWith: 0o755))
  }

  /// Deletes the caches that did not arrive.
  func discard() {
    for name in caches.keys { try? FileCall.removeTree(name.bytes, in: directory.arriving) }
    (caches, kept, replaced, impossible) = ([:], [:], [], [:])
  }
}
