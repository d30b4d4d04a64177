/// Where a value is in a session file: an RFC 9535 query with name, index and `*` selectors, beginning at a ``Root``
/// (definitions.md: paths).
package struct ItemPath: Sendable, Equatable {
  package enum Root: Sendable, Equatable {
    /// `$`
    case document
    /// `@`
    case item
    /// `^` is the nearest object around the item (1), `^^` is the next one outwards (2), and so on.
    case around(Int)
    /// `^key`: the member name of the nearest array or object around the item (1); `^^key`: of the next one (2).
    case aroundKey(Int)
    /// `#key`: the item's member name.
    case key
    /// `#index`: the item's place in its array or object, from 0.
    case index
    /// `#count`: how many items are in that array or object.
    case count
  }

  package enum Selector: Sendable, Equatable {
    case name(ExactText)
    /// A negative index counts from the end.
    case index(Int)
    /// `*`, only in `each` and `except`.
    case every
  }

  package var root: Root
  package var selectors: [Selector]

  package init(_ root: Root, _ selectors: [Selector] = []) {
    self.root = root
    self.selectors = selectors
  }
}
