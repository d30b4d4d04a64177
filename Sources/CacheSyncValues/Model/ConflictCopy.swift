import CacheSyncSystem

/// The names that sync tools give to the other version of a file that two machines changed (contract.md section 1).
///
/// - Syncthing: `a.sync-conflict-20261124-101500-ABCDEF7.json`.
/// - Nextcloud and ownCloud: `a (conflicted copy 2026-11-24 101500).json`, before 2.5
///   `a_conflict-20261124-101500.json`; on a clash of case `a (case clash from …).json`.
/// - Dropbox: `a (Ann's conflicted copy 2026-11-24).json`, in the language of its user; `a (Case Conflict).json`.
/// - rclone bisync: `a.json.conflict1`, or `a.conflict1.json`; Resilio Sync: `a.Conflict.json`.
/// - Synology Drive: `a_DiskStation_Nov-24-101500-2026_Conflict.json`; pCloud: `a [conflicted].json`.
/// - Seafile: `a (SFConflict ann@example.org 2026-11-24-10-15-00).json`; Unison: `a (conflict on 2026-11-24).json`.
/// - copyparty, for the second upload of a name: `a.json-1795934018.005058-adO8eipP.json`, and with `--plain-ip` the
///   sender's address instead of its hash.
enum ConflictCopy {
  /// The path of the original: without the marks of every name in it. Nil for a path without such a mark.
  static func original(of path: CachePath) -> CachePath? {
    guard mayHaveMark(path.bytes) else { return nil }
    var isCopy = false
    let names = path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { name in
      guard let original = original(ofName: Array(name)) else { return name }
      isCopy = true
      return original[...]
    }
    return isCopy ? CachePath(bytes: Array(names.joined(separator: [UInt8(ascii: "/")]))) : nil
  }

