import SystemPackage

/// A cache in a pool's directory, as housekeeping needs it.
struct HousekeptCopy: HousekeptCache {
  let directory: PoolDirectory
  let name: CacheName
  let hasFiles: Bool

  var path: FilePath { directory.path(of: name) }
  func versionOfUnchangedFile(_ key: SessionKey) -> Int64? { directory.files.versionOfUnchangedFile(key) }
  func versionOfDeletion(_ key: SessionKey) -> Int64? { directory.files.versionOfDeletion(key) }
}
