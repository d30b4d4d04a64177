import Testing

/// A command with words that it can run with, for the tests of what commands have in common.
struct CommandWords: Sendable, CustomTestStringConvertible {
  /// The command, such as `feed new`.
  var name: String
  /// Its arguments.
  var arguments: [String]

  /// Every command but those of the pictures' program and `feed`, which is a command of commands.
  static let all = [
    Self("run"), Self("sync"), Self("show"), Self("check"), Self("status"), Self("next"), Self("watch"), Self("wait"),
    Self("drop", "meal-plan", "-"), Self("intent", "end-session"), Self("kinds"), Self("screens"),
    Self("feeds"),
    Self("feed new", "bins"), Self("feed test", "bins.json", "-"), Self("feed schema"), Self("schema", "widget"),
    Self("export", "tasks"),
  ]

  private init(_ name: String, _ arguments: String...) {
    self.name = name
    self.arguments = arguments
  }

  var words: [String] { name.split(separator: " ").map(String.init) + arguments }

  var testDescription: String { words.joined(separator: " ") }

  /// What `--help` prints.
  func help() throws -> String {
    let outcome = try Program.run(name.split(separator: " ").map(String.init) + ["--help"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(name)")
    return outcome.output
  }

  /// The options that the help explains, besides `--help` and `--version`.
  func options() throws -> Set<String> {
    Set(try help().matches(of: /\n  (?:-[A-Za-z], )?(--[a-z-]+)/).map { String($0.1) }).subtracting([
      "--help", "--version",
    ])
  }

  /// The exit statuses that the help explains.
  func statuses() throws -> Set<String> {
    Set(try help().matches(of: #/\n  ([0-9]{2})  /#).map { String($0.1) })
  }
}
