import CacheSyncSystem

/// How a screen becomes a file, as options, a query, a panel or a file says it. What is nil is left to the defaults.
package struct ScreenForm: Sendable, Hashable {
  /// What a person sees, before it is turned.
  package var size: PixelSize?
  /// Of a pixel: 1, 2, 4 or 8 for greys; nil: colours, or 8 for paper.
  package var bits: Int?
  package var turn: Turn?
  package var appearance: Appearance?
  package var background: Background?
  package var isRedacted: Bool

  package init(
    size: PixelSize? = nil, bits: Int? = nil, turn: Turn? = nil, appearance: Appearance? = nil,
    background: Background? = nil, isRedacted: Bool = false
  ) {
    self.size = size
    self.bits = bits
    self.turn = turn
    self.appearance = appearance
    self.background = background
    self.isRedacted = isRedacted
  }

  /// Of a pixel that has colours.
  package static let colourBits = 32
  /// What a screen without a size has where the display does not tell its own.
  package static let standardSize = PixelSize(width: 800, height: 480)

  /// The fewest pixels of a point.
  package var leastScale: Double { CardRows.leastScale(bits: bits) }

  /// The same as options of `render`.
  package var words: [String] {
    let values: [(String, String?)] = [
      ("screen", size?.description), ("bits", bits.map { "\($0)" }), ("rotate", turn.map { "\($0.rawValue)" }),
      ("appearance", appearance?.rawValue), ("background", background?.rawValue),
    ]
    return values.compactMap { name, value in value.map { "--\(name)=\($0)" } } + (isRedacted ? ["--redacted"] : [])
  }
}

/// By how many degrees a picture is turned clockwise for its display.
package enum Turn: Int, Sendable, CaseIterable {
  case none = 0
  case quarter = 90
  case half = 180
  case threeQuarters = 270

  /// Whether the sides change places.
  package var isAcross: Bool { self == .quarter || self == .threeQuarters }
}

/// A size such as `800x480`.
package struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Larger than any display, and small enough for the picture to fit in memory.
  package static let most = 8_192

  package init?(_ text: String) {
    // Some fonts draw the letter between digits as the sign, so people type either.
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }.map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
    guard (1...Self.most).contains(width), (1...Self.most).contains(height) else { return nil }
    self.init(width: width, height: height)
  }

  package var description: String { "\(width)x\(height)" }

  /// The size of a picture of this size that was turned; a second time, the size from before.
  package func turned(by turn: Turn) -> PixelSize {
    turn.isAcross ? PixelSize(width: height, height: width) : self
  }
}
