import Foundation
import Testing

/// The README's commands, typed into a shell in the directory where a reader types them.
@Suite("The README")
struct ReadmeTests {
  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(project)/\(path)", encoding: .utf8)
  }

  /// The fenced blocks in a language, without their fences.
  private static func blocks(_ language: String, of page: String = "README.md") throws -> [String] {
    try text(page).matches(of: #/(?m)^```(\w+)\n((?:.*\n)*?)```$/#).filter { $0.output.1 == language }
      .map { String($0.output.2) }
  }

  /// Whether this machine has a program. The commands' PATH has no other directories.
  private static func has(_ program: String) -> Bool {
    ["/usr/bin", "/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  private let cache: CommandCache

  /// A directory like a checkout after `make run` has created `scratch-cache` in it.
  init() throws {
    cache = try CommandCache()
    for name in ["scripts", "Examples"] {
      try #require(symlink("\(Self.project)/\(name)", "\(cache.parent)/\(name)") == 0)
    }
    try FileManager.default.copyItem(
      atPath: "\(Self.project)/sample-cache", toPath: "\(cache.parent)/sample-cache")
    try FileManager.default.createDirectory(atPath: cache.parent + "/.build", withIntermediateDirectories: true)
    let programs = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
    try #require(symlink(programs, cache.parent + "/.build/debug") == 0)
    let made = try run("scripts/scratch.sh .build/debug/cachesyncd sample-cache scratch-cache")
    try #require(made.status == 0, "\(made)")
  }

  private var scratch: String { cache.parent + "/scratch-cache" }

  /// Runs a script with a shell, or with the given interpreter.
  private func run(_ script: String, with interpreter: String = "sh") throws -> Outcome {
    let file = cache.parent + "/script"
    try Data(script.utf8).write(to: URL(fileURLWithPath: file))
    let typed = ["/bin/sh", "-c", "cd '\(cache.parent)' && exec \(interpreter) '\(file)'"]
    return try Child([], environment: ["CACHESYNC_CACHE": scratch], through: typed).outcome()
  }

  @Test("The README's commands print what it shows; an ellipsis stands for what depends on the moment")
  func commands() throws {
    let agent = try CommandCache(at: scratch).agent()
    try type(try Self.blocks("console"))
    #expect(agent.exitStatus() == nil, "\(agent.errors)")
  }

  @Test("The commands of the guide to your language print what it shows")
  func yourLanguage() throws { try type(try Self.blocks("console", of: "docs/guide/your-language.md")) }

  @Test("The commands of the guide to your own feed print what it shows, with its sample and changes of the definition")
  func ownFeed() throws {
    let page = "docs/guide/your-own-feed.md"
    let place = cache.parent + "/try"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let json = try Self.blocks("json", of: page)
    try Data(json[0].utf8).write(to: URL(fileURLWithPath: place + "/sample.json"))
    let console = try Self.blocks("console", of: page).map { $0.replacing("/tmp/try", with: place) }
    try type(console)

    // Step 4: the fields and times of the items as on the page, and a typing mistake.
    let file = place + "/cache/feeds/bins.json"
    var lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
    let fields = try #require(lines.firstIndex { $0.contains(#""fields":"#) })
    lines.replaceSubrange(fields...fields + 1, with: json[1].split(separator: "\n").map(String.init))
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
    let test = """
      cd try
      ../.build/debug/cachesyncd feed test cache/feeds/bins.json sample.json --at 2026-11-22T12:00:00Z

      """
    let changed = try run(test).output
    let text = try Self.text(page)
    for shown in ["Tuesday: Rubbish, Food Bin", "Nothing soon"] {
      #expect(changed.contains(shown) && text.contains(shown), "\(changed)")
    }
    #expect(changed.contains("2026-11-24 10:00"))
    let mistaken = lines.joined(separator: "\n").replacing("{title}", with: "{tittle}")
    try Data(mistaken.utf8).write(to: URL(fileURLWithPath: file))
    let refused = try run(test)
    #expect(refused.status == 65 && !refused.output.isEmpty && text.contains("\n" + refused.output), "\(refused)")
  }

  /// Types the commands of all blocks into one shell, and expects the output that the blocks show below each.
  private func type(_ blocks: [String]) throws {
    // Each command, and the lines that it prints.
    var steps: [(command: String, shown: [Substring])] = []
    for line in blocks.joined().split(separator: "\n") {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), []))
      } else {
        steps[steps.count - 1].shown.append(line)
      }
    }
    try #require(steps.count > 2)
    let mark = "== the next command =="
    let session = steps.map { "\($0.command)\necho '\(mark)'\n" }.joined()
    let typed = try run("exec 2>&1\nPATH=$PWD/.build/debug:$PATH\n" + session)
    let printed = typed.output.components(separatedBy: mark + "\n")
    try #require(printed.count == steps.count + 1, "\(typed)")
    for (step, output) in zip(steps, printed) {
      var lines = output.split(separator: "\n")
      var shown = step.shown
      // The rest may be omitted.
      if shown.last == "…", lines.count >= shown.count {
        shown.removeLast()
        lines = Array(lines.prefix(shown.count))
      }
      #expect(
        lines.count == shown.count && zip(lines, shown).allSatisfy { Self.line($0, isShownAs: $1) },
        "\(step.command) prints \(output)")
    }
  }

  /// Whether a line has the parts of the shown one in their order, and nothing else except at an ellipsis.
  private static func line(_ line: Substring, isShownAs shown: Substring) -> Bool {
    let parts = shown.components(separatedBy: "…")
    guard line.hasPrefix(parts[0]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst() where !part.isEmpty {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.isEmpty || parts.count > 1 && parts.last == ""
  }

  @Test("The README's readers print what it says", arguments: [("python", "python3"), ("js", "node"), ("sh", "sh")])
  func readers(language: String, interpreter: String) throws {
    let block = try #require(try Self.blocks(language).first)
    let needed = language == "sh" ? "jq" : interpreter
    guard Self.has(needed) else {
      // A trait would skip all three.
      print("The README's reader in \(language) was not tried: no \(needed) here")
      return
    }
    let published = try run(".build/debug/cachesyncd sync")
    try #require(published.status == 0, "\(published)")
    #expect(try run("\(interpreter) <<'END'\n\(block)END\n").output == "6 tasks\n")
    if language == "python" {
      // The guide for readers also prints the state.
      let guide = try #require(try Self.blocks(language, of: "docs/guide/readers.md").first)
      #expect(try run("\(interpreter) <<'END'\n\(guide)END\n").output == "6 tasks current\n")
    }
    #expect(try Self.text("README.md").contains("prints `6 tasks`"))
  }

  @Test("The README's reader in Swift is the example that `make examples` compiles")
  func swift() throws {
    let example = try Self.text("Examples/Sources/TaskCount/main.swift")
    #expect(try Self.blocks("swift") == [String(example.drop { $0 != "\n" }.dropFirst())])
  }

  @Test("The README's definition reads the sample of the examples and gives the shown text")
  func definition() throws {
    let block = try #require(try Self.blocks("json").first)
    try Data(block.utf8).write(to: URL(fileURLWithPath: cache.parent + "/bins.json"))
    let tried = try run(
      ".build/debug/cachesyncd feed test bins.json Examples/feeds/samples/bins.json --at 2026-11-22T12:00:00Z")
    #expect(tried.status == 0 && tried.errors.isEmpty, "\(tried)")
    let promised = try #require(try Self.text("README.md").firstMatch(of: /readers get "(.*)":/)).output.1
    #expect(tried.lines.contains { $0.hasSuffix(promised) }, "\(tried)")
  }

  @Test("The README has at most 130 lines, and the targets of make that it names exist")
  func targets() throws {
    let readme = try Self.text("README.md")
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 131)
    let makefile = try Self.text("Makefile")
    let named = readme.matches(of: /\bmake ([a-z-]+)/).map(\.output.1)
    try #require(named.count > 4)
    for name in named { #expect(makefile.contains("\n\(name):"), "make \(name)") }
  }

  /// `make terminal-picture` draws it again.
  @Test(
    "The picture of the terminal shows what the programs print",
    .enabled(if: has("faketime") && has("python3"), "needs faketime and python3"))
  func picture() throws {
    let drawn = try run(
      "scripts/terminal-picture.py .build/debug/cachesyncd sample-cache terminal.svg", with: "sh -e")
    #expect(drawn.status == 0, "\(drawn)")
    let picture = try String(contentsOfFile: cache.parent + "/terminal.svg", encoding: .utf8)
    #expect(try picture == Self.text("docs/pictures/terminal.svg"), "run make terminal-picture")
  }
}
