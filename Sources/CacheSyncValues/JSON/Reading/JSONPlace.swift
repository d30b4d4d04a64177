package import CacheSyncSystem

/// The place of a defect, for people and editors.
package struct JSONPlace: Sendable, Hashable {
  /// From 1; `\n` ends a line.
  package var line: Int
  /// From 1, in bytes.
  package var column: Int
  /// RFC 6901; "" for the document as a whole.
  package var pointer: String

  package init(line: Int, column: Int, pointer: String) {
    (self.line, self.column, self.pointer) = (line, column, pointer)
  }

  /// The maximum length of a pointer in bytes. A longer one is cut between tokens, so that it names a value around the
  /// defect: a document can have a key of many megabytes and thousands of defects below it.
  static let longestPointer = 4096

  package static func of(_ defect: JSONDefect, in bytes: UnsafeRawBufferPointer) -> JSONPlace {
    of([defect], in: bytes)[0]
  }

  /// The place of a member's value in the outermost object; the object's own place if it has no such member.
  package static func ofMember(_ key: String, in bytes: UnsafeRawBufferPointer) -> JSONPlace {
    var offset: Int?
    _ = JSONReader.read(bytes) { json in
      json.members { json, name in
        if offset == nil, let name = json.text(ofKey: name), isSameText(name, key) { offset = json.valueOffset }
      }
    }
    return of(JSONDefect(offset: offset ?? 0, message: "", place: offset == nil ? .missing(key) : .value), in: bytes)
  }

  /// The places of many defects of one document, computed in one pass over its bytes.
  ///
  /// - Parameter defects: in ascending order of offsets, as ``JSONReader`` returns them.
  package static func of(_ defects: [JSONDefect], in bytes: UnsafeRawBufferPointer) -> [JSONPlace] {
    var walk = JSONWalk(bytes)
    return defects.map { defect in
      if case .at(let place) = defect.place { return place }
      walk.advance(to: defect.offset)
      var place = JSONPlace(line: walk.line, column: walk.column, pointer: "")
      switch defect.place {
      case .document, .at: break
      case .value, .secondValue: place.pointer = walk.pointer()
      case .missing(let name), .key(let name): place.pointer = walk.pointer(to: name)
      }
      return place
    }
  }
}

/// Walks over a document up to an offset and tracks which arrays and objects are open there. The document need not be
/// valid: it is valid up to a syntax error, and a walk never goes further than a defect.
private struct JSONWalk {
  private enum Level {
    case array(index: Int)
    /// The key's bytes without quotes, and whether the next string is a key.
    case object(key: Range<Int>, awaitsKey: Bool)
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var lineStart = 0
  private var levels: [Level] = []
  /// The offset after the opening quote of the string that is open here; nil outside strings.
  private var stringStart: Int?
  private(set) var line = 1

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var column: Int { offset - lineStart + 1 }

  /// Walks up to a byte, without looking at that byte.
  mutating func advance(to target: Int) {
    let target = min(target, bytes.count)
    while offset < target { step() }
  }

  private mutating func step() {
    let byte = bytes[offset]
    defer { offset += 1 }
    if byte == 0x0a {
      line += 1
      lineStart = offset + 1
    }
    if let start = stringStart {
      if byte == 0x22, !isEscaped(start) { endString(start) }
      return
    }
    switch byte {
    case 0x22: stringStart = offset + 1
    case 0x7b: levels.append(.object(key: 0..<0, awaitsKey: true))
    case 0x5b: levels.append(.array(index: 0))
    case 0x7d, 0x5d: _ = levels.popLast()
    case 0x2c:
      switch levels.popLast() {
      case .array(let index): levels.append(.array(index: index + 1))
      case .object(let key, _): levels.append(.object(key: key, awaitsKey: true))
      case nil: break
      }
    default: break
    }
  }

  /// Whether there is an odd number of backslashes before the byte.
  private func isEscaped(_ start: Int) -> Bool {
    var place = offset
    while place > start, bytes[place - 1] == 0x5c { place -= 1 }
    return (offset - place) % 2 == 1
  }

  private mutating func endString(_ start: Int) {
    stringStart = nil
    if case .object(_, awaitsKey: true) = levels.last {
      levels[levels.count - 1] = .object(key: start..<offset, awaitsKey: false)
    }
  }

  /// The pointer of the value that begins here, or that contains this place.
  func pointer(to field: String? = nil) -> String {
    var result = ""
    func append(_ token: String) -> Bool {
      guard result.utf8.count + token.utf8.count < JSONPlace.longestPointer else { return false }
      result += "/" + token
      return true
    }
    for level in levels {
      switch level {
      case .array(let index):
        guard append(String(index)) else { return result }
      case .object(_, awaitsKey: true):
        break
      case .object(let key, _):
        guard key.count <= 6 * JSONPlace.longestPointer, append(Self.token(text(key))) else { return result }
      }
    }
    if let field { _ = append(Self.token(field)) }
    return result
  }

  private static func token(_ key: String) -> String {
    var result = ""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": result += "~0"
      case "/": result += "~1"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A key without its escapes; broken parts become U+FFFD.
  private func text(_ range: Range<Int>) -> String {
    let key = UnsafeRawBufferPointer(rebasing: bytes[range])
    guard key.contains(0x5c) else { return String(decoding: key, as: UTF8.self) }
    let quoted = [0x22] + key + [0x22]
    return quoted.withUnsafeBytes { quoted in
      JSONReader.read(quoted) { $0.string() }.value ?? String(decoding: key, as: UTF8.self)
    }
  }
}

extension Problem {
  package init(
    _ severity: Severity = .error, path: CachePath, _ defect: JSONDefect, at place: JSONPlace, scope: FeedName? = nil
  ) {
    self.init(
      severity, path: path, line: place.line, column: place.column, pointer: place.pointer, message: defect.message,
      scope: scope)
  }
}
