import Foundation

/// Another program that checks this one's output.
enum Tool {
  struct Failure: Error {
    var program: String
    var status: Int32
  }

  /// The output of Debian's Python, without the end of the line.
  static func python(_ arguments: String...) throws -> String { try run("/usr/bin/python3", arguments) }

  static func run(_ program: String, _ arguments: String...) throws -> String { try run(program, arguments) }

  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(program: program, status: process.terminationStatus) }
    return text.trimmingCharacters(in: .newlines)
  }
}
