/// A panel's MAC address, which names it in requests and in the panels' file.
struct PanelAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Six pairs of hexadecimal digits in upper case, with colons.
  let description: String

  /// Reads an address in either case, with colons, hyphens, dots or nothing between its digits; nil for anything else.
  init?(_ text: String) {
    let groups = text.uppercased().split(omittingEmptySubsequences: false) { ":-.".contains($0) }
    let digits = Array(groups.joined().utf8)
    guard groups.allSatisfy({ !$0.isEmpty }), digits.count == 12, digits.allSatisfy(Self.isDigit) else { return nil }
    let pairs = stride(from: 0, to: 12, by: 2).map { String(decoding: digits[$0..<$0 + 2], as: UTF8.self) }
    description = pairs.joined(separator: ":")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }

  static func < (a: PanelAddress, b: PanelAddress) -> Bool { a.description < b.description }

  /// The short name for people: the last six digits, which are on the panel's label and in the name of its own network.
  var friendlyID: String { String(description.filter { $0 != ":" }.suffix(6)) }
}
