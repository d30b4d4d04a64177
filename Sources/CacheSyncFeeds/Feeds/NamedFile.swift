import CacheSyncSystem

/// The files of one directory that count as settings: `widgets/<name>.json`, `screens/<name>.json`.
///
/// The agent reads them as it reads session files, with the same patience and last good versions.
struct NamedFile: Sendable {
  /// The directory, and the internal feed.
  let feed: FeedName
  /// The word for what such a file makes, such as `widget`.
  let noun: String
  /// A name that a file may have.
  let example: String

  /// How many of them count in a cache. If there are more, the first by path count.
  static let maximumCount = 64

  /// The largest file that is read, in bytes.
  static let maximumBytes = 65_536

  var claims: CacheLayout.Claims { CacheLayout.Claims(directories: [feed.description]) }

  /// Whether a file may have this name: `[a-z][a-z0-9]*(-[a-z0-9]+)*`, 40 characters at most.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first), name.utf8.count <= 40
    else { return false }
    return name.split(separator: "-", omittingEmptySubsequences: false).allSatisfy {
      FeedDefinition.isWord(String($0))
    }
  }

  /// The file's name without `.json`.
  static func name(of path: CachePath) -> String {
    let file = path.components.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return String(file.dropLast(".json".utf8.count))
  }

  /// Where a problem of a file belongs.
  func scope(of name: String) -> FeedName { FeedName("\(feed)/\(name)") }

  /// Why a valid file does not count because of others.
  func tooMany(_ name: String) -> String {
    "only the first \(Self.maximumCount) \(feed) by path count, and \(name) comes after them: remove others"
  }

  /// - Parameters:
  ///   - refusal: why a file may not have a name.
  ///   - shape: what a file with a name has.
  func decode<Value: Sendable>(
    _ document: FeedDescriptor.Document, refusal: (String) -> String? = { _ in nil },
    _ shape: (String) -> Shape<Value>
  ) -> DecodedSession {
    let name = Self.name(of: document.path)
    func failed(_ message: String, at offset: Int = 0, scope: FeedName) -> DecodedSession {
      DecodedSession(defects: [JSONDefect(offset: offset, message: message, place: .document)], scope: scope)
    }
    if document.path.components.count > 2 {
      // No kind has a path as its scope.
      let message = "a \(noun) file lies directly in \(feed)/: move it there"
      return failed(message, scope: FeedName("\(feed)/\(document.path)"))
    }
    let scope = scope(of: name)
    if !Self.isName(name) {
      let advice = "name the file with lower-case words and hyphens, such as \(example).json"
      return failed("\(JSONMessage.quoted(name)) cannot be the name of a \(noun): \(advice)", scope: scope)
    }
    if let refusal = refusal(name) { return failed(refusal, scope: scope) }
    guard document.bytes.count <= Self.maximumBytes else {
      let message = "larger than \(Self.maximumBytes) bytes, the limit of a \(noun) file: shorten it"
      return failed(message, at: Self.maximumBytes, scope: scope)
    }
    let (tree, defects) = JSONTree.read(document.bytes, strictly: true)
    let (session, found) = DefinitionReader(document.bytes, defects, name: name).read(tree, shape(name))
    return DecodedSession(
      session: session, defects: found, scope: scope,
      pruned: document.isPruning && session != nil ? Array(document.bytes) : nil)
  }
}

extension Shape where Value == String {
  /// The largest number of characters of a title.
  private static var longestTitle: Int { 80 }

  /// Editors count code points, the reader what people see as characters.
  static var title: Shape {
    Shape(.text.notEmpty) { reader, value in
      if let text = value.text, (1...longestTitle).contains(text.count), !text.contains(where: \.isNewline) {
        if text.contains(where: { !$0.isWhitespace }) { return text }
        reader.fail("expected a text, found blanks: write a title, or remove it", at: value)
        return nil
      }
      reader.fail("expected a text of 1 to \(longestTitle) characters without line breaks", at: value)
      return nil
    }
    .with(#"{ "maxLength": \#(longestTitle), "pattern": "^\#(restOfLine)\\S\#(restOfLine)$" }"#)
  }

  private static var restOfLine: String { #"[^\\n\\x0b\\f\\r\\x85\\u2028\\u2029]*"# }
}
