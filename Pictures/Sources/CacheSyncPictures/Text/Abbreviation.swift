import Glibc

extension String {
  /// Shortens each number from 1000 on, cut toward zero: 12.3k, 4.5M, 9.9e15. Use it only for texts that are numbers
  /// with words around them, because names may contain digits too. Four digits behind a word, or in a date, stay: they
  /// may be a year or a room.
  ///
  /// - Parameters:
  ///   - separator: the decimal separator.
  ///   - keepsNames: whether they stay.
  package func abbreviated(_ separator: Character = ".", keepsNames: Bool = true) -> String {
    mappingNumbers(separator) { number, before, after in
      let isName = keepsNames && number.utf8.count == 4 && Int(number) != nil && Self.isName(before, after)
      return isName ? nil : Double(number).flatMap(Self.short)
    }
  }

  /// Whether four digits between these bytes are rather a name than an amount: "Jan 2026", "2026-12-01", "1.12.2026".
  private static func isName(_ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>) -> Bool {
    func joins(_ bytes: some Sequence<UInt8>) -> Bool {
      let bytes = Array(bytes.prefix(2))
      return bytes.count == 2 && "-/.".utf8.contains(bytes[0]) && bytes[1] &- UInt8(ascii: "0") < 10
    }
    let word = String(decoding: before, as: UTF8.self)
    let isBehindWord = word.last == " " && word.last { $0 != " " }?.isLetter ?? false
    return isBehindWord || joins(before.reversed()) || joins(after)
  }

  /// Leaves out the decimals of each number: 145, 12k, 9e15.
  package func withoutDecimals(_ separator: Character = ".") -> String {
    mappingNumbers(separator) { number, _, _ in
      guard let point = number.firstIndex(of: ".") else { return nil }
      return String(number[..<point] + number[point...].drop { $0 == "." || $0.isNumber })
    }
  }

  /// - Parameter change: gets each number with a decimal point, and what is around it; nil: it stays as it is.
  private func mappingNumbers(
    _ separator: Character, _ change: (String, _ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>) -> String?
  ) -> String {
    // This scans the bytes, because a regular expression would take longer than the rest of the drawing.
    let bytes = Array(utf8)
    let point = separator.asciiValue ?? UInt8(ascii: ".")
    var text: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let end = Self.endOfNumber(in: bytes, from: place, point)
      if end > place {
        let digits = String(decoding: bytes[place..<end], as: UTF8.self)
        let short = change(digits.replacing(String(separator), with: "."), bytes[..<place], bytes[end...])
        text += (short?.replacing(".", with: String(separator)) ?? digits).utf8
        place = end
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The end of the number that begins here, with its fraction and exponent; `start` when no number begins here.
  private static func endOfNumber(in bytes: [UInt8], from start: Int, _ point: UInt8) -> Int {
    func endOfDigits(_ start: Int) -> Int {
      var end = start
      while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) { end += 1 }
      return end
    }
    var end = endOfDigits(start)
    guard end > start, end < bytes.count else { return end }
    if bytes[end] == point {
      let fraction = endOfDigits(end + 1)
      if fraction > end + 1 { end = fraction }
    }
    if end < bytes.count, bytes[end] == UInt8(ascii: "e") {
      let isSigned = end + 1 < bytes.count && [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[end + 1])
      let first = end + (isSigned ? 2 : 1)
      let exponent = endOfDigits(first)
      if exponent > first { end = exponent }
    }
    return end
  }

  /// nil: the number is already short.
  private static func short(_ number: Double) -> String? {
    guard number.isFinite, number >= 1_000 else { return nil }
    if number < 1_000_000 { return oneDecimal(number / 1_000) + "k" }
    if number < 1_000_000_000 { return oneDecimal(number / 1_000_000) + "M" }
    let exponent = log10(number).rounded(.down)
    return "\(oneDecimal(number / pow(10, exponent)))e\(Int(exponent))"
  }

  private static func oneDecimal(_ number: Double) -> String {
    // 12.3 times 10 may be 122.99…. A value this close to the next tenth counts as that tenth.
    let tenths = Int((number * 10 + 1e-9).rounded(.down))
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
