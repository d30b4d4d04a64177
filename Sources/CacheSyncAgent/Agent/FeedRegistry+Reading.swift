package import CacheSync
package import CacheSyncSystem
package import SystemPackage

extension FeedRegistry {
  /// The feeds that a cache knows, for commands that compute nothing: those without a cache's own when there is no such cache.
  package static func inForce(in cache: FilePath, _ environment: CacheEnvironment) -> FeedRegistry {
    guard let path = try? CacheRoot.resolve(cache), let root = try? CacheRoot(resolved: path) else {
      let shared = DefinitionsFeed().inForce(with: environment.shared?.current.definitions ?? [])
      return SharedRegistries.shared.registry(shared, zones: environment.zones)
    }
    let contents = CacheContents(root: root, environment: environment)
    if let state = try? StateDirectory.open(root: root, creating: false) {
      contents.fallBack(to: LastGoodLog.load(from: state.raw))
    }
    contents.readDefinitions()
    return contents.registry
  }
}
