/// One thing that is wrong with a document, and the byte at which it is wrong.
///
/// A defect holds no line, column or pointer: a good document should not pay for them, and ``JSONPlace`` finds them
/// afterwards from the offset.
package struct JSONDefect: Sendable, Equatable {
  /// What the offset points at, which decides the RFC 6901 pointer.
  package enum Place: Sendable, Equatable {
    /// The text as a whole (syntax, depth, UTF-8, surrogates): the pointer is "".
    case document
    /// The value that begins at the offset.
    case value
    /// A field that the object at the offset lacks; the pointer names the field.
    case missing(String)
    /// The key that begins at the offset; the pointer names its value.
    case key(String)
    /// A place that is known already, of a document that is no JSON.
    case at(JSONPlace)
  }

  /// Bytes from the start of the document; its length when the document ends too early.
  package var offset: Int
  /// One line of plain English, free of control, bidirectional and other non-printing characters.
  package var message: String
  package var place: Place

  package init(offset: Int, message: String, place: Place) {
    self.offset = offset
    self.message = message
    self.place = place
  }
}

/// Warnings about a document, in the order of their places. Those beyond ``capacity`` are only counted.
struct JSONWarningList {
  /// How many warnings of a file are listed (contract.md section 3).
  static let capacity = 20

  /// The listed ones, and the first that is not.
  private var first: [JSONDefect] = []
  private var count = 0

  /// The listed warnings, and one more that counts the rest.
  var all: [JSONDefect] {
    guard count > Self.capacity, var last = first.last else { return first }
    let rest = count - Self.capacity
    last.message = counted(rest, "more warning")
    return first.dropLast() + [last]
  }

  /// Adds a warning whose place is behind those of the others.
  mutating func append(_ warning: JSONDefect) {
    if count <= Self.capacity { first.append(warning) }
    count += 1
  }

  /// A state to return to.
  var mark: Int { count }

  /// Removes the warnings that were added since.
  mutating func removeAll(since mark: Int) {
    first.removeLast(max(0, first.count - mark))
    count = mark
  }
}

/// At most ``capacity`` defects, in ascending order of their offsets; equal offsets stay in the order they were found.
///
/// When there are more, those with the least offsets are kept. A file of 16 MiB can hold 16 million defects, and no
/// input may make the agent grow beyond bounds.
struct JSONDefectList {
  /// A judgement: more than a person reads, and at most about 2 MB.
  static let capacity = 10_000

  private(set) var defects: [JSONDefect] = []

  /// Adds a defect. The message is not even built when the list is full of earlier defects.
  mutating func insert(at offset: Int, _ place: JSONDefect.Place, _ message: () -> String) {
    if defects.count == Self.capacity {
      guard let last = defects.last, offset < last.offset else { return }
      defects.removeLast()
    }
    // Found almost in order: only a missing field, known at its object's end, goes back to the object's start.
    var index = defects.count
    while index > 0, defects[index - 1].offset > offset { index -= 1 }
    defects.insert(JSONDefect(offset: offset, message: message(), place: place), at: index)
  }

  /// Removes the defects of a value that does not count. Defects of the whole document stay.
  mutating func removeValues(from offset: Int) {
    defects.removeAll { $0.offset >= offset && $0.place != .document }
  }
}
