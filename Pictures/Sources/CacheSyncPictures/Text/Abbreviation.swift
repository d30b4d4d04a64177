import Glibc

extension String {
  /// The text with each of its numbers from 1000 on in a short form, cut toward zero: 12.3k, 4.5M, 9.9e15. Names may hold
  /// digits too, so only texts that are numbers with words around them are shortened so.
  package var abbreviated: String {
    replacing(/[0-9]+(?:\.[0-9]+)?(?:e[+\-]?[0-9]+)?/) { match in
      Double(match.output).flatMap(Self.short) ?? String(match.output)
    }
  }

  /// nil: it is short as it is.
  private static func short(_ number: Double) -> String? {
    guard number.isFinite, number >= 1_000 else { return nil }
    if number < 1_000_000 { return oneDecimal(number / 1_000) + "k" }
    if number < 1_000_000_000 { return oneDecimal(number / 1_000_000) + "M" }
    let exponent = log10(number).rounded(.down)
    return "\(oneDecimal(number / pow(10, exponent)))e\(Int(exponent))"
  }

  private static func oneDecimal(_ number: Double) -> String {
    // 12.3 times 10 may be 122.99…: what is that near to the next tenth counts as it.
    let tenths = Int((number * 10 + 1e-9).rounded(.down))
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
