import CacheSync
import CacheSyncSystem

/// How an SVG file gives the colours of shapes.
package enum SVGColours: Sendable, Hashable {
  /// As numbers, for a standalone file.
  case palette(Palette)
  /// As classes whose `color` a page's stylesheet sets for light and dark: `c-ink` for a token, `c-tint-blue` for a
  /// tint.
  case classes
}

extension Picture {
  /// The picture as one `<svg>` element of `rect`, `circle`, `path`, `text` and `g`. It has no ids, styles or
  /// references, so that a page can contain any number of pictures. Lengths are in points, with at most two decimals.
  package func svg(_ colours: SVGColours) -> String {
    var writer = SVGWriter(colours)
    writer.write(self)
    return writer.text
  }
}

private struct SVGWriter {
  private(set) var text = ""
  private let colours: SVGColours

  init(_ colours: SVGColours) { self.colours = colours }

  mutating func write(_ picture: Picture) {
    let (width, height) = (picture.width.decimal, picture.height.decimal)
    text += #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)""#
    text += #" viewBox="0 0 \#(width) \#(height)" role="img" aria-label="\#(EscapedText.forMarkup(picture.label))""#
    text += #" xml:lang="\#(picture.language.rawValue)""#
    text += #" font-family="\#(Self.families())" font-variant="tabular-nums""#
    // Only the lines of icons do not have a width of their own.
    text += #" stroke-width="\#(IconPath.strokeWidth.decimal)" stroke-linecap="round" stroke-linejoin="round""#
    if colours == .classes { text += #" fill="currentColor""# }
    text += ">"
    text +=
      "<title>\(EscapedText.forMarkup(picture.title))</title><desc>\(EscapedText.forMarkup(picture.description))</desc>"
    for mark in picture.marks {
      for figure in mark.figures(in: palette) { write(figure) }
    }
    text += "</svg>\n"
  }

  /// The fonts in a browser's order of preference. DejaVu Sans has uncoloured drawings of some emoji, so the emoji font
  /// must come before it, but only in texts with emoji. Without Inter and Noto Sans, digits would otherwise come from
  /// the emoji font too.
  private static func families(withEmoji: Bool = false) -> String {
    var families = TypeFace.families + ["sans-serif"]
    if withEmoji { families.insert("Noto Color Emoji", at: families.count - 2) }
    return families.joined(separator: ", ")
  }

  /// The palette that decides which figures are drawn. A page shows light and dark, which have the same figures.
  private var palette: Palette {
    if case .palette(let palette) = colours { palette } else { .light }
  }

  // MARK: Figures

  private mutating func write(_ figure: Figure) {
    switch figure {
    case .box(let box, let radius, let paint):
      text += "<rect\(sides(of: box, radius: radius))\(fill(paint))/>"
    case .border(let box, let radius, let width, let paint):
      let line = box.inset(by: width / 2)
      text += "<rect\(sides(of: line, radius: max(0, radius - width / 2)))\(stroke(paint, width: width))/>"
    case .ring(let box, let width, nil, let paint):
      writeCircle(box, radius: (box.width - width) / 2, lineWidth: width, paint)
    case .ring(let box, let width, let share?, let paint):
      let radius = ((box.width - width) / 2).decimal
      let (startX, startY) = box.pointOnRing(0, width: width)
      let (endX, endY) = box.pointOnRing(share, width: width)
      let arc = "A\(radius) \(radius) 0 \(share > 0.5 ? 1 : 0) 1 \(endX.decimal) \(endY.decimal)"
      text += #"<path d="M\#(startX.decimal) \#(startY.decimal)\#(arc)"\#(stroke(paint, width: width))/>"#
    case .ringBorder(let box, let ringWidth, let width, let paint):
      writeCircle(box, radius: (box.width - width) / 2, lineWidth: width, paint)
      writeCircle(box, radius: (box.width + width) / 2 - ringWidth, lineWidth: width, paint)
    case .dot(let box, let width, let share, let radius, let paint):
      let (x, y) = box.pointOnRing(share, width: width)
      text += #"<circle cx="\#(x.decimal)" cy="\#(y.decimal)" r="\#(radius.decimal)"\#(fill(paint))/>"#
    case .text(let box, let line):
      write(line, in: box)
    case .icon(let box, let icon, let token):
      write(icon, in: box, token)
    }
  }

  private mutating func writeCircle(_ box: Rect, radius: Double, lineWidth: Double, _ paint: Paint) {
    let centre = #"cx="\#(box.midX.decimal)" cy="\#(box.midY.decimal)""#
    text += #"<circle \#(centre) r="\#(radius.decimal)"\#(stroke(paint, width: lineWidth))/>"#
  }

  private mutating func write(_ line: Mark.Line, in box: Rect) {
    // Several readers heed no direction (CairoSVG 2.9.1, resvg 0.5.0, svglib 2.3.2). So a text starts at its left edge where the
    // direction decides nothing, and is placed by its middle where it decides the order of its parts.
    let isDirected = line.text.isRightToLeft && !line.text.isRightToLeftThroughout
    text += #"<text x="\#((isDirected ? box.midX : box.x).decimal)" y="\#(line.baseline.decimal)""#
    text +=
      #" textLength="\#(box.width.decimal)" lengthAdjust="spacingAndGlyphs" font-size="\#(line.type.size.decimal)""#
    if line.type.weight != .regular { text += #" font-weight="\#(line.type.weight.rawValue)""# }
    if isDirected { text += #" direction="rtl" text-anchor="middle""# }
    if line.text.hasEmoji { text += #" font-family="\#(Self.families(withEmoji: true))""# }
    // Otherwise a browser joins several spaces, and drops those at the ends. Elements do not inherit this from `<svg>`.
    if line.text.hasSpacesToKeep { text += #" xml:space="preserve""# }
    if line.text.mayHaveEmoji, case .palette(.accented) = colours { text += silhouette(in: line.tint) }
    text += "\(fill(.token(line.tint)))>\(EscapedText.forMarkup(line.text))</text>"
  }

  /// Makes emoji black or white, because they bring their own colours.
  private func silhouette(in token: Token) -> String {
    palette[token].luminance < 0.5 ? #" filter="brightness(0)""# : #" filter="brightness(0) invert(1)""#
  }

  private mutating func write(_ icon: Icon, in box: Rect, _ token: Token) {
    let place = "translate(\(box.x.decimal) \(box.y.decimal)) scale(\((box.width / Icon.side).decimal))"
    text += #"<g transform="\#(place)"\#(fill(.token(token)))>"#
    for path in icon.paths {
      text += #"<path d="\#(path.data)"\#(path.paint == .stroke ? lineColour(.token(token)) : "")/>"#
    }
    text += "</g>"
  }

  // MARK: Attributes

  private func sides(of box: Rect, radius: Double) -> String {
    let size = #"width="\#(box.width.decimal)" height="\#(box.height.decimal)""#
    let corner = radius > 0 ? #" rx="\#(radius.decimal)""# : ""
    return #" x="\#(box.x.decimal)" y="\#(box.y.decimal)" \#(size)\#(corner)"#
  }

  private func fill(_ paint: Paint) -> String {
    switch colours {
    case .palette(let palette): #" fill="\#(palette[paint].hex)""#
    case .classes: #" class="\#(paint.className)""#
    }
  }

  private func stroke(_ paint: Paint, width: Double) -> String {
    let name = colours == .classes ? #" class="\#(paint.className)""# : ""
    return #"\#(name)\#(lineColour(paint)) stroke-width="\#(width.decimal)""#
  }

  /// The colour of a line whose class, if any, is known.
  private func lineColour(_ paint: Paint) -> String {
    switch colours {
    case .palette(let palette): #" fill="none" stroke="\#(palette[paint].hex)""#
    case .classes: #" fill="none" stroke="currentColor""#
    }
  }
}

extension Paint {
  fileprivate var className: String {
    switch self {
    case .token(let token): "c-\(token.rawValue)"
    case .tint(let accent): "c-tint-\(accent.rawValue)"
    }
  }
}
