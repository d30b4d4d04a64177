import Glibc
package import SystemPackage

/// A directory of caches: every directory directly inside is one, except those whose names begin with `.`.
@AgentActor
package final class CacheCollection: InotifyListener {
  private let root: CacheRoot
  private var watch: Int32?
  private let appeared: @AgentActor (FilePath) -> Void
  private let disappeared: @AgentActor (FilePath) -> Void

  init(
    _ path: FilePath, appeared: @escaping @AgentActor (FilePath) -> Void,
    disappeared: @escaping @AgentActor (FilePath) -> Void
  ) throws(CacheError) {
    root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    self.appeared = appeared
    self.disappeared = disappeared
    watch = try? InotifyWatcher.shared.watch(root.raw, as: .root, for: self)
  }

  func stop() {
    if let watch { InotifyWatcher.shared.unwatch(watch, for: self) }
    watch = nil
  }

  /// The caches below a path, for those who take one pass.
  package nonisolated static func paths(in path: FilePath) throws(CacheError) -> [FilePath] {
    caches(in: try CacheRoot(resolved: try CacheRoot.resolve(path)))
  }

  /// The caches that are there now.
  private nonisolated static func caches(in root: CacheRoot) -> [FilePath] {
    let entries = (try? Directory.list(root.raw)) ?? []
    return entries.filter { entry in
      guard !entry.name.starts(with: [UInt8(ascii: ".")]) else { return false }
      if entry.type == .directory { return true }
      return entry.type == .unknown
        && (try? Directory.identity(of: CachePath(bytes: entry.name), in: root.raw))?.type == .directory
    }.map { root.path.appending(bytes: $0.name) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  func list() { for path in Self.caches(in: root) { appeared(path) } }

  package func receive(_ event: InotifyEvent, in directory: CachePath) {
    guard event.isDirectory, !event.name.isEmpty, event.name.first != UInt8(ascii: ".") else { return }
    let path = root.path.appending(bytes: event.name)
    if event.isCreate || event.isMovedTo { appeared(path) }
    if event.isDelete || event.isMovedFrom { disappeared(path) }
  }

  package func overflowed() { list() }
}

extension FilePath {
  /// The path of an entry whose name is any bytes.
  package func appending(bytes name: [UInt8]) -> FilePath {
    let joined = bytes + [UInt8(ascii: "/")] + name + [0]
    return joined.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { FilePath(platformString: Array($0)) }
    }
  }
}
