package import CacheSyncSystem

/// Where everything in a cache is: the one place that knows its paths.
package struct CacheLayout: Sendable {
  /// Which files a feed claims: everything below its directories, and single files at the top.
  package struct Claims: Sendable, Equatable {
    package var directories: [String]
    package var files: [String]
    /// Endings of further names that count in the directories, beside `.json`.
    package var endings: [Ending]
    /// Whether only files directly in the directories count, at no depth, and only with `.json` exactly so: their names mean
    /// something to the agent.
    package var isFlat: Bool

    package init(directories: [String] = [], files: [String] = [], endings: [Ending] = [], isFlat: Bool = false) {
      self.directories = directories
      self.files = files
      self.endings = endings
      self.isFlat = isFlat
    }
  }

  /// A further ending of session files, and how a document that comes without a name is recognised as one of them.
  package struct Ending: Sendable, Equatable {
    /// Such as `.ics`: in lower case, and counting in any.
    package let text: String
    /// What such a document is, for messages.
    package let noun: String
    private let firstLine: String

    /// - Parameter firstLine: of every such document, in lower case.
    package init(_ text: String, noun: String, firstLine: String) {
      self.text = text
      self.noun = noun
      self.firstLine = firstLine
    }

    /// Whether a document has the first line, in any case. A byte-order mark, white space and blank lines may come before it.
    package func fits(_ document: [UInt8]) -> Bool {
      var rest = document.prefix(Self.searched)
      if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
      let line = rest.drop(while: Self.isSpace).prefix { !Self.isSpace($0) }
      return line.elementsEqual(firstLine.utf8) { $0.asciiLowercased == $1 }
    }

    /// How many bytes are looked at: more than any producer puts before the first line.
    private static let searched = 4096

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
  }

  /// What a file's path says it is. Its content is not looked at.
  package enum Role: Equatable, Sendable {
    case session(FeedName)
    case settings
    /// A copy that a sync tool made of a session file or of settings, in a conflict.
    case copy(of: CachePath)
    /// A `.json` file that no feed claims.
    case unclaimed
    /// Half-written work, another kind of file, or the agent's own.
    case ignored
  }

  package static let snapshots = "snapshots"
  package static let state = ".cachesync"
  package static let settings = CachePath("cachesync.json")
  /// The directory of definitions of feeds.
  package static let definitions = "feeds"
  package static let dayIndex = "day-index.json"
  package static let manifest = "manifest.json"
  /// Inside ``state``.
  package static let lock = "lock"
  package static let socket = "socket"
  package static let lastGood = "sessions"
  package static let flushed = "flushed"
  /// Inside ``snapshots``: where outputs lie before they are whole.
  package static let temporaries = ".tmp"
  package static let temporaryPrefix: StaticString = "tmp-"
  /// Of a session file that a writer has not finished, beside where it is to be.
  package static let unfinishedPrefix: StaticString = ".cachesync-"

  private let feedOfDirectory: [[UInt8]: FeedName]
  private let flatDirectories: Set<[UInt8]>
  private let endingsOfDirectory: [[UInt8]: [String]]
  private let feedOfFile: [[UInt8]: FeedName]

  package init(claims: [(FeedName, Claims)]) {
    var directories: [[UInt8]: FeedName] = [:]
    var files: [[UInt8]: FeedName] = [:]
    var flat: Set<[UInt8]> = []
    var endings: [[UInt8]: [String]] = [:]
    for (feed, claims) in claims {
      for name in claims.directories { directories[Array(name.utf8)] = feed }
      for name in claims.files { files[Array(name.utf8)] = feed }
      for name in claims.directories where !claims.endings.isEmpty {
        endings[Array(name.utf8)] = claims.endings.map(\.text)
      }
      if claims.isFlat { flat.formUnion(claims.directories.map { Array($0.utf8) }) }
    }
    flatDirectories = flat
    endingsOfDirectory = endings
    feedOfDirectory = directories
    feedOfFile = files
  }

  package func role(of path: CachePath) -> Role {
    if Self.isNeverRead(path) { return .ignored }
    guard let original = ConflictCopy.original(of: path) else { return roleByPlace(of: path) }
    let role = roleByPlace(of: original)
    return switch role {
    case .session, .settings: .copy(of: original)
    case .copy, .unclaimed, .ignored: role
    }
  }

  /// The role of a file if nothing in its name keeps it from being read.
  private func roleByPlace(of path: CachePath) -> Role {
    guard path.bytes.hasEnding(Self.ending) else { return roleByEnding(of: path) }
    guard let slash = path.bytes.firstIndex(of: UInt8(ascii: "/")) else {
      if path == Self.settings { return .settings }
      return feedOfFile[path.bytes].map(Role.session) ?? .unclaimed
    }
    let top = Array(path.bytes[..<slash])
    if top == Array(Self.snapshots.utf8) { return .ignored }
    guard let feed = feedOfDirectory[top] else { return .unclaimed }
    guard flatDirectories.contains(top) else { return .session(feed) }
    let isNested = path.bytes[(slash + 1)...].contains(UInt8(ascii: "/"))
    return isNested || !path.bytes.hasSuffix(".json") ? .unclaimed : .session(feed)
  }

  /// The role of a file whose name does not end in `.json`.
  private func roleByEnding(of path: CachePath) -> Role {
    guard hasOwnEnding(path) else { return .ignored }
    return feed(ofDirectoryAbove: path).map(Role.session) ?? .ignored
  }

  /// The feed whose directory a path is or lies below.
  private func feed(ofDirectoryAbove path: CachePath) -> FeedName? {
    feedOfDirectory[Array(path.bytes.prefix { $0 != UInt8(ascii: "/") })]
  }

  /// The ending of session files, in any case.
  package static let ending = ".json"

  private func hasOwnEnding(_ path: CachePath) -> Bool {
    guard !endingsOfDirectory.isEmpty, let slash = path.bytes.firstIndex(of: UInt8(ascii: "/")) else { return false }
    return endingsOfDirectory[Array(path.bytes[..<slash])]?.contains { path.bytes.hasEnding($0) } ?? false
  }

  /// Whether session files may lie in `directory`, so that it is watched and listed.
  package func holdsSessions(_ directory: CachePath) -> Bool {
    if directory.isRoot { return true }
    return isPlaceOfSessions(directory) && Self.isReadable(directory)
  }

  /// Whether session files may lie in a directory if nothing in its name keeps it from being read.
  private func isPlaceOfSessions(_ directory: CachePath) -> Bool {
    let top = Array(directory.bytes.prefix { $0 != UInt8(ascii: "/") })
    return feedOfDirectory[top] != nil && (top.count == directory.bytes.count || !flatDirectories.contains(top))
  }

  /// Whether a directory of session files may stand under a name that is no session file's: a link there is a problem.
  package func mayBeDirectory(_ path: CachePath) -> Bool { !isNamedAsSession(path) && holdsSessions(path) }

  /// Whether a name ends as session files' names do at its place.
  package func isNamedAsSession(_ path: CachePath) -> Bool { path.bytes.hasEnding(Self.ending) || hasOwnEnding(path) }

  // MARK: Conflict copies

  /// The session file, settings or directory of session files of which a sync tool made the copy at `path` in a conflict; nil:
  /// it is no such copy.
  package func original(ofCopy path: CachePath, isDirectory: Bool) -> CachePath? {
    if case .copy(let original) = role(of: path) { return original }
    guard isDirectory, !Self.isNeverRead(path), let original = ConflictCopy.original(of: path),
      isPlaceOfSessions(original)
    else { return nil }
    return original
  }

  /// Whether a file or directory at `path` may be a conflict copy.
  package func mayBeCopy(_ path: CachePath) -> Bool { original(ofCopy: path, isDirectory: true) != nil }

  /// The feed that reads the original of a conflict copy; nil for settings.
  package func feed(ofOriginal path: CachePath) -> FeedName? {
    if case .session(let feed) = roleByPlace(of: path) { feed } else { feed(ofDirectoryAbove: path) }
  }

  // MARK: Files that are left alone

  /// Whether `directory` may hold `.json` files that no feed claims; `status` lists them.
  package func mayHoldUnclaimed(_ directory: CachePath) -> Bool {
    !Self.isNeverRead(directory) && directory != CachePath(Self.snapshots)
  }

  /// Whether `directory` may hold files that would be session files under other names; `status` lists them. Hidden directories
  /// and those of the file system may hold very many files, none of them a producer's.
  package func mayHoldIgnored(_ directory: CachePath) -> Bool {
    isPlaceOfSessions(directory)
      && directory.components.allSatisfy {
        let obstacle = NameObstacle($0)
        return obstacle != .hidden && obstacle != .system
      }
  }

  /// Why a file is not read that would be a session file under another name; nil for any other file.
  package func reasonToIgnore(_ path: CachePath) -> String? {
    guard case .session = roleByPlace(of: path) else { return nil }
    for name in path.components {
      if let obstacle = NameObstacle(name) { return obstacle.reason(naming: name) }
    }
    return nil
  }

  /// Whether the name of a file, or of a directory around it, keeps it from being read (contract.md section 1).
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

  /// Whether names allow that what is at `path` is read: it is no conflict copy either.
  package static func isReadable(_ path: CachePath) -> Bool {
    !isNeverRead(path) && ConflictCopy.original(of: path) == nil
  }

  /// The file beside it of which a file of some name is a conflict copy; nil when it is none, or when its name keeps it from being
  /// read.
  package static func originalName(ofCopy name: CachePath) -> CachePath? {
    isNeverRead(name) ? nil : ConflictCopy.original(of: name)
  }

  /// Whether a directory in a directory of caches is one of them: neither hidden, nor the file system's own, nor a copy that a
  /// sync tool made.
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
