/// One shape of an icon: lines and cubic curves on the icons' grid, drawn as a line or filled.
package struct IconPath: Sendable, Equatable {
  /// A point on the grid: x to the right, y down, from the upper left corner.
  package struct Point: Sendable, Equatable {
    package var x: Double
    package var y: Double
  }

  /// A step of the pen. Circles and round corners are curves too, so painters need only these commands.
  package enum Command: Sendable, Equatable {
    /// Begins a part of the shape.
    case move(Point)
    case line(Point)
    /// A cubic Bézier curve: two control points, and its end.
    case curve(Point, Point, to: Point)
    /// Returns to the beginning of this part.
    case close
  }

  /// How a shape is drawn. Both ways use the icon's single colour.
  package enum Paint: Sendable, Equatable {
    /// As a line, ``strokeWidth`` wide, with round ends and joins.
    case stroke
    /// Filled by the nonzero winding rule: a part in the opposite direction to the one around it is a hole.
    case fill
  }

  /// The width of every line, in units of the grid.
  package static let strokeWidth = 2.0

  package let paint: Paint
  /// At least a move, and a line or curve.
  package let commands: [Command]

  /// Reads a shape in a small part of SVG's path notation, as in `M4 12 L20 12`. The commands are `M`, `L`, `C` and
  /// `Z`, with absolute coordinates. Every command has its letter, and one space separates all words.
  ///
  /// - Throws: ``IconPathError`` at the first invalid word, or at a command out of order.
  package init(_ paint: Paint, _ text: String) throws(IconPathError) {
    self.paint = paint
    var commands: [Command] = []
    var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
    while let word = words.popFirst() {
      let wrong = IconPathError(text: text, word: String(word))
      if word == "Z" {
        guard commands.last?.draws == true else { throw wrong }
        commands.append(.close)
        continue
      }
      let count = word.first == "C" ? 6 : 2
      let numbers = ([word.dropFirst()] + words.prefix(count - 1)).compactMap(Self.number)
      words = words.dropFirst(count - 1)
      guard numbers.count == count else { throw wrong }
      let points = stride(from: 0, to: count, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
      let isOpen = commands.last.map { $0 != .close } ?? false
      switch word.first {
      case "M" where !isOpen || commands.last?.draws == true: commands.append(.move(points[0]))
      case "L" where isOpen: commands.append(.line(points[0]))
      case "C" where isOpen: commands.append(.curve(points[0], points[1], to: points[2]))
      default: throw wrong
      }
    }
    if case .move = commands.last { throw IconPathError(text: text, word: "the end") }
    self.commands = commands
  }

  /// A plain decimal number; nil for other numbers that `Double` would accept, such as `1e3` and `inf`.
  private static func number(_ word: Substring) -> Double? {
    word.allSatisfy { "0123456789.-".contains($0) } ? Double(word) : nil
  }
}

extension IconPath.Command {
  /// Whether the command leaves a mark: a line or a curve.
  fileprivate var draws: Bool {
    switch self {
    case .line, .curve: true
    case .move, .close: false
    }
  }
}

/// The text of a shape is invalid.
package struct IconPathError: Error, Equatable, CustomStringConvertible {
  package var text: String
  /// The word at which reading stopped.
  package var word: String

  package var description: String { "cannot read the shape '\(text)' at '\(word)'" }
}
