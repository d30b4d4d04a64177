import CacheSyncSystem

/// An arrangement of cards: `screens/<name>.json` (screens.md).
package struct ScreenConfiguration: Sendable, Equatable {
  /// The name of its file without `.json`.
  package var name: String
  package var widgets: [Card] = []
  /// Nil: what the display has.
  package var size: Size?
  /// How far pictures are turned, in degrees.
  package var rotate = 0
  /// Of pictures, for each pixel.
  package var bits = 32
  package var appearance = Appearance.auto
  package var hasClock = false
  package var title: String?
  package var isRedacted = false
  /// Nil: as many as fit.
  package var columns: Int?
  /// How long a page of widgets is shown where not all fit; nil: they take no turns.
  package var rotateEvery: String?

  package init(_ name: String) { self.name = name }

  package enum Appearance: String, CaseIterable, Sendable {
    case auto, light, dark, eink
  }

  /// A kind or a widget, and its place in the file.
  package struct Card: Sendable, Equatable, CustomStringConvertible {
    package var kind: KindName
    /// Nil: the greatest for which there is room.
    package var family: ViewFamily?
    package var place: JSONPlace

    package var description: String { family.map { "\(kind):\($0.rawValue)" } ?? kind.description }
  }

  /// In pixels, as a person sees it.
  package struct Size: Sendable, Equatable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    /// `800x480`, with no side longer than ``longest``.
    init?(_ text: String) {
      // Some fonts draw the letter between digits as the sign, so people type either.
      let sides = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }.compactMap { side in
        side.utf8.allSatisfy { $0 &- UInt8(ascii: "0") <= 9 } && !side.hasPrefix("0") ? Int(side) : nil
      }
      guard sides.count == 2, sides.allSatisfy((1...Self.longest).contains) else { return nil }
      (width, height) = (sides[0], sides[1])
    }

    package var description: String { "\(width)x\(height)" }

    /// As `render --screen` takes it.
    static let longest = 8_192
    /// A side, for editors.
    static let pattern = "([1-9][0-9]{0,2}|[1-7][0-9]{3}|8(0[0-9]{2}|1([0-8][0-9]|9[0-2])))"
  }
}

extension ViewFamily {
  /// The last word of the name: `large`.
  var word: String { rawValue.drop { $0.isLowercase }.lowercased() }
}
