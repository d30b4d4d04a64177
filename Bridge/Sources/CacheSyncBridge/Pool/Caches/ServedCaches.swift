import CacheSyncSystem
import Glibc
import SystemPackage

/// The caches of a shard that the agent serves. It sends the sets that the agent publishes to the engine, and reports
/// caches that were forgotten there.
@LoopActor
final class ServedCaches {
  private struct Cache {
    /// The watch of `snapshots/`, where the agent publishes.
    var snapshots: DirectoryWatch.Token?
    /// The keys that have a file in the engine, as hash values.
    var live: Set<Int> = []
  }

  private let engine: Engine
  private let namespace: Namespace
  private let directory: PoolDirectory
  private let watch: DirectoryWatch
  private let troubles: Troubles
  private let put: @LoopActor (_ set: [UInt8], _ cache: CacheName) -> Void
  private let isForgotten: @LoopActor (CacheName) -> Void

  private var caches: [CacheName: Cache] = [:]
  private var isLooking: Set<CacheName> = []
  /// How many publications of the agent were received so far.
  private(set) var publicationCount = 0

  /// How long to wait before a cache counts as forgotten. Several messages forget a cache: first its keys, last its
  /// set.
  private nonisolated static let forgettingTime = Duration.seconds(2)

  /// - Parameters:
  ///   - put: sends a cache's set as the shard's owner.
  ///   - isForgotten: called for a cache that has neither a file nor a set in the engine.
  init(
    _ engine: Engine, _ namespace: Namespace, _ directory: PoolDirectory, _ watch: DirectoryWatch, _ troubles: Troubles,
    put: @escaping @LoopActor (_ set: [UInt8], _ cache: CacheName) -> Void,
    isForgotten: @escaping @LoopActor (CacheName) -> Void
  ) {
    self.engine = engine
    self.namespace = namespace
    self.directory = directory
    self.watch = watch
    self.troubles = troubles
    self.put = put
    self.isForgotten = isForgotten
  }

  /// In no particular order.
  var names: [CacheName] { Array(caches.keys) }
  var count: Int { caches.count }
  func has(_ name: CacheName) -> Bool { caches[name] != nil }
  /// Whether a key of the cache has a file in the engine.
  func hasFiles(_ name: CacheName) -> Bool { caches[name]?.live.isEmpty == false }

  // MARK: Coming and going

  /// Follows a cache that is about to arrive.
  func add(_ name: CacheName) {
    let path = directory.arrivingPath(of: name).appending("snapshots")
    caches[name] = Cache(
      snapshots: try? watch.watch(path) { [weak self] event in
        guard event.has(IN_MOVED_TO), event.name == Array("manifest.json".utf8) else { return }
        self?.publicationCount += 1
        self?.publish(name)
      })
  }

  func remove(_ name: CacheName) { caches.removeValue(forKey: name)?.snapshots.map(watch.unwatch) }

  func removeAll() { for name in names { remove(name) } }

  // MARK: Keys

  /// Records that the engine has a file of a key.
  func addFile(_ key: SessionKey) { caches[key.cache]?.live.insert(key.hashValue) }

  /// Records that the engine has a key's deletion.
  func removeFile(_ key: SessionKey) {
    guard caches[key.cache]?.live.remove(key.hashValue) != nil, isWithoutFiles(key.cache) else { return }
    lookWhetherForgotten(key.cache)
  }

  private func isWithoutFiles(_ name: CacheName) -> Bool { caches[name]?.live.isEmpty == true }

  /// Reports a cache that has neither a file nor a set in the engine.
  private func lookWhetherForgotten(_ name: CacheName) {
    guard isLooking.insert(name).inserted else { return }
    let stream = namespace.stream(.out, namespace.shard(of: name))
    LoopActor.task { [self] in
      await LoopActor.sleep(Self.forgettingTime)
      var backoff = Backoff.engine
      while isWithoutFiles(name) {
        do throws(EngineError) {
          let set = try await engine.last(namespace.setSubject(of: name), in: stream)
          guard isWithoutFiles(name) else { break }
          if set.map(\.message.isDeletion) ?? true { isForgotten(name) } else { send(name) }
          break
        } catch {
          await LoopActor.sleep(backoff.next())
        }
      }
      isLooking.remove(name)
    }
  }

  // MARK: Sets

  /// Looks at every cache. Called after events were lost.
  func lookAgain() { for name in names { publish(name) } }

  /// Sends the set of a cache. A cache without files may be about to be forgotten, so its set is sent only in place of
  /// another one.
  func publish(_ name: CacheName) {
    guard has(name) else { return }
    if isWithoutFiles(name) { lookWhetherForgotten(name) } else { send(name) }
  }

  /// Sends the set of a cache if the engine has another one.
  func compare(_ name: CacheName, with message: [UInt8]) {
    if let set = readSet(of: name), set.message != message { publish(name) }
  }

  private func send(_ name: CacheName) {
    guard engine.isConnected, let set = readSet(of: name) else { return }
    let message = set.message
    if troubles.isAcceptable(message, of: name, limit: engine.maxPayload) { put(message, name) }
  }

  private func readSet(of name: CacheName) -> PublishedSet? {
    guard let folder = try? FileCall.directory(name.bytes, in: directory.root) else { return nil }
    defer { close(folder) }
    return SetFiles.set(in: folder, name.label, troubles)
  }
}
