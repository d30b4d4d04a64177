import SystemPackage

/// What housekeeping asks of a cache in a pool's directory.
struct HousekeptCopy: HousekeptCache {
  let directory: PoolDirectory
  let name: CacheName
  let hasFiles: Bool

  var path: FilePath { directory.path(of: name) }
  func versionOfUnchangedFile(_ key: SessionKey) -> Int64? { directory.files.versionOfUnchangedFile(key) }
  func versionOfDeletion(_ key: SessionKey) -> Int64? { directory.files.versionOfDeletion(key) }
}
