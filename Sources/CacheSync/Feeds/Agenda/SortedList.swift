/// Elements in ascending order, at a cost that does not grow with how many there are: putting and removing move at most
/// one chunk, and counting between two places looks at the chunks, not at the elements.
///
/// Elements that are equal in order are the same element; the feeds put an id last, so that no two records are.
struct SortedList<Element: Comparable> {
  /// How many elements a chunk holds before it is split. A judgement: a few kilobytes move faster than a tree is walked.
  private static var maximumChunk: Int { 256 }

  /// None of them empty.
  private var chunks: [[Element]] = []
  private(set) var count = 0

  init() {}

  var isEmpty: Bool { count == 0 }

  /// A place between elements.
  struct Position: Comparable {
    fileprivate var chunk: Int
    fileprivate var index: Int

    static func < (a: Position, b: Position) -> Bool { a.chunk == b.chunk ? a.index < b.index : a.chunk < b.chunk }
  }

  var start: Position { Position(chunk: 0, index: 0) }
  var end: Position { Position(chunk: chunks.count, index: 0) }

  /// Where the elements begin for which `isBefore` no longer holds; it must hold for none after one for which it does not.
  func position(_ isBefore: (Element) -> Bool) -> Position {
    let chunk = chunks.partitioningIndex { !isBefore($0[$0.count - 1]) }
    guard chunk < chunks.count else { return end }
    return Position(chunk: chunk, index: chunks[chunk].partitioningIndex { !isBefore($0) })
  }

  /// How many elements lie between two places; 0 when the second is not after the first.
  func distance(from start: Position, to end: Position) -> Int {
    guard start < end else { return 0 }
    if start.chunk == end.chunk { return end.index - start.index }
    return chunks[start.chunk..<end.chunk].reduce(end.index - start.index) { $0 + $1.count }
  }

  /// The elements between two places, in order; none when the second is not after the first.
  func elements(from start: Position, to end: Position) -> Elements {
    Elements(chunks: chunks, place: start, end: max(start, end))
  }

  /// All elements, in order.
  var all: Elements { elements(from: start, to: end) }

  struct Elements: Sequence, IteratorProtocol {
    fileprivate let chunks: [[Element]]
    fileprivate var place: Position
    fileprivate let end: Position

    mutating func next() -> Element? {
      guard place < end else { return nil }
      let element = chunks[place.chunk][place.index]
      place.index += 1
      if place.index == chunks[place.chunk].count { place = Position(chunk: place.chunk + 1, index: 0) }
      return element
    }
  }

  mutating func insert(_ element: Element) {
    count += 1
    guard !chunks.isEmpty else { return chunks.append([element]) }
    var position = position { $0 < element }
    if position == end { position = Position(chunk: chunks.count - 1, index: chunks[chunks.count - 1].count) }
    chunks[position.chunk].insert(element, at: position.index)
    let size = chunks[position.chunk].count
    guard size > Self.maximumChunk else { return }
    let upper = Array(chunks[position.chunk][(size / 2)...])
    chunks[position.chunk].removeSubrange((size / 2)...)
    chunks.insert(upper, at: position.chunk + 1)
  }

  /// Removes an element; one that is not there is not an error.
  mutating func remove(_ element: Element) {
    let position = position { $0 < element }
    guard position < end, !(element < chunks[position.chunk][position.index]) else { return }
    chunks[position.chunk].remove(at: position.index)
    if chunks[position.chunk].isEmpty { chunks.remove(at: position.chunk) }
    count -= 1
  }
}

/// Whether one text comes before another, as every order of texts does: by bytes. Swift's own `<` goes by canonical
/// equivalence.
func isOrdered(_ a: String, before b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

/// Whether two texts are the same bytes.
func isSameText(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
