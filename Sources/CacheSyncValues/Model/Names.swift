/// The name of a feed: one kind of input, such as `meal-plan`.
package struct FeedName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  @ExactText package private(set) var description: String

  package init(_ name: String) { description = name }

  package init(stringLiteral name: String) { description = name }

  package static func < (a: FeedName, b: FeedName) -> Bool { isOrdered(a.description, before: b.description) }
}

/// The name of a kind of snapshot, such as `meal-plan` or `task-count`; `<kind>.json` is its file.
package struct KindName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  @ExactText package private(set) var description: String

  package init(_ name: String) { description = name }

  package init(stringLiteral name: String) { description = name }

  package static func < (a: KindName, b: KindName) -> Bool { isOrdered(a.description, before: b.description) }

  /// The file's name under `snapshots/`.
  package var fileName: String { description + ".json" }

  /// The kind whose snapshot has this name; nil if it is not a snapshot's name.
  package init?(fileName: String) {
    guard fileName.hasSuffix(".json"), fileName != CacheLayout.dayIndex, fileName != CacheLayout.manifest else {
      return nil
    }
    let name = fileName.dropLast(".json".utf8.count)
    let isName = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard isName, !name.isEmpty else { return nil }
    self.init(String(name))
  }
}

extension String {
  /// A name as a heading: `one-word` becomes "One word".
  public var asHeading: String { split(separator: "-").joined(separator: " ").capitalised }
}

/// A count with its noun, for messages: "1 cache", "3 caches", "0 files".
///
/// - Parameters:
///   - one: the noun's singular.
///   - many: its plural; nil: the singular with an `s`.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}
