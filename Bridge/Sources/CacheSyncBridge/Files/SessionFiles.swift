import CRename
import CacheSync
import Glibc
package import SystemPackage

/// The session files of a cache, as the bridge writes them: recorded first, then renamed into place, so that after a death at
/// any moment the next start knows what to finish.
@BridgeActor
package final class SessionFiles {
  package struct Change: Sendable {
    package enum Content: Sendable {
      /// - Parameter modified: nanoseconds since 1970.
      case file([UInt8], modified: Int64)
      case deletion
    }

    package var key: SessionKey
    package var version: Int64
    /// Whether the version came from a put-back, which is taken only if it is greater.
    package var isPutBack: Bool
    package var content: Content

    package init(key: SessionKey, version: Int64, isPutBack: Bool, content: Content) {
      self.key = key
      self.version = version
      self.isPutBack = isPutBack
      self.content = content
    }

    /// Whether it counts in place of one that came before it.
    func replaces(_ earlier: Change) -> Bool { !isPutBack || version > earlier.version }
  }

  private let directory: BridgeDirectory
  private let versions: KeptVersions

  /// Reads what earlier runs kept, and finishes what they began.
  package init(in directory: BridgeDirectory) throws(Errno) {
    self.directory = directory
    versions = try KeptVersions(in: directory)
    try finish()
  }

  private nonisolated static let newPrefix = "new-"
  private nonisolated static let asidePrefix = "aside-"

  private nonisolated static func temporary(_ prefix: String) -> String {
    prefix + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  // MARK: Starting

  private func finish() throws(Errno) {
    let current = Dictionary(
      versions.kept.compactMap { key, kept in kept.temporary.map { ($0, key) } },
      uniquingKeysWith: { first, _ in first })
    for name in try FileCall.names(in: directory.state) {
      if name.hasPrefix(Self.newPrefix) {
        // Without a record it was not finished, and its version comes again.
        if let key = current[name], let path = path(key) {
          do throws(Errno) {
            try place(name, path)
          } catch {
            try versions.keep([(key, .init(version: 0))])
            unlinkat(directory.state, name, 0)
          }
        } else {
          unlinkat(directory.state, name, 0)
        }
      } else if name.hasPrefix(Self.asidePrefix), let path = versions.aside[name].flatMap(path) {
        // Whether it is to be deleted is told again by the engine.
        if (try? putBack(name, path)) != nil { versions.forget(aside: name) }
      }
    }
  }

  /// The path of a key without its cache.
  private func path(_ text: String) -> [UInt8]? {
    CacheName("x").flatMap { cache in SessionKey(text: "\(cache.token).\(text)")?.path }
  }

  private nonisolated static func text(_ key: SessionKey) -> String {
    String(key.text.dropFirst(key.cache.token.utf8.count + 1))
  }

  // MARK: Changing

  /// Whether the cache has another version of the key.
  package func wants(_ change: Change) -> Bool {
    guard let kept = versions.kept[Self.text(change.key)] else { return true }
    // An engine that lost power may show again what a deletion had replaced, once the deletion is removed from it.
    let mustBeNewer = change.isPutBack || kept.digest == nil && Self.isOld(deletion: kept.version)
    return mustBeNewer ? change.version > kept.version : change.version != kept.version
  }

  /// Whether every client has had the time to read a deletion of this version.
  nonisolated static func isOld(deletion version: Int64) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return (Int64(now.tv_sec) - deletionSeconds) * 1_000_000_000 + Int64(now.tv_nsec) >= version
  }

  /// 90 days, a judgement: how long a client may be away and still hear of a deletion.
  private nonisolated static let deletionSeconds: Int64 = 90 * 86_400

  var hasFiles: Bool { versions.kept.values.contains { $0.digest != nil } }

  /// The version of a key whose file still is as the bridge put it; nil otherwise.
  func versionOfUnchangedFile(_ key: SessionKey) -> Int64? {
    guard let kept = versions.kept[Self.text(key)], let digest = kept.digest,
      let place = try? open(key.path, making: false)
    else { return nil }
    defer { close(place.parent) }
    guard let bytes = try? FileCall.read(place.name, in: place.parent), SHA256.hex(bytes) == digest else { return nil }
    return kept.version
  }

  /// The version of a key that the bridge deleted, or whose file it found to be another's by then; nil otherwise.
  func versionOfDeletion(_ key: SessionKey) -> Int64? {
    guard let kept = versions.kept[Self.text(key)], kept.digest == nil else { return nil }
    return kept.version
  }

  /// Makes the changes that are wanted; returns those that failed, with the reason.
  ///
  /// - Parameter mayWrite: asked before each file; while it says no, changes fail with `interrupted`.
  package func apply(_ changes: [Change], while mayWrite: () -> Bool = { true }) -> [(change: Change, reason: Errno)] {
    var failed: [(Change, Errno)] = []
    var written: [(change: Change, name: String, digest: String)] = []
    var deleted: [Change] = []
    // Of a key the last one counts.
    let newest = Dictionary(changes.map { ($0.key, $0) }, uniquingKeysWith: { $1.replaces($0) ? $1 : $0 })
    for change in newest.values where wants(change) {
      do throws(Errno) {
        guard mayWrite() else { throw .interrupted }
        switch change.content {
        case .deletion:
          try delete(change)
          deleted.append(change)
        case .file(let bytes, let modified):
          written.append((change, try write(bytes, modified: modified), SHA256.hex(bytes)))
        }
      } catch {
        failed.append((change, error))
      }
    }
    let before = versions.kept
    do throws(Errno) {
      // The record may only speak of files that a power failure leaves.
      if !written.isEmpty { try FileCall.check(fsync(directory.state)) }
      // One flush for all of them.
      try versions.keep(
        deleted.map { (Self.text($0.key), .init(version: $0.version)) }
          + written.map { file in
            (Self.text(file.change.key), .init(version: file.change.version, digest: file.digest, temporary: file.name))
          })
    } catch {
      for file in written { unlinkat(directory.state, file.name, 0) }
      return failed + (deleted + written.map(\.change)).map { ($0, error) }
    }
    for file in written {
      do throws(Errno) {
        guard mayWrite() else { throw .interrupted }
        try place(file.name, file.change.key.path)
      } catch {
        unlinkat(directory.state, file.name, 0)
        // It is not there, so its version must come again.
        let text = Self.text(file.change.key)
        try? versions.keep([(text, before[text] ?? .init(version: 0))])
        failed.append((file.change, error))
      }
    }
    return failed
  }

  private func write(_ bytes: [UInt8], modified: Int64) throws(Errno) -> String {
    let name = Self.temporary(Self.newPrefix)
    let file = try FileCall.check(
      openat(directory.state, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666))
    defer { close(file) }
    do throws(Errno) {
      try FileCall.writeAll(bytes, to: file)
      let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
      let time =
        rest < 0
        ? timespec(tv_sec: Int(seconds - 1), tv_nsec: Int(rest + 1_000_000_000))
        : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
      try FileCall.check([time, time].withUnsafeBufferPointer { futimens(file, $0.baseAddress) })
      try FileCall.check(fsync(file))
    } catch {
      unlinkat(directory.state, name, 0)
      throw error
    }
    return name
  }

  private func place(_ name: String, _ path: [UInt8]) throws(Errno) {
    let (parent, last) = try open(path, making: true)
    defer { close(parent) }
    let result = FileCall.withName(last) { renameat(directory.state, name, parent, $0) }
    try FileCall.check(result)
  }

  /// The directory of a path, entered without following a link, and the last component.
  private func open(_ path: [UInt8], making: Bool) throws(Errno) -> (parent: Int32, name: [UInt8]) {
    try FileCall.parent(of: path, in: directory.root, making: making)
  }

  // MARK: Deleting

  /// Removes the file only if it is as the bridge put it. It is moved aside before it is compared: a producer may replace it
  /// at any moment.
  private func delete(_ change: Change) throws(Errno) {
    let text = Self.text(change.key)
    guard let digest = versions.kept[text]?.digest else { return }
    let name = Self.temporary(Self.asidePrefix)
    try versions.keep(aside: name, of: text)
    guard let parent = try moveAside(change.key.path, name) else { return }
    defer { close(parent) }
    if let bytes = try? FileCall.read(Array(name.utf8), in: directory.state), SHA256.hex(bytes) == digest {
      unlinkat(directory.state, name, 0)
    } else {
      try putBack(name, change.key.path)
    }
    versions.forget(aside: name)
    // The record may only speak of a deletion that a power failure leaves.
    try FileCall.check(fsync(parent))
  }

  /// - Returns: the directory that the file was in; nil: there was none.
  private func moveAside(_ path: [UInt8], _ name: String) throws(Errno) -> Int32? {
    do throws(Errno) {
      let (parent, last) = try open(path, making: false)
      if FileCall.withName(last, { renameat(parent, $0, directory.state, name) }) == 0 { return parent }
      let reason = Errno(rawValue: errno)
      close(parent)
      throw reason
    } catch {
      versions.forget(aside: name)
      guard error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
      return nil
    }
  }

  /// Puts a file back that is not the bridge's, unless a newer one has taken its place.
  private func putBack(_ name: String, _ path: [UInt8]) throws(Errno) {
    let (parent, last) = try open(path, making: true)
    defer { close(parent) }
    do throws(Errno) {
      try FileCall.check(FileCall.withName(last) { renameat2(directory.state, name, parent, $0, CRENAME_NOREPLACE) })
    } catch .fileExists {
      unlinkat(directory.state, name, 0)
    } catch .invalidArgument {
      // Some file systems know no such rename. A link replaces nothing either.
      let result = FileCall.withName(last) { linkat(directory.state, name, parent, $0, 0) }
      if result < 0, errno != EEXIST { throw Errno(rawValue: errno) }
      unlinkat(directory.state, name, 0)
    }
    try FileCall.check(fsync(parent))
  }
}
