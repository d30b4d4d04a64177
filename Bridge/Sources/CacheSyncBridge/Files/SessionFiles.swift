import CacheSync
package import CacheSyncSystem
import Glibc
package import SystemPackage

/// Writes the session files of a cache, or of a pool's caches. Each change is recorded before the file is renamed into
/// place, so that after a crash at any moment the next start can finish it.
@LoopActor
package final class SessionFiles {
  package struct Change: Sendable {
    package enum Content: Sendable {
      /// - Parameter modified: nanoseconds since 1970.
      case file([UInt8], modified: Int64)
      case deletion
    }

    package var key: SessionKey
    package var version: Int64
    /// Whether the version came from a put-back, which is accepted only if it is greater.
    package var isPutBack: Bool
    package var content: Content
    /// The message's sequence; 0: unknown.
    package var sequence: UInt64 = 0

    /// Whether this change replaces an earlier one of the same key.
    func replaces(_ earlier: Change) -> Bool { !isPutBack || version > earlier.version }
  }

  /// What the directory holds, and how durable it must be.
  package enum Place: Sendable {
    /// A user's cache. Other producers may own files in it, and the bridge's own files survive a power failure.
    case cache
    /// A pool's caches: copies of what the engine has, each in a directory that this type never creates. Only the
    /// record of them is flushed. A file whose bytes do not match the record counts as missing.
    case copies
  }

  private let directory: BridgeDirectory
  private let place: Place
  private let versions: KeptVersions

  /// Reads the record of earlier runs, and finishes what they began.
  package init(in directory: BridgeDirectory, holding place: Place = .cache) throws(Errno) {
    self.directory = directory
    self.place = place
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
        // Without a record the file is incomplete, and the engine will send its version again.
        if let key = current[name], let path = path(key) {
          do throws(Errno) {
            try putInPlace(name, path)
          } catch {
            try versions.record([(key, .init(version: 0))])
            unlinkat(directory.state, name, 0)
          }
        } else {
          unlinkat(directory.state, name, 0)
        }
      } else if name.hasPrefix(Self.asidePrefix), let path = versions.aside[name].flatMap(path) {
        // The engine will report again if this file is to be deleted.
        if (try? putBack(name, path)) != nil { versions.removeAside(name) }
      }
    }
  }

  /// The path of a key below the directory.
  private func path(_ text: String) -> [UInt8]? {
    switch place {
    case .cache: CacheName("x").flatMap { cache in SessionKey(text: "\(cache.token).\(text)")?.path }
    case .copies: SessionKey(text: text).map(path)
    }
  }

  private func path(_ key: SessionKey) -> [UInt8] {
    switch place {
    case .cache: key.path
    case .copies: key.cache.bytes + [UInt8(ascii: "/")] + key.path
    }
  }

  /// The name of a key in the record.
  private func text(_ key: SessionKey) -> String {
    switch place {
    case .cache: String(key.text.dropFirst(key.cache.token.utf8.count + 1))
    case .copies: key.text
    }
  }

  // MARK: Changing

  /// Whether the change brings another version of its key than the cache has.
  package func wants(_ change: Change) -> Bool {
    guard let kept = versions.kept[text(change.key)] else { return true }
    // A pool puts back versions that are newer than the engine's. The clocks of the engine's servers may differ, but a
    // later message has a greater sequence.
    if place == .copies, change.version < kept.version, change.sequence <= kept.sequence { return false }
    // After a power failure an engine may show again the message that a deletion had replaced, if the deletion was
    // removed since.
    let mustBeNewer = change.isPutBack || kept.digest == nil && Self.isOld(deletion: kept.version)
    return mustBeNewer ? change.version > kept.version : change.version != kept.version
  }

  /// Whether every client has had time to read a deletion of this version.
  nonisolated static func isOld(deletion version: Int64) -> Bool {
    Instant.now.nanoseconds - deletionAge >= version
  }

  /// 90 days: how long a client may be offline and still receive a deletion. Longer would keep more old messages in the
  /// engine.
  private nonisolated static let deletionAge: Int64 = 90 * 86_400 * 1_000_000_000

  var hasFiles: Bool { versions.kept.values.contains { $0.digest != nil } }

  /// The version of a key whose file is still as the bridge put it; nil otherwise.
  func versionOfUnchangedFile(_ key: SessionKey) -> Int64? {
    unchangedFile(key).map(\.version)
  }

  /// The file of a key, with its modification time, if it is still as the bridge put it; nil otherwise.
  func unchangedFile(_ key: SessionKey) -> (version: Int64, bytes: [UInt8], modified: Int64)? {
    guard let kept = versions.kept[text(key)], let digest = kept.digest,
      let file = try? FileCall.readDated(at: path(key), in: directory.root), SHA256.hex(file.bytes) == digest
    else { return nil }
    return (kept.version, file.bytes, file.modified)
  }

  /// The version of a key whose file the bridge deleted, or kept because it was not the bridge's own; nil otherwise.
  func versionOfDeletion(_ key: SessionKey) -> Int64? {
    guard let kept = versions.kept[text(key)], kept.digest == nil else { return nil }
    return kept.version
  }

  // MARK: Copies

  /// The record of each key of a pool's caches.
  var kept: [(key: SessionKey, kept: KeptVersion)] {
    versions.kept.compactMap { text, kept in SessionKey(text: text).map { ($0, kept) } }
  }

  func kept(_ key: SessionKey) -> KeptVersion? { versions.kept[text(key)] }

  /// Records the versions of files in caches that are about to arrive.
  func record(_ news: [(key: SessionKey, kept: KeptVersion)]) throws(Errno) {
    try versions.record(news.map { (text($0.key), $0.kept) })
  }

  func remove(_ keys: [SessionKey]) throws(Errno) { try versions.remove(keys.map(text)) }

  /// Records that a known version came again, in a message of this sequence.
  func recordSequence(_ sequence: UInt64, of key: SessionKey) { versions.recordSequence(sequence, of: text(key)) }

  /// Makes the wanted changes. Returns those that failed, with the reason.
  ///
  /// - Parameter mayWrite: called before each file. While it returns false, changes fail with `interrupted`.
  package func apply(_ changes: [Change], while mayWrite: () -> Bool = { true }) -> [(change: Change, reason: Errno)] {
    var failed: [(Change, Errno)] = []
    var written: [(change: Change, name: String, digest: String)] = []
    var deleted: [Change] = []
    // Only the last change of each key counts.
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
      // The record may only name files that survive a power failure.
      if place == .cache, !written.isEmpty { try FileCall.check(fsync(directory.state)) }
      // One flush for all of them.
      try versions.record(
        deleted.map { (text($0.key), .init(version: $0.version, sequence: $0.sequence)) }
          + written.map { file in
            (
              text(file.change.key),
              .init(
                version: file.change.version, digest: file.digest, temporary: file.name, sequence: file.change.sequence)
            )
          })
    } catch {
      for file in written { unlinkat(directory.state, file.name, 0) }
      return failed + (deleted + written.map(\.change)).map { ($0, error) }
    }
    for file in written {
      do throws(Errno) {
        guard mayWrite() else { throw .interrupted }
        try putInPlace(file.name, path(file.change.key))
      } catch {
        unlinkat(directory.state, file.name, 0)
        // The file is not in place, so its version must come again.
        let text = text(file.change.key)
        try? versions.record([(text, before[text] ?? .init(version: 0))])
        failed.append((file.change, error))
      }
    }
    return failed
  }

  private func write(_ bytes: [UInt8], modified: Int64) throws(Errno) -> String {
    let name = Self.temporary(Self.newPrefix)
    do throws(Errno) {
      try FileCall.write(
        bytes, as: Array(name.utf8), in: directory.state, mode: 0o666, isNew: true, modified: modified,
        isFlushed: place == .cache)
    } catch {
      unlinkat(directory.state, name, 0)
      throw error
    }
    return name
  }

  private func putInPlace(_ name: String, _ path: [UInt8]) throws(Errno) {
    let (parent, last) = try open(path, making: true)
    defer { close(parent) }
    let result = FileCall.withName(last) { renameat(directory.state, name, parent, $0) }
    try FileCall.check(result)
  }

  /// The directory of a path, and the path's last component. Follows no link.
  private func open(_ path: [UInt8], making: Bool) throws(Errno) -> (parent: Int32, name: [UInt8]) {
    guard place == .copies else { return try FileCall.parent(of: path, in: directory.root, making: making) }
    let (cache, rest) = (path.prefix { $0 != UInt8(ascii: "/") }, path.drop { $0 != UInt8(ascii: "/") })
    let root = try FileCall.directory(Array(cache), in: directory.root)
    defer { close(root) }
    return try FileCall.parent(of: Array(rest), in: root, making: making)
  }

  // MARK: Deleting

  /// Removes the file only if it is as the bridge put it. The file is moved aside before it is compared, because a
  /// producer may replace it at any moment.
  private func delete(_ change: Change) throws(Errno) {
    let text = text(change.key)
    if place == .copies { return try deleteCopy(change.key) }
    guard let digest = versions.kept[text]?.digest else { return }
    let name = Self.temporary(Self.asidePrefix)
    try versions.recordAside(name, of: text)
    guard let parent = try moveAside(path(change.key), name) else { return }
    defer { close(parent) }
    if let bytes = try? FileCall.read(Array(name.utf8), in: directory.state), SHA256.hex(bytes) == digest {
      unlinkat(directory.state, name, 0)
    } else {
      try putBack(name, path(change.key))
    }
    versions.removeAside(name)
    // The record may only name a deletion that survives a power failure.
    try FileCall.check(fsync(parent))
  }

  private func deleteCopy(_ key: SessionKey) throws(Errno) {
    do throws(Errno) {
      let (parent, last) = try open(path(key), making: false)
      defer { close(parent) }
      try FileCall.check(FileCall.withName(last) { unlinkat(parent, $0, 0) })
    } catch {
      guard error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
    }
  }

  /// - Returns: the directory that the file was in; nil if the file is missing.
  private func moveAside(_ path: [UInt8], _ name: String) throws(Errno) -> Int32? {
    do throws(Errno) {
      let (parent, last) = try open(path, making: false)
      if FileCall.withName(last, { renameat(parent, $0, directory.state, name) }) == 0 { return parent }
      let reason = Errno(rawValue: errno)
      close(parent)
      throw reason
    } catch {
      versions.removeAside(name)
      guard error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
      return nil
    }
  }

  /// Puts back a file that is not the bridge's, unless a newer one has taken its place.
  private func putBack(_ name: String, _ path: [UInt8]) throws(Errno) {
    let (parent, last) = try open(path, making: true)
    defer { close(parent) }
    do throws(Errno) {
      try Directory.renameWithoutReplacing(name, in: directory.state, to: last, in: parent)
    } catch .fileExists {
      unlinkat(directory.state, name, 0)
    } catch .invalidArgument {
      // The file system does not support that. A link does not replace anything either.
      let result = FileCall.withName(last) { linkat(directory.state, name, parent, $0, 0) }
      if result < 0, errno != EEXIST { throw Errno(rawValue: errno) }
      unlinkat(directory.state, name, 0)
    }
    try FileCall.check(fsync(parent))
  }
}

extension SessionFiles.Change {
  init(_ stored: StoredMessage, of key: SessionKey) {
    self.init(
      key: key, version: stored.version, isPutBack: stored.putBackVersion != nil,
      content: stored.message.isDeletion ? .deletion : .file(stored.message.payload, modified: stored.modified),
      sequence: stored.sequence)
  }
}
