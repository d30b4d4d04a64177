import Foundation
import Testing

@Suite("The programs")
struct ProgramTests {
  /// The libraries that a program loads, one line each.
  private func libraries(of program: String) throws -> String {
    let commands = try Commands()
    let result = try commands.run([program], program: "/usr/bin/ldd")
    #expect(result.status == 0, "\(result.error)")
    return String(decoding: result.output, as: UTF8.self)
  }

  private let graphics = #/libpango|libcairo|libpng|libharfbuzz|libfontconfig|libfreetype|libgobject|libX11/#

  @Test("cachesyncd loads no graphics library, and the pictures program does")
  func graphicsLibraries() throws {
    let pictures = URL(fileURLWithPath: Commands.program).deletingLastPathComponent().path + "/cachesync-pictures"
    #expect(try libraries(of: pictures).contains(graphics), "the names are those that ldd prints")
    #expect(try !libraries(of: Commands.program).contains(graphics))
  }

  @Test("The prose of the help has no gaps, which a line of its source may leave", arguments: ["render", "serve"])
  func help(command: String) throws {
    let result = try Commands().run([command, "--help"])
    let help = String(decoding: result.output, as: UTF8.self)
    let prose = try #require(help.components(separatedBy: "\nExamples:").first)
    #expect(result.status == 0 && !prose.isEmpty && !prose.contains(#/\S {2,}\S/#), "\(prose)")
    #expect(help.contains("\nExamples:\n  cachesyncd \(command)") && help.contains("USAGE: cachesyncd \(command) "))
    #expect(try Commands().run(["help", command]).output == result.output)
  }
}
