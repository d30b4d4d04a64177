import CacheSync
import CacheSyncPrograms
package import CacheSyncSystem
import Glibc
package import Logging
package import SystemPackage

/// The bridge on a machine without an agent. It sends the files that producers drop into its caches to the engine, and
/// shows the snapshots that their agent publishes elsewhere.
@LoopActor
package final class Away {
  private let engine: Engine
  private let name: String
  private let named: [(name: CacheName, path: FilePath)]
  private let logger: Logger
  private let troubles: Troubles
  private let since = Instant.now
  private var watch: DirectoryWatch?
  private var caches: [AwayCache] = []

  /// - Parameter name: that of this bridge, for people.
  package init(_ engine: Engine, name: String, caches: [(name: CacheName, path: FilePath)], logger: Logger) {
    self.engine = engine
    self.name = name
    named = caches
    self.logger = logger
    troubles = Troubles(logger)
  }

  /// Opens the caches and holds them. Throws when one cannot be served.
  package func open() throws(DirectoryRefusal) {
    let watch: DirectoryWatch
    do throws(Errno) {
      watch = try DirectoryWatch(reportsWriting: true) { [weak self] in
        for cache in self?.caches ?? [] { cache.lookAtEverything() }
      }
    } catch {
      throw .system("inotify (raise fs.inotify.max_user_instances)", error)
    }
    self.watch = watch
    for (name, path) in named {
      let cache = AwayCache(name: name, path: path, watch: watch, troubles: troubles)
      cache.look(isStart: true)
      if let refusal = cache.refusal { throw refusal }
      caches.append(cache)
    }
  }

  /// Begins to exchange files and sets, and continues when the engine cannot be reached.
  package func start(_ namespace: Namespace) {
    engine.observe { [weak self] event in self?.record(event) }
    for cache in caches { cache.start(engine, namespace) }
    // A client that may not subscribe to this gets no questions.
    BridgeStatus.answer(engine, namespace) { [weak self] in self?.status }
    // The NATS client does not report a first connection that fails.
    Alarms.shared.set(after: .seconds(2)) { [weak self] in
      if let self, !engine.isConnected { record(.disconnected) }
    }
    let count = caches.count == 1 ? "1 cache" : "\(caches.count) caches"
    logger.notice("away for \(namespace.name): \(count)\(StandardError.stopHint)")
  }

  private func record(_ event: Engine.Event) { troubles.record(event, waiting: "what is dropped here waits here") }

  private var status: JSONValue {
    let values = caches.map { cache in
      JSONValue.object([
        "cache": .string(EscapedText.forPeople(cache.name.bytes)),
        "generation": cache.generation.map { .integer($0) } ?? .null,
        "path": .string(EscapedText.forPeople(cache.path)),
        "served": .bool(cache.isServed),
        "unsent": .integer(cache.pendingCount),
      ])
    }
    return .object([
      "name": .string(name), "role": .string("away"), "since": .string(since.description),
      "caches": .array(values), "problems": troubles.value,
    ])
  }
}
