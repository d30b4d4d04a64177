/// The words of defects: short, on one line, and safe to print on a terminal whatever the document contains.
package enum JSONMessage {
  /// How many characters of a document a message repeats: enough to find the value, few enough to leave the message
  /// readable.
  static let longest = 40

  /// A text in quotes, cut to ``longest`` scalars, with non-printing characters escaped.
  package static func quoted(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // 4 bytes a scalar, and one more scalar to know whether the text is longer.
    quoted(String(decoding: bytes.prefix(4 * (longest + 1)), as: UTF8.self))
  }

  package static func quoted(_ text: String) -> String {
    var result = "\""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == longest {
        result += "…"
        break
      }
      count += 1
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      default: result += prints(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result + "\""
  }

  /// A number as written in the document, cut to ``longest`` characters.
  static func cut(_ number: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: number.prefix(longest), as: UTF8.self) + (number.count > longest ? "…" : "")
  }

  /// One byte of the document: as a character if it is printable ASCII.
  static func byte(_ byte: UInt8) -> String {
    (0x21..<0x7f).contains(byte) ? "'\(Unicode.Scalar(byte))'" : "byte \(hexadecimal(byte))"
  }

  static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0x0" : "0x") + String(byte, radix: 16)
  }

  static func kind(_ kind: JSONReader.Kind, _ byte: UInt8) -> String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: byte == 0x74 ? "true" : "false"
    case .null: "null"
    case .invalid: "no value"
    }
  }

  static func wholeNumber(_ range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (.min, .max): "a whole number"
    case (let least, .max): "a whole number of at least \(least)"
    case (.min, let greatest): "a whole number of at most \(greatest)"
    case (let least, let greatest) where least == greatest: "\(least)"
    case (let least, let greatest): "a whole number from \(least) to \(greatest)"
    }
  }

  static func number(_ range: ClosedRange<Double>) -> String {
    let most = Double.greatestFiniteMagnitude
    switch (range.lowerBound, range.upperBound) {
    case (-most, most): return "a number"
    case (let least, most): return "a number of at least \(plain(least))"
    case (-most, let greatest): return "a number of at most \(plain(greatest))"
    case (let least, let greatest): return "a number from \(plain(least)) to \(plain(greatest))"
    }
  }

  /// 1 instead of 1.0.
  private static func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }

  private static func prints(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20..<0x7f).contains(scalar.value) }
    switch scalar.properties.generalCategory {
    // Format includes the bidirectional controls and zero-width characters.
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}
