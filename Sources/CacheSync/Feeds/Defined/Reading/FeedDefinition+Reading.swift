extension FeedDefinition {
  /// The definition in a file, or the file's defects.
  package struct Read: Sendable {
    /// Nil if there is any defect.
    package var definition: FeedDefinition?
    /// All defects, in ascending order of offsets.
    package var defects: [JSONDefect]
    /// Parts that are valid but have no effect.
    package var warnings: [JSONDefect] = []
  }

  /// The largest file that is read, in bytes.
  package static let maximumBytes = 65_536

  /// The rule of ``isName(_:)``, for messages.
  package static var nameRule: String {
    "use up to 31 characters a-z and 0-9, beginning with a letter; feeds, snapshots and widgets are reserved"
  }

  /// Whether a feed may have this name: `[a-z][a-z0-9]{0,30}`, but not `feeds`, `snapshots` or `widgets`.
  package static func isName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, bytes.count <= 31, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return false
    }
    return isWord(name) && !CacheLayout.reserved.contains(name)
  }

  /// Whether a text is one or more of `[a-z0-9]`.
  static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }

  /// Reads a definition strictly.
  ///
  /// It never traps, whatever the bytes are, and its work is bounded by ``maximumBytes``.
  ///
  /// - Parameters:
  ///   - name: the feed's name, which is the file's name without `.json`.
  ///   - reserved: the names and claims of built-in feeds. The caller checks the claims of other definitions.
  ///   - isTimeZone: whether a zone of that name is known, as for the settings.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, named name: String, reserved: ReservedNames,
    isTimeZone: (String) -> Bool = { _ in true }
  ) -> Read {
    guard bytes.count <= maximumBytes else {
      let message = "larger than \(maximumBytes) bytes"
      return Read(definition: nil, defects: [JSONDefect(offset: maximumBytes, message: message, place: .document)])
    }
    let (tree, defects) = JSONTree.read(bytes, strictly: true, ignoring: ["comment"])
    // Without a tree there is nothing else to read.
    guard let tree else { return Read(definition: nil, defects: defects) }
    return withoutActuallyEscaping(isTimeZone) { isTimeZone in
      var reader = DefinitionReader(bytes, defects, name: name, reserved: reserved, isTimeZone: isTimeZone)
      let definition = reader.definition(LocatedValue(tree: tree, node: JSONTree.root))
      let defects = reader.defects.enumerated()
        .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
      return Read(
        definition: defects.isEmpty ? definition : nil, defects: defects,
        warnings: reader.warnings.sorted { $0.offset < $1.offset })
    }
  }
}
