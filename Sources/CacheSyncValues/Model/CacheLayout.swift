package import CacheSyncSystem

/// The paths of everything in a cache; no other code knows them.
package struct CacheLayout: Sendable {
  /// The files that a feed claims: everything below its directories, and single files at the top.
  package struct Claims: Sendable, Equatable {
    package var directories: [String]
    package var files: [String]
    /// Further endings of session files in the directories, besides `.json`.
    package var endings: [Ending]
    /// Whether only files directly in the directories count, and only with exactly `.json`, because the agent uses
    /// their names.
    package var isFlat: Bool

    package init(directories: [String] = [], files: [String] = [], endings: [Ending] = [], isFlat: Bool = false) {
      self.directories = directories
      self.files = files
      self.endings = endings
      self.isFlat = isFlat
    }
  }

  /// A further ending of session files, and how to recognise such a document if it has no name.
  package struct Ending: Sendable, Equatable {
    /// Such as `.ics`: in lower case here; any case matches.
    package let text: String
    /// The noun for such a document in messages.
    package let noun: String
    private let firstLine: String

    /// - Parameter firstLine: the first line of every such document, in lower case.
    package init(_ text: String, noun: String, firstLine: String) {
      self.text = text
      self.noun = noun
      self.firstLine = firstLine
    }

    /// Whether a document has that first line, in any case. A byte-order mark, white space and blank lines may come
    /// before it.
    package func fits(_ document: [UInt8]) -> Bool {
      var rest = document.prefix(Self.searched)
      if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
      let line = rest.drop(while: Self.isSpace).prefix { !Self.isSpace($0) }
      return line.elementsEqual(firstLine.utf8) { $0.asciiLowercased == $1 }
    }

    /// How many bytes to search: more than any producer writes before the first line.
    private static let searched = 4096

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
  }

  /// The role of a file, from its path alone.
  package enum Role: Equatable, Sendable {
    case session(FeedName)
    case settings
    /// A sync tool's conflict copy of a session file or of settings.
    case copy(of: CachePath)
    /// A `.json` file that no feed claims.
    case unclaimed
    /// Half-written work, another kind of file, or the agent's own file.
    case ignored
  }

  package static let snapshots = "snapshots"
  package static let state = ".cachesync"
  package static let settings = CachePath("cachesync.json")
  /// The directory of definitions of feeds.
  package static let definitions = "feeds"
  /// The directory of widgets.
  package static let widgets = "widgets"
  /// The directory of screens.
  package static let screens = "screens"
  /// The directories that no feed of a definition may have.
  package static let reserved = [definitions, screens, snapshots, widgets]
  package static let dayIndex = "day-index.json"
  package static let manifest = "manifest.json"
  /// In ``state``.
  package static let lock = CacheLock.name
  package static let socket = "socket"
  package static let lastGood = "sessions"
  package static let flushed = "flushed"
  /// In ``snapshots``: where outputs are until they are complete.
  package static let temporaries = ".tmp"
  package static let temporaryPrefix: StaticString = "tmp-"
  /// Begins the name of an unfinished session file, which is in the same directory as the final file.
  package static let unfinishedPrefix: StaticString = ".cachesync-"

  /// Who claims what, by the names at the top of the cache.
  private let directories: [CachePath: (feed: FeedName, claims: Claims)]
  private let files: [CachePath: FeedName]

  /// - Parameter claims: no two share a name, and none is ``snapshots``.
  package init(claims: [(FeedName, Claims)]) {
    var directories: [CachePath: (feed: FeedName, claims: Claims)] = [:]
    var files: [CachePath: FeedName] = [:]
    for (feed, claims) in claims {
      for name in claims.directories { directories[CachePath(name)] = (feed, claims) }
      for name in claims.files { files[CachePath(name)] = feed }
    }
    self.directories = directories
    self.files = files
  }

  /// Who claims the directory at the top of the cache that contains a path, or is it.
  private func owner(of path: CachePath) -> (feed: FeedName, claims: Claims)? { directories[path.top] }

  package func role(of path: CachePath) -> Role {
    if Self.isNeverRead(path) { return .ignored }
    guard let original = ConflictCopy.original(of: path) else { return roleByPlace(of: path) }
    let role = roleByPlace(of: original)
    return switch role {
    case .session, .settings: .copy(of: original)
    case .copy, .unclaimed, .ignored: role
    }
  }

  /// The role of a file, if nothing in its name excludes it.
  private func roleByPlace(of path: CachePath) -> Role {
    guard path.bytes.hasEnding(Self.ending) else { return roleByEnding(of: path) }
    guard let slash = path.bytes.firstIndex(of: UInt8(ascii: "/")) else {
      if path == Self.settings { return .settings }
      return files[path].map(Role.session) ?? .unclaimed
    }
    guard let owner = owner(of: path) else {
      return path.isWithin(CachePath(Self.snapshots)) ? .ignored : .unclaimed
    }
    guard owner.claims.isFlat else { return .session(owner.feed) }
    let isNested = path.bytes[(slash + 1)...].contains(UInt8(ascii: "/"))
    return isNested || !path.bytes.hasSuffix(".json") ? .unclaimed : .session(owner.feed)
  }

  /// The role of a file whose name does not end in `.json`.
  private func roleByEnding(of path: CachePath) -> Role {
    ownerWithEnding(of: path).map { .session($0) } ?? .ignored
  }

  /// The ending of session files, in any case.
  package static let ending = ".json"

  /// The feed that claims the directory of a path, if the path has one of the feed's further endings.
  private func ownerWithEnding(of path: CachePath) -> FeedName? {
    guard path.bytes.contains(UInt8(ascii: "/")), let owner = owner(of: path),
      owner.claims.endings.contains(where: { path.bytes.hasEnding($0.text) })
    else { return nil }
    return owner.feed
  }

  /// Whether `directory` may contain session files, so that the agent watches and lists it.
  package func holdsSessions(_ directory: CachePath) -> Bool {
    if directory.isRoot { return true }
    return isPlaceOfSessions(directory) && Self.isReadable(directory)
  }

  /// Whether a directory may contain session files, if nothing in its name excludes it.
  private func isPlaceOfSessions(_ directory: CachePath) -> Bool {
    guard let owner = owner(of: directory) else { return false }
    return !owner.claims.isFlat || !directory.bytes.contains(UInt8(ascii: "/"))
  }

  /// Whether a name that is not a session file's may be a directory of session files: a link there is a problem.
  package func mayBeDirectory(_ path: CachePath) -> Bool { !isNamedAsSession(path) && holdsSessions(path) }

  /// Whether a name has an ending of session files at its place.
  package func isNamedAsSession(_ path: CachePath) -> Bool {
    path.bytes.hasEnding(Self.ending) || ownerWithEnding(of: path) != nil
  }

  // MARK: Conflict copies

  /// The original of the conflict copy at `path`: a session file, settings or a directory of session files; nil if it
  /// is not such a copy.
  package func original(ofCopy path: CachePath, isDirectory: Bool) -> CachePath? {
    guard let original = ConflictCopy.original(of: path), !Self.isNeverRead(path) else { return nil }
    return switch roleByPlace(of: original) {
    case .session, .settings: original
    case .copy, .unclaimed, .ignored: isDirectory && isPlaceOfSessions(original) ? original : nil
    }
  }

  /// Whether a file or directory at `path` may be a conflict copy.
  package func mayBeCopy(_ path: CachePath) -> Bool { original(ofCopy: path, isDirectory: true) != nil }

  /// The feed that reads the original of a conflict copy; nil for settings.
  package func feed(ofOriginal path: CachePath) -> FeedName? {
    if case .session(let feed) = roleByPlace(of: path) { feed } else { owner(of: path)?.feed }
  }

  // MARK: Ignored files

  /// Whether `directory` may contain `.json` files that no feed claims; `status` lists them.
  package func mayHoldUnclaimed(_ directory: CachePath) -> Bool {
    !Self.isNeverRead(directory) && directory != CachePath(Self.snapshots)
  }

  /// Whether `directory` may contain files that would be session files under other names; `status` lists them. Hidden
  /// directories and those of the file system may contain very many files, but no producer's.
  package func mayHoldIgnored(_ directory: CachePath) -> Bool {
    isPlaceOfSessions(directory)
      && directory.components.allSatisfy {
        let obstacle = NameObstacle($0)
        return obstacle != .hidden && obstacle != .system
      }
  }

  /// Why the agent ignores a file that would be a session file under another name; nil for any other file.
  package func reasonToIgnore(_ path: CachePath) -> String? {
    guard case .session = roleByPlace(of: path) else { return nil }
    for name in path.components {
      if let obstacle = NameObstacle(name) { return obstacle.reason(naming: name) }
    }
    return nil
  }

  /// Whether the name of a file, or of a directory around it, excludes it from reading (contract.md section 1).
  package static func isNeverRead(_ path: CachePath) -> Bool {
    path.bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
        if NameObstacle(UnsafeBufferPointer(rebasing: bytes[start..<end])) != nil { return true }
        start = end + 1
      }
      return false
    }
  }

  /// Whether names allow reading the file at `path`; a conflict copy is not read either.
  package static func isReadable(_ path: CachePath) -> Bool {
    !isNeverRead(path) && ConflictCopy.original(of: path) == nil
  }

  /// The original in the same directory, if a name is a conflict copy's; nil if it is not, or if the name excludes it
  /// from reading.
  package static func originalName(ofCopy name: CachePath) -> CachePath? {
    isNeverRead(name) ? nil : ConflictCopy.original(of: name)
  }

  /// Whether a directory in a directory of caches is a cache: not hidden, not the file system's own, and not a sync
  /// tool's copy.
  package static func isCacheName(_ name: some Collection<UInt8>) -> Bool {
    let obstacle = NameObstacle(name)
    return obstacle != .hidden && obstacle != .system
      && ConflictCopy.original(of: CachePath(bytes: Array(name))) == nil
  }
}

extension [UInt8] {
  package func hasSuffix(_ suffix: StaticString) -> Bool {
    suffix.withUTF8Buffer { suffix in
      count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
    }
  }
}
