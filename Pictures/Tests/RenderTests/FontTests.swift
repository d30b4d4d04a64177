import Foundation
import Testing

@Suite("Fonts that are missing")
struct FontTests {
  private let commands: Commands
  private let fonts: String

  init() throws {
    commands = try Commands()
    fonts = commands.folder.file("fonts.conf")
  }

  /// Runs a command with the fonts of these directories.
  private func run(_ words: [String], fonts directories: [String], locale: String) throws -> Commands.Result {
    let list = directories.map { "<dir>\($0)</dir>" }.joined()
    let configuration = "<fontconfig>\(list)<cachedir>\(commands.folder.file("fonts"))</cachedir></fontconfig>"
    try configuration.write(toFile: fonts, atomically: true, encoding: .utf8)
    try #"{"locale": "\#(locale)"}"#.write(
      toFile: "\(commands.cache)/cachesync.json", atomically: true, encoding: .utf8)
    let settings = ["FONTCONFIG_FILE=\(fonts)", Commands.program]
    return try commands.run(settings + words + ["--cache", commands.cache], program: "/usr/bin/env")
  }

  private static let dejaVu = ["/usr/share/fonts/truetype/dejavu"]
  private static let noto = ["/usr/share/fonts/opentype/noto"]

  /// By the packages' lists of files: DejaVu Sans has Latin and Cyrillic letters, Noto Sans CJK those of East Asia too.
  @Test(
    "render ends with 69 and names a package if no font has the letters of the cache's language",
    arguments: [
      ([], "en", "no font is installed: install a font, such as the package fonts-dejavu-core"),
      ([], "ja", "no font is installed: install a font, such as the package fonts-noto-cjk"),
      (dejaVu, "en", nil), (dejaVu, "cs", nil), (dejaVu, "tr", nil), (dejaVu, "uk", nil),
      (
        dejaVu, "ja", "no font has the letters of the language 'ja': install a font, such as the package fonts-noto-cjk"
      ),
      (
        dejaVu, "ko", "no font has the letters of the language 'ko': install a font, such as the package fonts-noto-cjk"
      ),
      (
        dejaVu, "zh-Hans",
        "no font has the letters of the language 'zh-Hans': install a font, such as the package fonts-noto-cjk"
      ),
      (noto, "ja", nil), (noto, "ko", nil), (noto, "zh-Hans", nil), (noto, "en", nil),
    ] as [([String], String, String?)])
  func letters(fonts: [String], locale: String, reason: String?) throws {
    for words in [
      ["render", "task-count"], ["render", "--all", commands.folder.file("all")],
      ["render", "--screen", "800x480", "--bits", "1", "calendar:medium"],
    ] {
      let result = try run(words, fonts: fonts, locale: locale)
      #expect(result.status == (reason == nil ? 0 : 69), "\(result.error)")
      let expected = reason.map { "cachesyncd: cannot draw words: \($0)\n" }
      #expect(result.error == expected ?? "")
    }
  }

  @Test("serve names the package at its start, and runs")
  func serve() throws {
    // Without a publication the page is in English.
    let settings = ["FONTCONFIG_FILE=\(fonts)", Commands.program]
    try "<fontconfig/>".write(toFile: fonts, atomically: true, encoding: .utf8)
    let errors = commands.folder.file("errors")
    let process = try commands.start(
      settings + ["serve", "--listen", "127.0.0.1:0", "--cache", commands.cache], program: "/usr/bin/env",
      errors: errors
    )
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    let output = (process.standardOutput as? Pipe)?.fileHandleForReading.availableData ?? Data()
    #expect(String(decoding: output, as: UTF8.self).hasPrefix("The page is at http://"))
    let error = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(error.contains("no font is installed: install a font, such as the package fonts-dejavu-core"), "\(error)")
  }
}
