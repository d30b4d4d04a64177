import CacheSyncSystem
import Glibc
import SystemPackage

/// Reads the set that an agent published in a cache.
enum SetFiles {
  enum Outcome: Sendable {
    case set(PublishedSet)
    /// Nothing has been published yet.
    case none
    /// The set kept changing while it was read, or is damaged.
    case unreadable
  }

  /// Reads the manifest, then the files, and starts again when they do not match (contract.md section 5).
  static func read(in cache: Int32) -> Outcome {
    guard let directory = try? FileCall.directory(Array("snapshots".utf8), in: cache) else { return .none }
    defer { close(directory) }
    // A publication takes a fraction of a millisecond. A hundred mismatches in a row mean that publications follow each
    // other without a pause.
    for _ in 0..<100 {
      do throws(Errno) {
        let manifest = try FileCall.read(Array("manifest.json".utf8), in: directory)
        let set = PublishedSet(manifest: manifest) { name, _ in try? FileCall.read(Array(name.utf8), in: directory) }
        if let set { return .set(set) }
      } catch {
        return error == .noSuchFileOrDirectory ? .none : .unreadable
      }
    }
    return .unreadable
  }

  /// The set of a cache, or nil. An unreadable set is noted as a trouble until it can be read.
  ///
  /// - Parameter label: begins messages about the cache.
  @LoopActor
  static func set(in cache: Int32, _ label: String, _ troubles: Troubles) -> PublishedSet? {
    switch read(in: cache) {
    case .set(let set):
      troubles.record("\(label): set", nil)
      return set
    case .none: return nil
    case .unreadable:
      troubles.record("\(label): set", "\(label): its snapshots do not agree with their manifest: run cachesyncd sync")
      return nil
    }
  }
}
