import CacheSyncSystem

/// The last good versions of a shard's files. The engine keeps each as long as it is needed (wire.md section 7).
@LoopActor
final class GoodVersions {
  struct Version: Equatable {
    var bytes: [UInt8]
    var modified: Int64
  }

  private let engine: Engine
  private let namespace: Namespace
  private let put: @LoopActor (_ message: ShardWriter.Message) async -> Bool

  /// What the engine has, or is about to receive.
  private(set) var versions: [SessionKey: Version] = [:]
  private var isOver = false

  /// - Parameter put: sends a message as the shard's owner; returns whether the engine has it.
  init(
    _ engine: Engine, _ namespace: Namespace,
    put: @escaping @LoopActor (_ message: ShardWriter.Message) async -> Bool
  ) {
    self.engine = engine
    self.namespace = namespace
    self.put = put
  }

  subscript(key: SessionKey) -> Version? { versions[key] }

  /// Begins with the engine's versions when the shard is taken over.
  func begin(with inEngine: [SessionKey: Version]) { versions = inEngine }

  /// Sends the versions that the engine lost, and removes those that are not needed any more.
  func restore(_ inEngine: [SessionKey: Version]) {
    for (key, version) in versions where inEngine[key] != version {
      LoopActor.task { [self] in _ = await keep(version, key) }
    }
    for key in inEngine.keys where versions[key] == nil { remove(key) }
  }

  /// Sends a last good version. Returns true when the engine has it, or when it is too large for the engine; false when
  /// it is not needed any more.
  func keep(_ version: Version, _ key: SessionKey) async -> Bool {
    versions[key] = version
    let message = ShardWriter.Message(
      subject: namespace.goodSubject(of: key), payload: version.bytes,
      headers: [Header.modified: String(version.modified)])
    // 512 bytes for the headers that the owner adds to a message.
    guard version.bytes.count + 512 <= engine.maxPayload || !engine.isConnected else { return true }
    var backoff = Backoff.engine
    while !isOver, versions[key] == version {
      if await put(message) { return !isOver && versions[key] == version }
      await LoopActor.sleep(backoff.next())
    }
    return false
  }

  func remove(_ key: SessionKey) {
    versions[key] = nil
    let message = ShardWriter.Message(
      subject: namespace.goodSubject(of: key), payload: [], headers: [Header.operation: "DEL"])
    LoopActor.task { [self] in
      var backoff = Backoff.engine
      while !isOver, versions[key] == nil, !(await put(message)) { await LoopActor.sleep(backoff.next()) }
    }
  }

  func remove(_ cache: CacheName) { for key in versions.keys where key.cache == cache { remove(key) } }

  func end() { (isOver, versions) = (true, [:]) }
}
