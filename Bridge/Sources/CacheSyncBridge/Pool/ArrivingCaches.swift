import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// Caches that are being built of what the engine has, before the agent sees them.
///
/// Files are written as their messages come, so that a takeover of many caches needs no memory for their contents. Nothing is
/// flushed: the record of all of them is, once.
@LoopActor
final class ArrivingCaches {
  private struct Cache {
    var isThere = false
    var generation: Int?
    /// Why it cannot come.
    var failure: Errno?
  }

  private let directory: PoolDirectory
  private var caches: [CacheName: Cache] = [:]
  private(set) var kept: [SessionKey: KeptVersions.Kept] = [:]
  /// Keys in whose place other versions lie.
  private var replaced: Set<SessionKey> = []
  /// Keys whose paths other keys stand in the way of.
  private(set) var impossible: [SessionKey: Errno] = [:]

  init(_ directory: PoolDirectory) { self.directory = directory }

  // MARK: Building

  /// Takes a message of a key; it replaces what was taken before, unless that came later or has the greater version.
  func take(_ change: SessionFiles.Change) {
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

  /// Lets another version lie where a key's will be renamed to later.
  func put(_ bytes: [UInt8], modified: Int64, inPlaceOf key: SessionKey) {
    // Nothing is kept of it, so that the key's own version is wanted.
    guard write(bytes, modified: modified, as: key) else { return }
    kept[key] = nil
    replaced.insert(key)
  }

  /// What is under a key so far.
  func content(of key: SessionKey) -> (bytes: [UInt8], modified: Int64)? {
    guard kept[key]?.digest != nil,
      let place = try? FileCall.parent(of: path(key), in: directory.arriving, making: false)
    else { return nil }
    defer { close(place.parent) }
    return try? FileCall.readDated(place.name, in: place.parent)
  }

  /// Takes a cache's set; of two the one with the greater generation.
  func take(_ set: PublishedSet, of cache: CacheName) {
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

  /// Whether a path leads through a file, or a directory is in its place; whatever else fails may pass.
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

  /// Moves caches into their place, with one flush for all. Returns those that did not come, with the reason.
  ///
  /// - Parameter ready: called for each just before it comes.
  func arrive(_ ready: (CacheName) -> Void) -> [CacheName: Errno] {
    var failures = caches.compactMapValues(\.failure)
    let names = names.filter { failures[$0] == nil }
    do throws(Errno) {
      // An earlier time here may have left the record of the very version that is to come later.
      try directory.files.forget(Array(replaced))
      try directory.files.keep(kept.filter { failures[$0.key.cache] == nil }.map { ($0.key, $0.value) })
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

  /// Made here, so that the bridge hears of the agent's first set.
  private func makeSnapshots(of cache: CacheName) throws(Errno) {
    guard caches[cache]?.generation == nil else { return }
    let folder = try FileCall.directory(cache.bytes, in: directory.arriving)
    defer { close(folder) }
    if mkdirat(folder, "snapshots", 0o755) < 0, errno != EEXIST { throw Errno(rawValue: errno) }
  }

  /// Deletes what did not come.
  func discard() {
    for name in caches.keys { try? FileCall.removeTree(name.bytes, in: directory.arriving) }
    (caches, kept, replaced, impossible) = ([:], [:], [], [:])
  }
}
