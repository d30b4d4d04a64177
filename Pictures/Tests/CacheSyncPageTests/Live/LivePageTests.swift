import CacheSync
import Foundation
import SystemPackage
import Testing

@testable import CacheSyncPage

@Suite("What a page has read")
final class LivePageTests {
  private let cache = FileManager.default.temporaryDirectory.appendingPathComponent("cachesync-\(UUID().uuidString)")
  private let page: LivePage

  private struct Unasked: Error {}

  init() throws {
    try FileManager.default.createDirectory(
      at: cache.appendingPathComponent("snapshots"), withIntermediateDirectories: true)
    let questions = CacheQuestions(
      shown: { _ in throw Unasked() }, status: { throw Unasked() }, printed: { _ in throw Unasked() })
    page = LivePage(cache: FilePath(cache.path), questions: questions, now: { .referenceDate })
  }

  deinit { try? FileManager.default.removeItem(at: cache) }

  private func write(_ name: String, _ text: String) throws {
    try text.write(to: cache.appendingPathComponent("snapshots/\(name).json"), atomically: true, encoding: .utf8)
  }

  private func writeManifest(_ generation: Int) throws {
    let file = #"{"day-index.json":{"bytes":16,"generation":\#(generation)}}"#
    let rest = #""generation":\#(generation),"publishedAt":"2026-11-24T10:00:00Z","schema":1"#
    try write("manifest", #"{"files":\#(file),\#(rest)}"# + "\n")
  }

  private func publish(_ generation: Int) throws {
    try write("day-index", #"{"generation":\#(generation)}"# + "\n")
    try writeManifest(generation)
  }

  private func removeDayIndex() throws {
    try FileManager.default.removeItem(at: cache.appendingPathComponent("snapshots/day-index.json"))
  }

  @Test("A publication is read once for all who ask, until there is another")
  func once() async throws {
    try publish(1)
    #expect(try await page.present().generation == 1)
    // Another reading would find that a file is gone.
    try removeDayIndex()
    #expect(try await page.present().generation == 1)
    #expect(try await page.view(at: nil).generation == 1)
    try publish(2)
    #expect(try await page.present().generation == 2)
  }

  @Test("What was read for listeners is not read again, unless it is older than the manifest", arguments: [1, 2])
  func kept(manifest: Int) async throws {
    try publish(1)
    let set = try #require(try page.reader.consistentNow())
    try removeDayIndex()
    try writeManifest(manifest)
    await page.keep(set)
    #expect(try await page.present().generation == (manifest == 1 ? 1 : 0))
  }
}
