import CacheSyncSystem
import Foundation
import Testing

import CacheSync

/// The blocks of JSON in docs/reference. The words after `json` say what a block is.
@Suite("The examples of the reference")
struct ReferenceExampleTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var page: String
    var line: Int
    var words: [String]
    var bytes: [UInt8] = []

    var testDescription: String { "\(page):\(line)" }
  }

  static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardized

  static let examples: [Example] = {
    let directory = project.appendingPathComponent("docs/reference")
    let pages = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return pages.sorted().flatMap { page in
      let text = (try? String(contentsOf: directory.appendingPathComponent(page), encoding: .utf8)) ?? ""
      return examples(in: text, page)
    }
  }()

  private static func examples(in text: String, _ page: String) -> [Example] {
    var examples: [Example] = []
    var open: Example?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```json") {
        open = Example(page: page, line: index + 1, words: line.dropFirst(7).split(separator: " ").map(String.init))
      } else if line == "```", let example = open {
        examples.append(example)
        open = nil
      } else {
        open?.bytes += Array(line.utf8) + [UInt8(ascii: "\n")]
      }
    }
    return examples
  }

  @Test("More than 20 examples are found") func found() { #expect(Self.examples.count > 20) }

  @Test("Each example is JSON, and valid for its declared purpose", arguments: examples)
  func valid(_ example: Example) throws {
    let value = try #require(example.bytes.withUnsafeBytes { JSONValue.parse($0) }, "no JSON")
    switch example.words.first {
    case nil: break
    case "settings":
      let settings = example.bytes.withUnsafeBytes { CacheSettings.read($0, isTimeZone: { $0 == "Europe/Berlin" }) }
      #expect(settings.value != nil && settings.defects.isEmpty, "\(settings.defects)")
    case "session":
      let feed = try #require(FeedRegistry.builtIn.feeds.first { "\($0.name)" == example.words[1] })
      let session = example.bytes.withUnsafeBytes {
        feed.decode($0, at: CachePath("a.json"), pruning: false)
      }
      #expect(session.defects.isEmpty, "\(session.defects)")
    case "definition":
      let read = DefinitionsFeed.read(example.bytes, named: example.words[1])
      #expect(read.definition != nil && read.problems.isEmpty, "\(read.problems)")
      #expect(try value == file("Examples/feeds/\(example.words[1]).json"))
    case "widget":
      let feed = try #require(FeedRegistry.builtIn.feed(named: WidgetsFeed.name))
      let widget = example.bytes.withUnsafeBytes { feed.decode($0, at: CachePath("widgets/a.json")) }
      #expect(widget.defects.isEmpty, "\(widget.defects)")
    case "screen":
      let feed = try #require(FeedRegistry.builtIn.feed(named: ScreensFeed.name))
      let screen = example.bytes.withUnsafeBytes { feed.decode($0, at: CachePath("screens/a.json")) }
      #expect(screen.defects.isEmpty, "\(screen.defects)")
    case "sample": #expect(try value == file("Examples/feeds/samples/\(example.words[1]).json"))
    case "snapshot": #expect(try Snapshot(bytes: example.bytes).entries.count == 2)
    case "day-index":
      let day = try #require(value["days"]?[0])
      #expect(day["start"]?.instant != nil && day["end"]?.instant != nil)
      #expect(value["today"]?["date"] == day["date"] && value["schema"]?.int == 1)
    case "manifest": #expect(example.bytes.withUnsafeBytes { Manifest($0) } != nil)
    case "problem":
      #expect(value.object?.map(\.key).sorted() == ["column", "line", "message", "path", "pointer", "severity"])
    case .some(let word): Issue.record("'\(word)': no example is that")
    }
  }

  /// A file that ExampleFeedsTests reads, so that the page's statements about it are tested there.
  private func file(_ path: String) throws -> JSONValue? {
    [UInt8](try Data(contentsOf: Self.project.appendingPathComponent(path))).withUnsafeBytes { JSONValue.parse($0) }
  }
}
