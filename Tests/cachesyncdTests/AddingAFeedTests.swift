import Foundation
import Testing
import TestSupport

/// What the DocC article `AddingAFeed` tells a newcomer to write.
@Suite("Adding a feed")
struct AddingAFeedTests {
  @Test("The compiler takes the article's code, and the feed's texts in every language")
  func compiles() throws {
    let place = try TemporaryFolder()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("adding_a_feed.py")
    let project = script.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    // The program is in a directory of the target, below that of the build.
    let build = URL(fileURLWithPath: Program.path).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let typed = ["/usr/bin/python3", "-B", script.path, project.path, build.path, place.path]
    let outcome = try Child([], through: typed).outcome(within: 600)
    #expect(outcome.status == 0, "\(outcome)")
  }
}
