import Foundation
import Testing

@testable import CacheSyncPictures

@Suite("SVG")
struct SVGWriterTests {
  static let colours: [SVGColours] = [.palette(.light), .palette(.paper(bits: 4)), .palette(.paper(bits: 1)), .classes]

  /// A file as Python's parser reads it.
  private struct Parsed: Decodable {
    var elements: [String]
    var attributes: [String]
    var label: String
    var title: String
    var desc: String
    var texts: [String]

    init(_ svg: String) throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).svg")
      try Data(svg.utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      let json = try Tool.python(folder.appendingPathComponent("well_formed.py").path, file.path)
      self = try JSONDecoder().decode(Parsed.self, from: Data(json.utf8))
    }
  }

  @Test("The file is well-formed, with few elements, and without ids, styles and references", arguments: colours)
  func structure(colours: SVGColours) throws {
    for (name, picture) in SamplePictures.all {
      let parsed = try Parsed(picture.svg(colours))
      #expect(parsed.elements.prefix(3) == ["svg", "title", "desc"], "\(name)")
      #expect(Set(parsed.elements.dropFirst(3)).isSubset(of: ["rect", "circle", "path", "text", "g"]), "\(name)")
      let isForbidden = { (name: String) in
        ["id", "style", "href"].contains { name.hasSuffix($0) } || name.hasPrefix("on")
      }
      #expect(!parsed.attributes.contains(where: isForbidden), "\(name)")
      #expect(parsed.attributes.contains("class") == (colours == .classes))
    }
  }

  @Test("The file contains the title, every text and every share, escaped")
  func words() throws {
    let picture = SamplePictures.tiles()
    let parsed = try Parsed(picture.svg(.palette(.light)))
    #expect(parsed.title == #"Tiles & <rings>, "stale""#)
    #expect(parsed.desc == "0 percent, 3 percent, 97 percent, 100 percent, 40 percent")
    #expect(parsed.label == "\(parsed.title). \(parsed.desc)")
    let scripts = SamplePictures.scripts()
    let texts = scripts.marks.compactMap { mark in if case .text(let line) = mark.shape { line.text } else { nil } }
    #expect(try Parsed(scripts.svg(.classes)).texts == texts)
  }

  @Test(
    "Markup is escaped even if a mark or a joiner combines with it to one character",
    arguments: ["&\u{301}", "\"\u{301}", "<\u{200D}b x='1'/>", ">\u{FE0F}", "'\u{301}"])
  func escapedScalars(text: String) throws {
    let line = Mark.Line(text: text, type: TypeFace(size: 15, weight: .regular), tint: .ink, baseline: 30)
    let mark = Mark(Rect(x: 10, y: 20, width: 80, height: 18), .text(line), says: text)
    let parsed = try Parsed(Picture(width: 100, height: 100, marks: [mark], title: text).svg(.classes))
    #expect(parsed.elements == ["svg", "title", "desc", "text"])
    // Compared by scalars, because Swift considers strings equal that look the same.
    for found in [parsed.title, parsed.desc, parsed.texts[0]] {
      #expect(Array(found.unicodeScalars) == Array(text.unicodeScalars))
    }
  }

  @Test("Numbers have at most two decimals, and are never NaN or infinite", arguments: colours)
  func decimals(colours: SVGColours) {
    for (name, picture) in SamplePictures.all {
      let svg = picture.svg(colours)
      #expect(svg.firstMatch(of: /[0-9]\.[0-9]{3}|nan|inf\b|e-[0-9]/) == nil, "\(name)")
      #expect(svg.contains(/[0-9]\.[0-9]{2}[^0-9]/), "there are decimals at all")
    }
  }

  @Test("Files are small: the samples have as much content as most widgets", arguments: colours)
  func size(colours: SVGColours) {
    for (name, picture) in SamplePictures.all { #expect(picture.svg(colours).utf8.count <= 6_144, "\(name)") }
  }

  // MARK: Figures

  /// The only mark of a picture of 100 by 100 points, as it is written.
  private func written(_ mark: Mark, _ colours: SVGColours = .palette(.light)) throws -> String {
    let svg = Picture(width: 100, height: 100, marks: [mark], title: "One").svg(colours)
    return try String(#require(svg.firstMatch(of: /<\/desc>(.*)<\/svg>\n/)).output.1)
  }

  @Test("A ring is drawn clockwise from the top; computed by hand")
  func ring() throws {
    func ring(_ progress: Double?) -> Mark {
      Mark(Rect(x: 10, y: 20, width: 50, height: 50), .ring(.init(width: 5, progress: progress, tint: .blue)))
    }
    // The middle of the line is 22.5 from (35, 45). A quarter ends at the right, and five eighths at the lower left: 35
    // - 22.5 / √2 = 19.09, 45 + 22.5 / √2 = 60.91.
    let track = ##"<circle cx="35" cy="45" r="22.5" fill="none" stroke="#D8D8DE" stroke-width="5"/>"##
    let line = ##"" fill="none" stroke="#0040DD" stroke-width="5"/>"##
    #expect(try written(ring(nil)) == track)
    #expect(try written(ring(0)) == track)
    #expect(try written(ring(0.25)) == track + #"<path d="M35 22.5A22.5 22.5 0 0 1 57.5 45"# + line)
    #expect(try written(ring(0.625)) == track + #"<path d="M35 22.5A22.5 22.5 0 1 1 19.09 60.91"# + line)
    #expect(try written(ring(1)) == track + track.replacing("#D8D8DE", with: "#0040DD"))
  }

  @Test("On paper, white shapes have an outline, and the card has no round corners")
  func paper() throws {
    let tile = Mark(Rect(width: 48, height: 48), .box(radius: 8, fill: .token(.tile), border: nil))
    #expect(
      try written(tile, .palette(.paper(bits: 4))) == ##"""
        <rect x="0" y="0" width="48" height="48" rx="8" fill="#FFFFFF"/>\##
        <rect x="0.5" y="0.5" width="47" height="47" rx="7.5" fill="none" stroke="#000000" stroke-width="1"/>
        """##)
    let card = Mark(Rect(width: 100, height: 100), .box(radius: 22, fill: .token(.card), border: nil))
    #expect(try written(card) == ##"<rect x="0" y="0" width="100" height="100" rx="22" fill="#FFFFFF"/>"##)
    #expect(
      try written(card, .palette(.paper(bits: 2))) == ##"<rect x="0" y="0" width="100" height="100" fill="#FFFFFF"/>"##)
  }

  @Test("Colours are named by classes")
  func classes() throws {
    let tinted = Mark(Rect(width: 48, height: 48), .box(radius: 8, fill: .tint(.pink), border: .blue))
    #expect(
      try written(tinted, .classes) == #"""
        <rect x="0" y="0" width="48" height="48" rx="8" class="c-tint-pink"/>\#
        <rect x="1" y="1" width="46" height="46" rx="7" class="c-blue" fill="none" stroke="currentColor" \#
        stroke-width="2"/>
        """#)
    let icon = Mark(Rect(x: 4, y: 5, width: 12, height: 12), .icon("plus", .soft))
    #expect(
      try written(icon, .classes) == #"""
        <g transform="translate(4 5) scale(0.5)" class="c-soft">\#
        <path d="M12 4L12 20M4 12L20 12" fill="none" stroke="currentColor"/></g>
        """#)
  }

  /// By hand, by UAX #9: whether the levels of the parts depend on the direction of the line.
  @Test(
    "A text starts at its left edge, or is placed by its middle if readers that heed no direction order its parts otherwise",
    arguments: [
      ("Soup", false), ("82", false), ("日本", false), ("Soup שלום", false), ("שלום", false), ("السلام عليكم", false),
      ("שלום, עולם", false), ("קניתי 12 ביצים", false), ("ביצים 12", false), ("שלום abc", true), ("12 שלום", true),
      ("שלום…", true), ("(שלום", true),
    ])
  func direction(text: String, isDirected: Bool) throws {
    let line = Mark.Line(text: text, type: TypeFace(size: 15, weight: .regular), tint: .ink, baseline: 30)
    let written = try written(Mark(Rect(x: 10, y: 20, width: 80, height: 18), .text(line)))
    #expect(written.contains(#"<text x="\#(isDirected ? 50 : 10)" y="30" textLength="80" "#))
    #expect(written.contains(#"direction="rtl" text-anchor="middle""#) == isDirected)
    #expect(written.contains("direction=") == isDirected)
  }

  @Test("Spaces are kept, and emoji use their font if there are any")
  func spaces() throws {
    func written(_ text: String) throws -> String {
      let line = Mark.Line(text: text, type: TypeFace(size: 15, weight: .bold), tint: .ink, baseline: 30)
      return try self.written(Mark(Rect(x: 10, y: 20, width: 80, height: 18), .text(line)))
    }
    for (text, keepsSpaces, hasEmoji) in [
      ("one 1", false, false), ("two  2", true, false), (" a", true, false), ("a ", true, false), ("😀", false, true),
      ("❤\u{FE0F}", false, true), ("❤", false, false), ("🇫🇷", false, true),
    ] {
      #expect(try written(text).contains(#" xml:space="preserve""#) == keepsSpaces, "\(text)")
      #expect(try written(text).contains("Noto Color Emoji") == hasEmoji, "\(text)")
    }
  }

  @Test(
    "Numbers are written in short form",
    arguments: [
      (16, "16"), (0, "0"), (-0.001, "0"), (0.5, "0.5"), (-3.25, "-3.25"), (-0.05, "-0.05"), (1.005, "1"),
      (9.999, "10"),
      (12.3456, "12.35"),
    ] as [(Double, String)])
  func numbers(number: Double, text: String) { #expect(number.decimal == text) }
}
