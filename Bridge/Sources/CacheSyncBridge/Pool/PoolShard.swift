/// What the owner of a shard does with its caches, from the takeover to the end of the ownership.
@BridgeActor
package final class PoolShard {
  package let shard: Int
  private let engine: Engine
  private let namespace: Namespace
  private let directory: PoolDirectory
  private let watch: DirectoryWatch
  private let troubles: Troubles
  private let put: @BridgeActor (_ set: [UInt8], _ cache: CacheName) -> Void
  private let putGood: @BridgeActor (_ message: ShardWriter.Message) async -> Bool

  /// - Parameters:
  ///   - put: sends a cache's set as the shard's owner.
  ///   - putGood: sends a last good version, or its deletion, as the shard's owner; returns whether the engine has it.
  package init(
    _ engine: Engine, _ namespace: Namespace, shard: Int, directory: PoolDirectory, watch: DirectoryWatch,
    troubles: Troubles, put: @escaping @BridgeActor (_ set: [UInt8], _ cache: CacheName) -> Void,
    putGood: @escaping @BridgeActor (_ message: ShardWriter.Message) async -> Bool
  ) {
    self.engine = engine
    self.namespace = namespace
    self.shard = shard
    self.directory = directory
    self.watch = watch
    self.troubles = troubles
    self.put = put
    self.putGood = putGood
  }

  /// Takes the shard's caches over, and serves them from then on. Called again while it serves, as after the engine lost the
  /// owner's record, it compares everything with the engine.
  package func begin() {}

  /// Another member is the owner: writes nothing more, and lets the copies go.
  package func lose() {}

  /// Lets the copies go on purpose. Returns when the engine lacks nothing of them, or cannot be asked now.
  package func letGo() async {}

  /// Looks at every cache, after events were lost.
  package func lookAgain() {}

  /// Whether the takeover is over.
  package private(set) var isServing = false

  /// By their names. One that could not be built yet is not served.
  package var caches: [(name: CacheName, isServed: Bool)] { [] }

  /// How many keys no cache here takes.
  package var leftAlone: Int { 0 }

  /// How many keys could not be written yet.
  package var unwritten: Int { 0 }
}
