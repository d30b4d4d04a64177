import Foundation
import Testing

/// Runs each line `$ cachesyncd …` in docs/reference with a running agent. It must print the lines below it.
@Suite struct ReferenceCommandTests {
  private struct Example {
    var command: String
    var output = ""
  }

  private func examples() throws -> [Example] {
    let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/reference").standardized
    var examples: [Example] = []
    for page in try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() {
      let text = try String(contentsOf: directory.appendingPathComponent(page), encoding: .utf8)
      var isWithin = false
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("$ cachesyncd ") {
          examples.append(Example(command: String(line.dropFirst(2))))
          isWithin = true
        } else if line == "```" {
          isWithin = false
        } else if isWithin {
          examples[examples.count - 1].output += line + "\n"
        }
      }
    }
    return examples
  }

  @Test("The commands in the reference print what it shows")
  func commands() throws {
    let cache = try CommandCache()
    try Data(Sessions.plan().utf8).write(to: URL(fileURLWithPath: cache.parent + "/this-week.json"))
    let agent = try cache.agent()
    let examples = try examples()
    #expect(examples.count >= 2)
    for example in examples {
      // "$0" is the program.
      let script = "cd \"$1\" && cachesyncd() { \"$0\" \"$@\"; } && " + example.command
      let child = try Child(
        [cache.parent], environment: ["CACHESYNC_CACHE": cache.path], through: ["/bin/sh", "-c", script])
      let outcome = try child.outcome(within: 120)
      #expect(outcome.status == 0, "\(example.command): \(outcome)")
      #expect(example.output.isEmpty || outcome.output == example.output, "\(example.command): \(outcome)")
    }
    withExtendedLifetime(agent) {}
  }

  @Test(
    "After the exit statuses that packaging.md lists, the agent's units do not start it again",
    arguments: ["cachesyncd.service", "cachesyncd@.service"])
  func restarting(unit: String) throws {
    let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
      .standardized
    func text(_ path: String) throws -> String {
      try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
    }
    func statuses(_ line: Substring) -> [String] { line.matches(of: /\b[67][0-9]\b/).map { String($0.0) } }
    let page = try text("docs/reference/packaging.md").replacing(/\n +/, with: " ")
    let documented = try #require(page.firstMatch(of: /`Restart=on-failure`[^.]*\./)).0
    let line = try #require(text("packaging/systemd/\(unit)").firstMatch(of: /RestartPreventExitStatus=.*/)).0
    #expect(statuses(documented) == statuses(line) && !statuses(line).isEmpty)
  }
}