  /// Whether to look closer: every mark contains "nf", a bracket or a fraction. This runs for every name that the
  /// kernel reports.
  private static func mayHaveMark(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var previous: UInt8 = 0
      var beforePrevious: UInt8 = 0
      for byte in bytes {
        if byte == UInt8(ascii: "(") || (byte | 0x20 == UInt8(ascii: "f") && previous | 0x20 == UInt8(ascii: "n"))
          || (previous == UInt8(ascii: ".") && isDigit(byte) && isDigit(beforePrevious))
        {
          return true
        }
        beforePrevious = previous
        previous = byte
      }
      return false
    }
  }

  /// A name without its marks; for a copy of a copy this is the first original.
  private static func original(ofName name: [UInt8]) -> [UInt8]? {
    var rest = name
    while let mark = dottedMark(in: rest) ?? bracketedMark(in: rest) ?? datedMark(in: rest)
      ?? hostMark(in: rest) ?? uploadMark(in: rest)
    {
      rest.removeSubrange(mark)
    }
    return rest.count < name.count && !rest.isEmpty ? rest : nil
  }

  // MARK: Marks

  /// A part between dots, with the dot before it, that begins with one of the words and does not continue with a
  /// letter: `.conflicts` is a user's own word.
  private static func dottedMark(in name: [UInt8]) -> Range<Int>? {
    for dot in name.indices.dropFirst() where name[dot] == UInt8(ascii: ".") {
      let end = name[(dot + 1)...].firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
      let part = name[(dot + 1)..<end].map(\.asciiLowercased)
      for word in dottedWords where part.starts(with: word.utf8) {
        let next = part.dropFirst(word.utf8.count).first
        if next.map({ !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) ?? true { return dot..<end }
      }
    }
    return nil
  }

  private static let dottedWords = ["sync-conflict", "conflict", "conflicted"]

  /// `_conflict-…20261124-101500`.
  private static func datedMark(in name: [UInt8]) -> Range<Int>? {
    let word = Array("_conflict-".utf8)
    for start in name.indices.dropFirst()
    where name[start...].prefix(word.count).map(\.asciiLowercased) == word {
      var end = start + word.count
      while end < name.count, name[end] != UInt8(ascii: ".") { end += 1 }
      let date = name[start..<end].suffix(15)
      let isDate = date.enumerated().allSatisfy { $0 == 8 ? $1 == UInt8(ascii: "-") : isDigit($1) }
      if date.count == 15, isDate { return start..<end }
    }
    return nil
  }

  /// `_HOST_Nov-24-101500-2026_Conflict`, at the end of the name or before a dot.
  private static func hostMark(in name: [UInt8]) -> Range<Int>? {
    let end = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let parts = name[..<end].split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[parts.count - 1].map(\.asciiLowercased).elementsEqual("conflict".utf8) else {
      return nil
    }
    let date = parts[parts.count - 2].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard date.count == 4, date.dropFirst().allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) else { return nil }
    let start = parts[parts.count - 3].startIndex - 1
    return start > 0 ? start..<end : nil
  }

  /// `-1795934018.005058-SENDER.json` after a name that ends with `.json` itself: the time of an upload in seconds
  /// since 1970, with six digits of a fraction.
  private static func uploadMark(in name: [UInt8]) -> Range<Int>? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let ending = name[dot...].map(\.asciiLowercased)
    for start in name[..<dot].indices.dropFirst() where name[start] == UInt8(ascii: "-") {
      let time = name[(start + 1)..<dot].prefix(18)
      let isTime = time.enumerated().allSatisfy {
        $0 == 10 ? $1 == UInt8(ascii: ".") : $0 == 17 ? $1 == UInt8(ascii: "-") : isDigit($1)
      }
      if time.count == 18, isTime, time.endIndex < dot,
        name[..<start].suffix(ending.count).map(\.asciiLowercased) == ending, start > ending.count
      {
        return start..<name.endIndex
      }
    }
    return nil
  }

  /// A phrase in brackets at the end of the name or before a dot, with the space before it.
  private static func bracketedMark(in name: [UInt8]) -> Range<Int>? {
    for space in name.indices.dropFirst()
    where name[space...].starts(with: " (".utf8) || name[space...].starts(with: " [".utf8) {
      if name[(space + 1)...].starts(with: squareMark) { return space..<(space + 1 + squareMark.count) }
      var depth = 0
      let close = name[space...].firstIndex { byte in
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        return byte == UInt8(ascii: ")") && depth == 0
      }
      guard let close, isPhrase(name[(space + 2)..<close]) else { continue }
      let rest = name[(close + 1)...]
      if rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.starts(with: " (".utf8) { return space..<(close + 1) }
    }
    return nil
  }

  private static let squareMark = Array("[conflicted]".utf8)

  /// Whether a phrase mentions a conflict, and a copy or a day: "(conflict with the dentist)" is a user's own remark.
  private static func isPhrase(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    if fixedPhrases.contains(where: text.hasPrefix) { return true }
    return conflictWords.contains { text.contains($0) } && (copyWords.contains { text.contains($0) } || hasDay(bytes))
  }

  private static let fixedPhrases = [
    "case conflict", "selective sync conflict", "unicode encoding conflict", "whitespace conflict", "case clash from ",
  ]
  /// "Conflict" as Dropbox writes it: English, French, Spanish, Italian, Portuguese, Dutch; German and Swedish; Danish
  /// and Norwegian; Russian and Ukrainian; Japanese; Chinese; Korean; Turkish.
  private static let conflictWords = [
    "conflict", "conflit", "konflikt", "modstridende", "motstridende", "конфл", "競合", "冲突", "衝突", "충돌", "çakış",
  ]
  private static let copyWords = [
    "copy", "copi", "cópia", "còpia", "kopi", "kopy", "копи", "копі", "コピー", "副本", "複本", "사본", "복사본",
  ]

  /// `2026-11-24`.
  private static func hasDay(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.indices.contains { start in
      let day = bytes[start...].prefix(10)
      return day.count == 10
        && day.enumerated().allSatisfy { $0 == 4 || $0 == 7 ? $1 == UInt8(ascii: "-") : isDigit($1) }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
