import CacheSync
import Foundation
import SystemPackage
import Testing
import TestSupport

/// The vectors of the readers in other languages (Examples/readers), which `make examples` runs.
@Suite("Vectors of readers")
struct ReaderVectorTests {
  @Test("The library reads what readers in other languages read")
  func vectors() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../Examples/readers/vectors.json").standardized
    let vectors = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
    #expect(vectors.count >= 13)
    for vector in vectors {
      let name = try #require(vector["name"] as? String)
      let cache = try TemporaryCache()
      for (file, content) in try #require(vector["files"] as? [String: Any]) {
        let text = try content as? String ?? Self.text(content)
        try cache.write("snapshots/\(file)", text)
      }
      let moment = try #require((vector["time"] as? String).flatMap { Instant($0) })
      let kinds = try #require(vector["kinds"] as? [String])
      let set = try? SnapshotReader(cache: cache.path).consistent(kinds.isEmpty ? nil : kinds)
      guard let expected = vector["expected"] as? [String: Any] else {
        #expect(set == nil, "\(name)")
        continue
      }
      #expect(set?.generation == expected["generation"] as? Int, "\(name)")
      let entries = try #require(expected["entries"] as? [String: [String: Any]])
      #expect(set.map { Set($0.snapshots.keys) } == Set(entries.keys), "\(name)")
      for (kind, entry) in entries {
        let found = set?.snapshots[kind]?.entry(at: moment)
        #expect(found?.date.description == entry["date"] as? String, "\(name)")
        #expect(found?.state.rawValue == entry["state"] as? String, "\(name)")
        let content = try Self.text(try #require(entry["content"]))
        #expect(found?.content == Array(content.utf8).withUnsafeBytes { JSONValue.parse($0) }, "\(name)")
      }
    }
  }

  private static func text(_ object: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }
}
