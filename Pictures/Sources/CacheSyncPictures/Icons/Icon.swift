/// The drawing of a symbol in a snapshot.
///
/// The drawings were made for this project, under the names that snapshots use. A painter scales the grid to the
/// required size, and gives all shapes one colour.
package struct Icon: Sendable, Equatable {
  /// The length of the grid's sides, in units.
  package static let side = 24.0

  /// In the order of painting; at least one.
  package let paths: [IconPath]

  /// The icon of this name. A name without a drawing gets ``dot``, because a producer may write any name.
  package init(named name: String) { self = Self.drawings[name].map(Icon.init(paths:)) ?? .dot }

  private init(paths: [IconPath]) { self.paths = paths }

  package static let dot = Icon(
    paths: [.fill("M12 8 C14.21 8 16 9.79 16 12 C16 14.21 14.21 16 12 16 C9.79 16 8 14.21 8 12 C8 9.79 9.79 8 12 8 Z")])
}

extension IconPath {
  /// A shape of lines. Each text continues where the one before it ends.
  static func stroke(_ texts: String...) -> IconPath { drawn(.stroke, texts) }

  /// A filled shape. Each text continues where the one before it ends.
  static func fill(_ texts: String...) -> IconPath { drawn(.fill, texts) }

  private static func drawn(_ paint: Paint, _ texts: [String]) -> IconPath {
    do { return try IconPath(paint, texts.joined(separator: " ")) } catch { preconditionFailure("\(error)") }
  }
}
