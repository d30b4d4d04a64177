/// Where a value is in a session file: a query of RFC 9535 with name, index and `*` selectors, from one of the places that a
/// definition knows (definitions.md: paths).
package struct ItemPath: Sendable, Equatable {
  package enum Root: Sendable, Equatable {
    /// `$`
    case document
    /// `@`
    case item
    /// `^` is the object nearest around the item (1), `^^` the next (2).
    case around(Int)
    /// `#key`: the item's member name.
    case key
    /// `#index`: the item's place in its array or object, from 0.
    case index
    /// `#count`: how many items are in that array or object.
    case count
  }

  package enum Selector: Sendable, Equatable {
    case name(ExactText)
    /// Negative counts from the end.
    case index(Int)
    /// `*`, in `each` and `except` only.
    case every
  }

  package var root: Root
  package var selectors: [Selector]

  package init(_ root: Root, _ selectors: [Selector] = []) {
    self.root = root
    self.selectors = selectors
  }
}
