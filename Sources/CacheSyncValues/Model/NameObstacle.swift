import CacheSyncSystem

/// Why a name excludes a file or directory from reading, whatever its content (contract.md section 1).
package enum NameObstacle: Equatable, Sendable {
  /// The name begins with `.`.
  case hidden
  /// The name ends in `~`: an editor's backup.
  case backup
  /// A whole part after the name's first dot marks work that another program has not finished.
  case unfinished(part: String)
  /// File systems and storage appliances use a directory of that name themselves.
  case system

  /// The parts after a dot that mark unfinished work, without regard to case.
  package static let unfinishedParts = ["tmp", "temp", "part", "partial", "swp", "nosync", "crdownload", "filepart"]

  private static let unfinishedBytes = unfinishedParts.map { Array($0.utf8) }

  /// `.stversions`, Syncthing's directory of old versions, is already excluded as hidden.
  private static let systemNames = [
    "lost+found", "System Volume Information", "$RECYCLE.BIN", "@eaDir", "@tmp", "@Recycle", "#recycle", "#snapshot",
  ].map { $0.utf8.map(\.asciiLowercased) }

  /// - Parameter name: one name, without `/`.
  package init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard let first = name.first, let last = name.last else { return nil }
    if first == UInt8(ascii: ".") {
      self = .hidden
    } else if last == UInt8(ascii: "~") {
      self = .backup
    } else if let part = Self.unfinishedPart(of: name) {
      self = .unfinished(part: part)
    } else if Self.systemNames.contains(where: { name.isEqual(toLowercase: $0) }) {
      self = .system
    } else {
      return nil
    }
  }

  package init?(_ name: some Collection<UInt8>) {
    guard let obstacle = Array(name).withUnsafeBufferPointer({ NameObstacle($0) }) else { return nil }
    self = obstacle
  }

  private static func unfinishedPart(of name: UnsafeBufferPointer<UInt8>) -> String? {
    // The part before the first dot is what a user calls the file, such as `temp.json`: programs add their marks to it.
    var start = (name.firstIndex(of: UInt8(ascii: ".")) ?? name.count) + 1
    while start < name.count {
      var end = start
      while end < name.count, name[end] != UInt8(ascii: ".") { end += 1 }
      let part = UnsafeBufferPointer(rebasing: name[start..<end])
      if let mark = unfinishedBytes.firstIndex(where: { part.isEqual(toLowercase: $0) }) {
        return unfinishedParts[mark]
      }
      start = end + 1
    }
    return nil
  }

  /// The reason for people and programs.
  package func reason(naming name: ArraySlice<UInt8>) -> String {
    let quoted = "'\(EscapedText.forPrograms(name))'"
    return switch self {
    case .hidden: "\(quoted) begins with '.'"
    case .backup: "\(quoted) ends in '~'"
    case .unfinished(let part): "\(quoted) has the part '\(part)', which marks unfinished work"
    case .system: "\(quoted) belongs to the file system"
    }
  }
}

extension UInt8 {
  package var asciiLowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}

extension Collection<UInt8> {
  /// Whether the bytes equal a text, ignoring the case of ASCII letters.
  ///
  /// - Parameter other: in lower case.
  fileprivate func isEqual(toLowercase other: [UInt8]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.asciiLowercased == $1 }
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// Whether a file's name has an ending such as `.json`, in any case.
  ///
  /// - Parameter ending: in lower case.
  package func hasEnding(_ ending: String) -> Bool {
    let ending = ending.utf8
    return count >= ending.count && suffix(ending.count).elementsEqual(ending) { $0.asciiLowercased == $1 }
  }
}
