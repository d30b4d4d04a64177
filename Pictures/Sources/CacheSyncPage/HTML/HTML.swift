import CacheSyncPictures
import CacheSyncSystem

/// Markup. Interpolated texts are escaped, so that content can never become markup. Interpolated markup stays as it is.
struct HTML: Sendable, Equatable {
  private(set) var text: String

  /// Accepts markup that is known to be valid, such as a drawn picture.
  init(markup: String) { text = markup }
}

extension HTML: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    /// Text, for the content of an element or for a quoted attribute.
    mutating func appendInterpolation(_ content: String) { text += content.escaped }

    mutating func appendInterpolation(_ number: Int) { text += String(number) }

    /// A length in points or pixels, with at most two decimals.
    mutating func appendInterpolation(_ length: Double) { text += length.decimal }

    mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }

    mutating func appendInterpolation(_ markup: HTML, if condition: Bool) {
      if condition { text += markup.text }
    }
  }
}

extension String {
  /// Escapes everything that ends a text or a quoted value (HTML, section 13.1.2.3 and 13.2.5). Characters that affect
  /// others, such as direction controls, are removed as in pictures. The text is never cut, because half an address is
  /// useless.
  fileprivate var escaped: String { EscapedText.forMarkup(cleaned(upTo: .max)) }
}
