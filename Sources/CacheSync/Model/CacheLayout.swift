/// Where everything in a cache is: the one place that knows its paths.
package struct CacheLayout: Sendable {
  /// Which files a feed claims: everything below its directories, and single files at the top.
  package struct Claims: Sendable, Equatable {
    package var directories: [String]
    package var files: [String]
    /// Endings of further names that count in the directories, beside `.json`.
    package var endings: [String]
    /// Whether only files directly in the directories count, at no depth.
    package var isFlat: Bool

    package init(directories: [String] = [], files: [String] = [], endings: [String] = [], isFlat: Bool = false) {
      self.directories = directories
      self.files = files
      self.endings = endings
      self.isFlat = isFlat
    }
  }

  /// What a file's path says it is. Its content is not looked at.
  package enum Role: Equatable, Sendable {
    case session(FeedName)
    case settings
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
  package static let temporaryPrefix: StaticString = "tmp-"

  private let feedOfDirectory: [[UInt8]: FeedName]
  private let flatDirectories: Set<[UInt8]>
  private let endingsOfDirectory: [[UInt8]: [[UInt8]]]
  private let feedOfFile: [[UInt8]: FeedName]

  package init(claims: [(FeedName, Claims)]) {
    var directories: [[UInt8]: FeedName] = [:]
    var files: [[UInt8]: FeedName] = [:]
    var flat: Set<[UInt8]> = []
    var endings: [[UInt8]: [[UInt8]]] = [:]
    for (feed, claims) in claims {
      for name in claims.directories { directories[Array(name.utf8)] = feed }
      for name in claims.files { files[Array(name.utf8)] = feed }
      for name in claims.directories where !claims.endings.isEmpty {
        endings[Array(name.utf8)] = claims.endings.map { Array($0.utf8) }
      }
      if claims.isFlat { flat.formUnion(claims.directories.map { Array($0.utf8) }) }
    }
    flatDirectories = flat
    endingsOfDirectory = endings
    feedOfDirectory = directories
    feedOfFile = files
  }

  package func role(of path: CachePath) -> Role {
    guard path.bytes.hasSuffix(".json") else { return roleByEnding(of: path) }
    if Self.isUnfinished(path) { return .ignored }
    guard let slash = path.bytes.firstIndex(of: UInt8(ascii: "/")) else {
      if path == Self.settings { return .settings }
      return feedOfFile[path.bytes].map(Role.session) ?? .unclaimed
    }
    let top = Array(path.bytes[..<slash])
    if top == Array(Self.snapshots.utf8) { return .ignored }
    guard let feed = feedOfDirectory[top] else { return .unclaimed }
    let isNested = path.bytes[(slash + 1)...].contains(UInt8(ascii: "/"))
    return isNested && flatDirectories.contains(top) ? .unclaimed : .session(feed)
  }

  /// The role of a file whose name does not end in `.json`.
  private func roleByEnding(of path: CachePath) -> Role {
    guard hasOwnEnding(path), !Self.isUnfinished(path) else { return .ignored }
    let top = Array(path.bytes.prefix { $0 != UInt8(ascii: "/") })
    return feedOfDirectory[top].map(Role.session) ?? .ignored
  }

  private func hasOwnEnding(_ path: CachePath) -> Bool {
    guard !endingsOfDirectory.isEmpty, let slash = path.bytes.firstIndex(of: UInt8(ascii: "/")) else { return false }
    return endingsOfDirectory[Array(path.bytes[..<slash])]?.contains { path.bytes.suffix($0.count) == $0[...] } ?? false
  }

  /// Whether session files may lie in `directory`, so that it is watched and listed.
  package func holdsSessions(_ directory: CachePath) -> Bool {
    if directory.isRoot { return true }
    guard !Self.isUnfinished(directory) else { return false }
    let top = Array(directory.bytes.prefix { $0 != UInt8(ascii: "/") })
    return feedOfDirectory[top] != nil && (top.count == directory.bytes.count || !flatDirectories.contains(top))
  }

  /// Whether a directory of session files may stand under a name that is no session file's: a link there is a problem.
  package func mayBeDirectory(_ path: CachePath) -> Bool {
    !path.bytes.hasSuffix(".json") && !hasOwnEnding(path) && holdsSessions(path)
  }

  /// Whether `directory` may hold `.json` files that no feed claims; `status` lists them.
  package func mayHoldUnclaimed(_ directory: CachePath) -> Bool {
    !Self.isUnfinished(directory) && directory != CachePath(Self.snapshots)
  }

  /// Whether any component names a file that another program is still writing: it begins with `.`, ends in `~`, or holds
  /// `.tmp`, `.part`, `.swp` or `.nosync` (CONTRACT section 1).
  package static func isUnfinished(_ path: CachePath) -> Bool {
    path.bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
        if isUnfinished(component: UnsafeBufferPointer(rebasing: bytes[start..<end])) { return true }
        start = end + 1
      }
      return false
    }
  }

  package static func isUnfinished(component: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = component.first, let last = component.last else { return false }
    if first == UInt8(ascii: ".") || last == UInt8(ascii: "~") { return true }
    for index in component.indices where component[index] == UInt8(ascii: ".") {
      for mark in unfinishedMarks where component[(index + 1)...].starts(with: mark.utf8) { return true }
    }
    return false
  }

  private static let unfinishedMarks = ["tmp", "part", "swp", "nosync"]
}

extension [UInt8] {
  package func hasSuffix(_ suffix: StaticString) -> Bool {
    suffix.withUTF8Buffer { suffix in
      count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
    }
  }
}
