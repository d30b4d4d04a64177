import CacheSync
import Foundation
import Testing

@testable import CacheSyncPictures

/// Compares the marks of every picture of the sample cache, as text, with the files in this directory. `RECORD=1 make
/// test-pictures` writes them again. Changes are then reviewed as pictures and as a diff.
@Suite("The marks of a picture")
struct StructureTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Structure")

  @Test("The marks are the recorded ones", arguments: KnownKind.all.map(\.name))
  func record(kind: String) throws {
    let file = Self.folder.appendingPathComponent("\(kind).txt")
    let drawn = try Self.text(kind)
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(drawn.utf8).write(to: file)
    }
    let recorded = try Self.recorded(file)
    let (a, b) = (recorded.split(separator: "\n"), drawn.split(separator: "\n"))
    let difference = zip(a, b).first { $0 != $1 }
    let change = try Self.changedPackages()
    #expect(difference == nil && a.count == b.count, "\(kind)\(change)")
  }

  @Test("If the recorded packages differ from this machine's, the run names them")
  func packages() throws {
    let file = Self.folder.appendingPathComponent("packages")
    if ProcessInfo.processInfo.environment["RECORD"] != nil { try Data(Self.packages().utf8).write(to: file) }
    let recorded = try Self.recorded(file)
    #expect(recorded.split(separator: "\n").count == 5)
    let change = try Self.changedPackages()
    if !change.isEmpty { print("The marks on record are of other packages than this machine's\(change)") }
  }

  /// The packages that measure and draw text, with their versions.
  private static func packages() throws -> String {
    try Tool.run(
      "/usr/bin/dpkg-query", "-W", "-f", "${Package} ${Version}\n", "libpango-1.0-0", "libharfbuzz0b", "fonts-inter",
      "fonts-dejavu-core", "fonts-noto-color-emoji") + "\n"
  }

  /// The packages that differ from the recorded ones, as text; empty if none do.
  private static func changedPackages() throws -> String {
    let here = try packages()
    let recorded = try recorded(folder.appendingPathComponent("packages"))
    guard here != recorded else { return "" }
    return ": recorded with \(recorded.replacing("\n", with: ", ")) here are \(here.replacing("\n", with: ", "))"
  }

  private static func recorded(_ file: URL) throws -> String {
    try String(decoding: Data(contentsOf: file), as: UTF8.self)
  }

  private static func text(_ kind: String) throws -> String {
    let layout = Layout(Typesetter())
    let snapshot = try SampleSnapshots.snapshot(kind)
    var lines: [String] = []
    for state in [Snapshot.State.current, .stale, .placeholder, .empty] {
      for family in snapshot.families.compactMap(ViewFamily.init) {
        var entry = snapshot.entries[0]
        entry.state = state
        let picture = try #require(layout.picture(of: entry, in: snapshot, family: family))
        lines.append("\(family.rawValue) \(state.rawValue): \(picture.title)")
        lines += picture.marks.map { "  \($0.record)" }
        lines += picture.targets.dropFirst().map { "  \($0.box.record) acts \($0.action.record): \($0.label)" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Rect {
  /// To half a point, because another patch release of the fonts may change less.
  fileprivate var record: String {
    [x, y, width, height].map { String(($0 * 2).rounded() / 2) }.joined(separator: " ")
  }
}

extension Mark {
  fileprivate var record: String {
    switch shape {
    case .box(let radius, let fill, let border):
      "\(box.record) box \(radius) \(fill.map { "\($0)" } ?? "none")\(border.map { " border \($0)" } ?? "")"
    case .ring(let ring):
      "\(box.record) ring \(ring.width) \(ring.progress.map { String(($0 * 1_000).rounded() / 1_000) } ?? "none") \(ring.tint)"
        + (ring.dot.map { " dot \(($0 * 1_000).rounded() / 1_000)" } ?? "")
    case .text(let line): "\(box.record) text \(line.type.size) \(line.type.weight) \(line.tint): \(line.text)"
    case .icon(let name, let tint): "\(box.record) icon \(tint): \(name)"
    }
  }
}

extension ViewNode.Action {
  fileprivate var record: String {
    switch self {
    case .link(let link): link
    case .intent(let type, let fields): "\(type) \(fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
    }
  }
}
