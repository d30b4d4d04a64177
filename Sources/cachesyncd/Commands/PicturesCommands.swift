import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import SystemPackage

/// `render`, which the pictures program implements.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw snapshots as SVG, PNG or a line of text.",
    usage: "cachesyncd render --help",
    helpNames: [])

  @Argument(parsing: .captureForPassthrough) var words: [String] = []

  func run() throws { try PicturesProgram.become(Self.configuration, words) }
}

/// `serve`, which the pictures program implements.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve a live page of all pictures on this machine.",
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

// The options of `render` and `serve` as shells complete them. The program that carries out these commands declares the
// options; a test compares its script for bash with that of this program.

struct CompletedRender: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: RenderCommand.configuration.commandName, abstract: RenderCommand.configuration.abstract)

  @Argument(completion: .kinds) var kinds: [String] = []
  @Option(completion: .list(ViewFamily.ofWidgets.map(\.rawValue))) var family: String?
  @Option(completion: .list(["svg", "png", "bmp", "txt"])) var format: String?
  @Option var scale: String?
  @Option(completion: .list(["light", "dark", "eink", "accented"])) var appearance: String?
  @Option var tint: String?
  @Option(completion: .list(["light", "dark", "none"])) var background: String?
  @Flag var redacted = false
  @Option(completion: .list(["1", "2", "4", "8"])) var bits: String?
  @Option var at: String?
  @Option(name: [.customShort("o"), .long], completion: .file()) var output: String?
  @Option(completion: .directory) var all: String?
  @Flag var watch = false
  @Option(completion: .screens) var screen: String?
  @Option(completion: .list(["0", "90", "180", "270"])) var rotate: String?
  @Flag var sample = false
  @Option var option: [String] = []
  @OptionGroup var cache: CacheOptions
  @OptionGroup var settings: SettingsOptions
}

struct CompletedServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ServeCommand.configuration.commandName, abstract: ServeCommand.configuration.abstract)

  @Option var listen: String?
  @Option(completion: .file()) var keyFile: String?
  @Option var allowHost: [String] = []
  @Option var trustProxy: [String] = []
  @Option var allowFrame: [String] = []
  @Option(completion: .feeds) var share: String?
  @Option(completion: .file()) var panels: String?
  @OptionGroup var logging: LoggingOptions
  @OptionGroup var cache: CacheOptions
  @OptionGroup var settings: SettingsOptions
}
