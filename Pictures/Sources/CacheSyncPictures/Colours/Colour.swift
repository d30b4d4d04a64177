/// A colour in sRGB, without transparency.
package struct Colour: Sendable, Hashable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8
}

extension Colour {
  /// Reads a number such as `0xAD3A00`.
  package init(_ number: UInt32) {
    red = UInt8(truncatingIfNeeded: number >> 16)
    green = UInt8(truncatingIfNeeded: number >> 8)
    blue = UInt8(truncatingIfNeeded: number)
  }

  package static let white = Colour(0xFFFFFF)
  package static let black = Colour(0x000000)

  /// Reads `#30b0c7`; nil for anything else.
  package init?(hex text: String) {
    let digits = text.dropFirst()
    guard text.hasPrefix("#"), digits.count == 6, digits.allSatisfy(\.isHexDigit), digits.allSatisfy(\.isASCII),
      let number = UInt32(digits, radix: 16)
    else { return nil }
    self.init(number)
  }

  /// The notation of CSS and SVG: `#AD3A00`.
  package var hex: String {
    let digits = Array("0123456789ABCDEF")
    return [red, green, blue].reduce(into: "#") { text, part in
      text.append(digits[Int(part >> 4)])
      text.append(digits[Int(part & 15)])
    }
  }

  /// The result of laying this share of the colour, 0…1, over another one.
  package func mixed(_ share: Double, over ground: Colour) -> Colour {
    func mix(_ part: UInt8, _ below: UInt8) -> UInt8 {
      UInt8((Double(part) * share + Double(below) * (1 - share)).rounded())
    }
    return Colour(red: mix(red, ground.red), green: mix(green, ground.green), blue: mix(blue, ground.blue))
  }
}
