/// The name of a feed: one kind of input, such as `meal-plan`.
package struct FeedName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  package let description: String

  package init(_ name: String) { description = name }

  package init(stringLiteral name: String) { description = name }

  package static func < (a: FeedName, b: FeedName) -> Bool { isOrdered(a.description, before: b.description) }
}

/// The name of a kind of snapshot, such as `meal-plan` or `task-count`; `<kind>.json` is its file.
package struct KindName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  package let description: String

  package init(_ name: String) { description = name }

  package init(stringLiteral name: String) { description = name }

  package static func < (a: KindName, b: KindName) -> Bool { isOrdered(a.description, before: b.description) }

  /// The file's name under `snapshots/`.
  package var fileName: String { description + ".json" }
}
