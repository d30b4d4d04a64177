import Foundation
import Testing

@testable import CacheSyncPictures

@Suite("Icons")
struct IconTests {
  /// The names that have a drawing.
  private static let names = Icon.drawings.keys.sorted()
  /// The free margin on each side of the grid.
  private static let margin = 2.0

  private static let project = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The files below a directory of the project with this ending.
  private static func texts(below folder: String, ending: String) throws -> [String] {
    let found = FileManager.default.enumerator(
      at: project.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    let files = (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == ending }
    return try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
  }

  @Test("The names that definitions may have without a warning, and those that the reference lists, have a drawing")
  func drawn() throws {
    let sources = try Self.texts(below: "Sources/CacheSyncValues/Defined/Reading", ending: "swift").joined()
    let known = try #require(sources.firstMatch(of: /drawnIcons: \[String\] = """([^"]+)"""/)).output.1
    #expect(known.split(whereSeparator: { " \\\n".contains($0) }).map(String.init) == Self.names)
    let reference = try Self.texts(below: "docs/reference", ending: "md").joined()
    let listed = try #require(reference.firstMatch(of: /Drawn are\s+([^-]+?)\.\n/)).output.1
    #expect(listed.matches(of: /`([^`]+)`/).map { String($0.output.1) } == Self.names)
  }

  @Test("There is an icon for every name in the sources of views and snapshots")
  func sources() throws {
    var names: Set<Substring> = []
    for text in try Self.texts(below: "Sources", ending: "swift") {
      names.formUnion(text.matches(of: /\.icon\("([^"]+)"/).map(\.output.1))
      for member in text.matches(of: /\.member\("(?:symbol|circular)",(.*)/) {
        names.formUnion(member.output.1.matches(of: /"([^"]+)"/).map(\.output.1))
      }
    }
    try #require(names.isSuperset(of: ["sunrise", "leaf.fill", "shoe.2", "flame.fill", "checkmark.circle.fill"]))
    #expect(names.subtracting(Self.names.map { $0[...] }) == [])
  }

  @Test("There is an icon for every name in the sample cache and in the article on new feeds")
  func examples() throws {
    let samples = try Self.texts(below: "sample-cache", ending: "json")
    let articles = try Self.texts(below: "Sources/CacheSync/CacheSync.docc", ending: "md")
    var names = Set(samples.flatMap { $0.matches(of: /"icon"\s*:\s*"([^"]+)"/).map(\.output.1) })
    names.formUnion(articles.flatMap { $0.matches(of: /\.icon\("([^"]+)"/).map(\.output.1) })
    try #require(names.isSuperset(of: ["drop", "figure.run"]))
    #expect(names.subtracting(Self.names.map { $0[...] }) == [])
  }

  @Test("Icons stay inside the margin, including the width of their lines", arguments: names)
  func insideMargin(name: String) {
    let icon = Icon(named: name)
    #expect(!icon.paths.isEmpty)
    for bounds in icon.paths.map(\.bounds) {
      #expect(min(bounds.left, bounds.top) >= Self.margin)
      #expect(max(bounds.right, bounds.bottom) <= Icon.side - Self.margin)
    }
  }

  @Test("Icons have one size: the longer side of each takes most of the grid", arguments: names)
  func size(name: String) {
    let bounds = Icon(named: name).paths.map(\.bounds)
    let left = bounds.map(\.left).min() ?? 0
    let right = bounds.map(\.right).max() ?? 0
    let top = bounds.map(\.top).min() ?? 0
    let bottom = bounds.map(\.bottom).max() ?? 0
    #expect(max(right - left, bottom - top) >= 14)
    #expect(abs(left + right - Icon.side) <= 3 && abs(top + bottom - Icon.side) <= 3, "it is in the middle")
  }

  @Test("An icon is filled if its name says so, and otherwise drawn with lines", arguments: names)
  func paint(name: String) {
    func area(_ path: IconPath) -> Double {
      (path.bounds.right - path.bounds.left) * (path.bounds.bottom - path.bounds.top)
    }
    let main = Icon(named: name).paths.max { area($0) < area($1) }
    #expect(main?.paint == (name.hasSuffix(".fill") ? .fill : .stroke))
  }

  @Test("Icons differ from each other and from the dot")
  func distinct() {
    let all = Self.names.map(Icon.init(named:)) + [.dot]
    for (index, icon) in all.enumerated() { #expect(!all[(index + 1)...].contains(icon)) }
  }

  @Test("An unknown name is a filled dot", arguments: ["", "icon 0", "Star", "star ", "star.fill"])
  func dot(name: String) {
    #expect(Icon(named: name) == .dot)
    #expect(Icon.dot.paths.map(\.paint) == [.fill])
  }

  @Test("Paths are read from the letters M, L, C and Z")
  func reading() throws {
    let path = try IconPath(.stroke, "M4 -1.5 L20 12 Z M0 1 C2 3 4 5 6 7")
    let point = IconPath.Point.init(x:y:)
    #expect(
      path.commands == [
        .move(point(4, -1.5)), .line(point(20, 12)), .close, .move(point(0, 1)),
        .curve(point(2, 3), point(4, 5), to: point(6, 7)),
      ])
    #expect(path.bounds == IconPath.Bounds(left: -1, top: -2.5, right: 21, bottom: 13))
  }

  @Test(
    "Other paths are refused",
    arguments: [
      ("", ""), ("M1 2", "the end"), ("M1 2 L3 4 M5 6", "the end"), ("M1 2 M3 4 L5 6", "M3"), ("L1 2", "L1"),
      ("C1 2 3 4 5 6", "C1"), ("Z", "Z"), ("M1 2 Z", "Z"), ("M1 2 L3 4 Z Z", "Z"), ("M1 2 L3 4 Z L5 6", "L5"),
      ("M1 2 L3", "L3"), ("M1 2 C1 2 3 4 5", "C1"), ("M1 2 L3 4 5 6", "5"), ("M1 2 l3 4", "l3"), ("M1,2 L3 4", "M1,2"),
      ("M1 2  L3 4", ""), (" M1 2 L3 4", ""), ("M1 2 L3 4 ", ""), ("M 1 2 L3 4", "M"), ("M1 2 L3 1e3", "L3"),
      ("M1 2 Linf 4", "Linf"), ("M1 2 Lnan 4", "Lnan"), ("M1 2 L0x1 4", "L0x1"), ("M1 2 L- 4", "L-"),
      ("M1 2 L3 4\n", "L3"), ("M1 2 H3", "H3"), ("M1 2 L3 4 Z5 6", "Z5"),
    ])
  func strictness(text: String, word: String) {
    #expect(throws: IconPathError(text: text, word: word)) { try IconPath(.fill, text) }
  }
}

extension IconPath {
  /// The sides of a box on the grid.
  fileprivate struct Bounds: Equatable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
  }

  /// A box around the shape and its line. Control points are inside it too, so a curve may end before a side.
  fileprivate var bounds: Bounds {
    let points = commands.flatMap { command in
      switch command {
      case .move(let point), .line(let point): [point]
      case .curve(let first, let second, let end): [first, second, end]
      case .close: [Point]()
      }
    }
    let reach = paint == .stroke ? Self.strokeWidth / 2 : 0
    return Bounds(
      left: (points.map(\.x).min() ?? 0) - reach, top: (points.map(\.y).min() ?? 0) - reach,
      right: (points.map(\.x).max() ?? 0) + reach, bottom: (points.map(\.y).max() ?? 0) + reach)
  }
}
