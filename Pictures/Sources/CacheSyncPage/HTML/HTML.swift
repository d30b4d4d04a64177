import CacheSync
import CacheSyncPictures
import CacheSyncSystem

/// Markup. A text that is put into it is escaped, so content can never become markup; only markup stays as it is.
struct HTML: Sendable, Equatable {
  private(set) var text: String

  /// Markup that is known to be sound, such as a drawn picture.
  init(markup: String) { text = markup }
}

extension HTML: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    /// Text, for the inside of an element or of a quoted attribute.
    mutating func appendInterpolation(_ content: String) { text += content.escaped }

    mutating func appendInterpolation(_ number: Int) { text += String(number) }

    /// A length in points or pixels, with at most two decimals.
    mutating func appendInterpolation(_ length: Double) { text += length.decimal }

    mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }

    /// The markup where the condition holds.
    mutating func appendInterpolation(_ markup: HTML, if condition: Bool) {
      if condition { text += markup.text }
    }
  }
}

extension String {
  /// HTML, section 13.1.2.3 and 13.2.5: what is escaped is all that ends a text or a quoted value. What acts on other
  /// characters, such as controls of direction, is dropped as in pictures; but a text is as long as it is, for half an address
  /// leads nowhere.
  fileprivate var escaped: String { EscapedText.forMarkup(cleaned(upTo: .max)) }
}
