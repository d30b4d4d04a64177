import Foundation
import Testing

/// The pictures at the top of the README are committed files. `RECORD=1 make test-pictures` draws them again.
@Suite("The pictures of the README")
struct ReadmeTests {
  private static let folder = Commands.project.appendingPathComponent("docs/pictures")
  private static let names = [
    "daily-progress-systemMedium", "meal-plan-systemMedium", "calendar-systemMedium", "overview-systemMedium",
  ]

  @Test("The README's pictures are what render draws of the sample cache", arguments: names)
  func drawn(name: String) throws {
    let parts = name.split(separator: "-")
    let kind = parts.dropLast().joined(separator: "-")
    let result = try Commands().render(kind, "--family", "\(parts[parts.count - 1])", "--time-zone", "Europe/Berlin")
    #expect(result.status == 0)
    let file = Self.folder.appendingPathComponent("\(name).svg")
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(result.output).write(to: file)
    }
    #expect(try [UInt8](Data(contentsOf: file)) == result.output)
  }

  @Test("The committed pictures are the ones that the README names")
  func named() throws {
    let readme = try String(contentsOf: Commands.project.appendingPathComponent("README.md"), encoding: .utf8)
    let named = readme.matches(of: #/docs/pictures/([\w-]+)\.svg/#).map { String($0.output.1) }
    // The terminal is drawn by `make terminal-picture`.
    let all = (Self.names + ["terminal"]).sorted()
    #expect(named.sorted() == all)
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(files.sorted() == all.map { "\($0).svg" })
  }
}
