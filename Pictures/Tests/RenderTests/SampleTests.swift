import Foundation
import Testing

@Suite("render --sample")
struct SampleTests {
  private let commands: Commands

  init() throws { commands = try Commands() }

  private func run(_ words: String...) throws -> Commands.Result { try commands.run(["render"] + words) }

  @Test("A kind is drawn from the sample data, with its options, the same each time")
  func options() throws {
    let plain = try run("macros", "--sample", "--family", "medium")
    let carbs = try run("macros", "--sample", "--family", "medium", "--option", "macro=carbs")
    #expect(plain.status == 0 && carbs.status == 0, "\(plain.error) \(carbs.error)")
    #expect(try run("macros", "--sample", "--family", "medium").output == plain.output)
    let (all, one) = (String(decoding: plain.output, as: UTF8.self), String(decoding: carbs.output, as: UTF8.self))
    #expect(all.contains("Protein") && all.contains("Carbs"))
    #expect(!one.contains("Protein") && one.contains("Carbs"))
    let compact = try run("budget", "--sample", "--option", "compactMode=true")
    #expect(!String(decoding: compact.output, as: UTF8.self).contains("Credit"))
  }

  @Test("A gallery of every kind in every family is drawn")
  func gallery() throws {
    let directory = commands.folder.file("gallery")
    #expect(try run("--all", directory, "--sample").status == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    // Without a cache, there are only the built-in kinds.
    #expect(files.count == 39, "pictures.md section 7")
    #expect(try files == commands.pictures("svg", in: commands.folder.file("none")))
  }

  @Test(
    "Options that do not fit --sample are refused",
    arguments: [
      ["macros", "--sample", "--at", "2026-11-21T09:30:00Z"], ["macros", "--sample", "--cache", "/tmp"],
      ["--all", "x", "--sample", "--watch"], ["macros", "--option", "macro=carbs"],
      ["macros", "--sample", "--option", "macro"], ["macros", "--sample", "--option", "macro=x"],
      ["macros", "--sample", "--option", "x=y"], ["nope", "--sample"],
    ])
  func usage(words: [String]) throws {
    let result = try commands.run(["render"] + words)
    #expect(result.status == 64 && result.output.isEmpty, "\(result)")
  }
}
