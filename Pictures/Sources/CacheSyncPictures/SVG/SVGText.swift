extension Double {
  /// The number with at most two decimals, in its shortest form: `16`, `0.5`, `-3.25`.
  package var decimal: String {
    let hundredths = Int((self * 100).rounded())
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole).\(rest / 10)\(rest % 10 == 0 ? "" : "\(rest % 10)")"
  }
}

extension String {
  /// Whether a part of it is drawn in colours: an emoji that is coloured by default, or because of the selector U+FE0F.
  var hasEmoji: Bool { unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" } }

  /// Whether a part of it may be drawn in colours: also one without the selector, if no other font has a glyph for it.
  var mayHaveEmoji: Bool { unicodeScalars.contains { !$0.isASCII && $0.properties.isEmoji || $0 == "\u{FE0F}" } }

  var hasSpacesToKeep: Bool { hasPrefix(" ") || hasSuffix(" ") || contains("  ") }
}

extension IconPath {
  /// The shape in SVG's path notation.
  var data: String {
    func text(_ points: Point...) -> String { points.map { "\($0.x.decimal) \($0.y.decimal)" }.joined(separator: " ") }
    return commands.map { command in
      switch command {
      case .move(let point): "M" + text(point)
      case .line(let point): "L" + text(point)
      case .curve(let first, let second, let end): "C" + text(first, second, end)
      case .close: "Z"
      }
    }.joined()
  }
}
