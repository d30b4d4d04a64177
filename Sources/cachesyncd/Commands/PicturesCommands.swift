import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import SystemPackage

/// `render`, which the pictures program implements.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw snapshots as SVG, PNG or a line of text, with cachesync-pictures.",
    usage: "cachesyncd render --help",
    helpNames: [])

  @Argument(parsing: .captureForPassthrough, completion: .kinds) var words: [String] = []

  func run() throws { try PicturesProgram.become(Self.configuration, words) }
}

/// `serve`, which the pictures program implements.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve a live page of all pictures on this machine, with cachesync-pictures.",
    usage: "cachesyncd serve --help",
    helpNames: [])

  @Argument(parsing: .captureForPassthrough) var words: [String] = []

  func run() throws { try PicturesProgram.become(Self.configuration, words) }
}

/// The program that renders pictures. It is installed next to this one, which links no graphics library. It replaces
/// this process, so signals, output and exit statuses are its own.
enum PicturesProgram {
  private static let name = "cachesync-pictures"
  private static let commands = [RenderCommand.configuration, ServeCommand.configuration].compactMap(\.commandName)

  /// `help render` as `render --help`, because only the program that implements a command has its help.
  static func askedForHelp(_ words: [String]) -> [String] {
    guard words.count > 1, words[0] == "help", commands.contains(words[1]) else { return words }
    return [words[1], "--help"]
  }

  fileprivate static func become(_ command: CommandConfiguration, _ words: [String]) throws {
    try reporting {
      let path = try beside()
      let arguments =
        [path.bytes, Array((command.commandName ?? "").utf8)] + words.map { CommandLineWord(argument: $0).bytes }
      let pointers = arguments.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) } + [nil]
      path.withPlatformString { _ = execv($0, pointers) }
      let reason = Errno(rawValue: errno)
      throw Failure(
        "cannot run \(EscapedText.forPeople(path.bytes)): \(reason); install \(name) beside cachesyncd (make pictures builds it there)",
        reason == .noSuchFileOrDirectory ? .unavailable : .noPermission)
    }
  }

  private static func beside() throws -> FilePath {
    do throws(Errno) {
      return try ProgramPath.beside(name)
    } catch {
      throw Failure("cannot find the path of cachesyncd: \(error); mount /proc", .unavailable)
    }
  }
}
