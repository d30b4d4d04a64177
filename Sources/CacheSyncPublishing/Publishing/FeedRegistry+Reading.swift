package import CacheSync
import CacheSyncSystem
package import SystemPackage

extension FeedRegistry {
  /// Returns the feeds of a cache, for commands that compute nothing. Without such a cache, it returns the feeds that
  /// all caches share.
  package static func inForce(in cache: FilePath, _ environment: CacheEnvironment) -> FeedRegistry {
    guard let path = try? CacheRoot.resolve(cache), let root = try? CacheRoot(resolved: path) else {
      let shared = DefinitionsFeed().inForce(with: environment.shared?.current.definitions ?? [])
      return environment.registries.registry(shared)
    }
    let contents = CacheContents(root: root, environment: environment)
    if let state = try? StateDirectory.open(root: root, creating: false) {
      contents.fallBack(to: LastGoodLog.load(from: state.raw))
    }
    contents.readDefinitions()
    return contents.registry
  }
}
