/// One defect of a document, with the byte where it is.
///
/// A defect has no line, column or pointer: a valid document should not pay for them, and ``JSONPlace`` computes them
/// afterwards from the offset.
package struct JSONDefect: Sendable, Equatable {
  /// What the offset points at, which decides the RFC 6901 pointer.
  package enum Place: Sendable, Equatable {
    /// The whole document (syntax, depth, UTF-8, surrogates): the pointer is "".
    case document
    /// The value that begins at the offset.
    case value
    /// The second value of a key, which begins at the offset. It makes the document unusable, as broken JSON does.
    case secondValue
    /// A field that the object at the offset does not have; the pointer names the field.
    case missing(String)
    /// The key that begins at the offset; the pointer names its value.
    case key(String)
    /// A known place, in a document that is not JSON.
    case at(JSONPlace)

    /// Whether the defect makes the whole document unusable, wherever it is.
    var isOfDocument: Bool { self == .document || self == .secondValue }
  }

  /// Bytes from the start of the document; its length if the document ends too early.
  package var offset: Int
  /// One line of plain English, free of control, bidirectional and other non-printing characters.
  package var message: String
  package var place: Place
  /// The only feed that the defect concerns, if the document is for several.
  package var scope: FeedName?

  package init(offset: Int, message: String, place: Place) {
    self.offset = offset
    self.message = message
    self.place = place
  }
}

/// Warnings about a document, in the order of their places. It only counts those beyond ``capacity``.
package struct JSONWarningList {
  /// How many warnings of a file are listed (contract.md section 3).
  package static let capacity = 20

  /// The listed ones, and the first that is not listed.
  private var first: [JSONDefect] = []
  /// A state to return to.
  package private(set) var count = 0

  package init() {}

  /// The listed warnings, and one more that says how many follow.
  package var all: [JSONDefect] { all(named: "warning") }

  /// The same by another name.
  func all(named noun: String) -> [JSONDefect] {
    guard count > Self.capacity, var last = first.last else { return first }
    let rest = count - Self.capacity
    last.message = counted(rest, "more \(noun)")
    return first.dropLast() + [last]
  }

  /// Adds a warning whose place is after those of the others.
  package mutating func append(_ warning: JSONDefect) {
    if count <= Self.capacity { first.append(warning) }
    count += 1
  }

  /// Adds a warning at any place.
  package mutating func insert(_ warning: JSONDefect) {
    first.insert(warning, at: first.partitioningIndex { $0.offset > warning.offset })
    if first.count > Self.capacity + 1 { first.removeLast() }
    count += 1
  }

  /// Adds the title of a record to the warnings about it, which were added after a mark.
  package mutating func name(_ title: String?, since mark: Int) {
    guard let title, !title.isEmpty else { return }
    for index in first.indices.dropFirst(mark) {
      first[index].message = "\(JSONMessage.quoted(title)): " + first[index].message
    }
  }

  /// Counts further warnings that are not listed, because the list is full.
  package mutating func count(_ further: Int) { count += further }

  /// Removes the warnings that were added after a mark.
  package mutating func removeAll(since mark: Int) {
    first.removeLast(max(0, first.count - mark))
    count = mark
  }
}

/// At most ``capacity`` defects, in ascending order of their offsets. Defects with equal offsets stay in the order in
/// which they were found.
///
/// If there are more, it keeps those with the lowest offsets. A file of 16 MiB can have 16 million defects, and no
/// input may make the agent grow without limit.
package struct JSONDefectList {
  /// More than a person reads, and at most about 2 MB.
  static let capacity = 10_000

  private(set) var defects: [JSONDefect] = []
  /// How many defects were added and not taken out, including those beyond the capacity.
  package private(set) var count = 0

  /// Adds a defect. If the list is full of earlier defects, it does not even build the message.
  mutating func insert(at offset: Int, _ place: JSONDefect.Place, _ message: () -> String) {
    count += 1
    if defects.count == Self.capacity {
      guard let last = defects.last, offset < last.offset else { return }
      defects.removeLast()
    }
    // Defects arrive almost in order: only a missing field, which is known at the end of its object, goes back to the
    // object's start.
    var index = defects.count
    while index > 0, defects[index - 1].offset > offset { index -= 1 }
    defects.insert(JSONDefect(offset: offset, message: message(), place: place), at: index)
  }

  /// Takes out the defects of a value that is ignored. Defects of the whole document stay.
  ///
  /// - Returns: the first of them.
  package mutating func takeValues(from offset: Int) -> JSONDefect? {
    let place = defects.partitioningIndex { $0.offset >= offset }
    let first = defects[place...].first { !$0.place.isOfDocument }
    let kept = defects[place...].filter(\.place.isOfDocument)
    defects.replaceSubrange(place..., with: kept)
    count = defects.count
    return first
  }
}
