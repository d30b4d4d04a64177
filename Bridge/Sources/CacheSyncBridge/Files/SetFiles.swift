import CacheSyncSystem
import Glibc
import SystemPackage

/// Reads the set that an agent published in a cache.
enum SetFiles {
  enum Outcome: Sendable {
    case set(PublishedSet)
    /// Nothing was published yet.
    case none
    /// It kept changing while it was read, or is damaged.
    case unreadable
  }

  /// Reads the manifest, then the files, and starts again when they do not agree (contract.md section 5).
  static func read(in cache: Int32) -> Outcome {
    guard let directory = try? FileCall.directory(Array("snapshots".utf8), in: cache) else { return .none }
    defer { close(directory) }
    // A publication takes a fraction of a millisecond: a hundred mismatches in a row mean a storm of publications.
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

  /// The set of a cache, or nil; one that cannot be read is a trouble until it can be.
  ///
  /// - Parameter label: what messages about the cache begin with.
  @LoopActor
  static func set(in cache: Int32, _ label: String, _ troubles: Troubles) -> PublishedSet? {
    switch read(in: cache) {
    case .set(let set):
      troubles.note("\(label): set", nil)
      return set
    case .none: return nil
    case .unreadable:
      troubles.note("\(label): set", "\(label): its snapshots do not agree with their manifest: run cachesyncd sync")
      return nil
    }
  }
}
