/// 128 random bits from the kernel, as 32 hexadecimal digits.
enum RandomKey {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in digits(generator.next()) }.joined()
  }

  /// 16 hexadecimal digits.
  static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func isKey(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Compares in a time that does not reveal the position of the first difference.
  static func areEqual(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
    first.utf8.count == second.utf8.count && zip(first.utf8, second.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
