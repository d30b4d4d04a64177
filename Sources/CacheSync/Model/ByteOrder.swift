/// Whether one text comes before another, as every order of texts does: by bytes. Swift's own `<` goes by canonical
/// equivalence.
package func isOrdered(_ a: String, before b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

/// Whether two texts are the same bytes. Swift's own `==` goes by canonical equivalence.
package func isSameText(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
