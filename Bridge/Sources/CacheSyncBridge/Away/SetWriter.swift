import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// Writes sets into `snapshots/` of a cache with the agent's promises to readers (contract.md section 5):
///
/// - Each file is the complete old or the complete new one.
/// - The manifest comes last.
/// - An unchanged file is not touched.
///
/// The changed files are in `.bridge/set` before the first rename. So after a crash at any moment the next start
/// finishes the set, even without an engine.
@LoopActor
struct SetWriter {
  let directory: BridgeDirectory

  private nonisolated static let committed = "set", unfinished = "set.new"
  private nonisolated static let manifest = "manifest.json"

  /// Finishes what a killed bridge had begun.
  func finish() throws(Errno) {
    try removeFiles(of: Self.unfinished)
    let set: Int32
    do throws(Errno) {
      set = try FileCall.directory(Array(Self.committed.utf8), in: directory.state)
    } catch {
      if error == .noSuchFileOrDirectory { return }
      throw error
    }
    defer { close(set) }
    let snapshots = try openSnapshots()
    defer { close(snapshots) }
    let names = try FileCall.names(in: set)
    for name in names.filter({ $0 != Self.manifest }).sorted() + names.filter({ $0 == Self.manifest }) {
      try FileCall.check(renameat(set, name, snapshots, name))
    }
    try FileCall.check(fsync(snapshots))
    try FileCall.check(unlinkat(directory.state, Self.committed, AT_REMOVEDIR))
    try removeUnnamed(in: snapshots)
  }

  /// Replaces the content of `snapshots/` with a set.
  func write(_ set: PublishedSet) throws(Errno) {
    try finish()
    let snapshots = try openSnapshots()
    let files = set.files + [PublishedSet.File(name: Self.manifest, bytes: set.manifest)]
    let changed = files.filter { (try? FileCall.read(Array($0.name.utf8), in: snapshots)) != $0.bytes }
    close(snapshots)
    guard !changed.isEmpty else { return }
    try FileCall.check(mkdirat(directory.state, Self.unfinished, 0o700))
    let folder = try FileCall.directory(Array(Self.unfinished.utf8), in: directory.state)
    defer { close(folder) }
    for file in changed {
      try FileCall.write(file.bytes, as: Array(file.name.utf8), in: folder, mode: 0o644, isNew: true, isFlushed: true)
    }
    try FileCall.check(fsync(folder))
    try FileCall.check(renameat(directory.state, Self.unfinished, directory.state, Self.committed))
    try FileCall.check(fsync(directory.state))
    try finish()
  }

  private func openSnapshots() throws(Errno) -> Int32 {
    let snapshots = try FileCall.directory(Array("snapshots".utf8), in: directory.root, makingWith: 0o755)
    do throws(Errno) {
      guard try FileCall.about(snapshots).st_uid == geteuid() else { throw .notPermitted }
    } catch {
      close(snapshots)
      throw error
    }
    return snapshots
  }

  /// Removes files that an agent once published and that the manifest does not name. Other files are left alone.
  private func removeUnnamed(in snapshots: Int32) throws(Errno) {
    let manifest = try FileCall.read(Array(Self.manifest.utf8), in: snapshots)
    guard let named = JSONValue(manifest)?["files"]?.object else { return }
    for name in try FileCall.names(in: snapshots) where PublishedSet.isFileName(name) && named[name] == nil {
      unlinkat(snapshots, name, 0)
    }
  }

  private func removeFiles(of folder: String) throws(Errno) {
    guard let descriptor = try? FileCall.directory(Array(folder.utf8), in: directory.state) else { return }
    defer { close(descriptor) }
    for name in try FileCall.names(in: descriptor) { unlinkat(descriptor, name, 0) }
    try FileCall.check(unlinkat(directory.state, folder, AT_REMOVEDIR))
  }

  /// The generation of the set that readers see now; nil without a set.
  var shownGeneration: Int? {
    guard let snapshots = try? FileCall.directory(Array("snapshots".utf8), in: directory.root) else { return nil }
    defer { close(snapshots) }
    return (try? FileCall.read(Array(Self.manifest.utf8), in: snapshots)).flatMap { JSONValue($0)?["generation"]?.int }
  }
}
