extension FeedDefinition {
  /// What a definition's file says, or all that is wrong with it.
  package struct Read: Sendable {
    /// Nil when there is any defect.
    package var definition: FeedDefinition?
    /// All of them, in ascending order of offsets.
    package var defects: [JSONDefect]
    /// What is right and yet in vain.
    package var warnings: [JSONDefect] = []
  }

  /// The largest file that is read, in bytes.
  package static let maximumBytes = 65_536

  /// Whether a feed may have this name: `[a-z][a-z0-9]{0,30}`, and neither `feeds` nor `snapshots`.
  package static func isName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, bytes.count <= 31, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return false
    }
    return isWord(name) && name != CacheLayout.snapshots && name != CacheLayout.definitions
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
  /// No bytes make it trap, and its work is bounded by ``maximumBytes``.
  ///
  /// - Parameters:
  ///   - name: the feed's, which is the file's without `.json`.
  ///   - reserved: what built-in feeds have. What other definitions claim is the caller's affair.
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
    // What is no JSON has no further meaning.
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
