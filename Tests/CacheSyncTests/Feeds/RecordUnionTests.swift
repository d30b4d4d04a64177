@testable import CacheSync
import CacheSyncSystem
import Testing
import TestSupport

@Suite("The records of many files as one list")
struct RecordUnionTests {
  private struct Numbered: Identifiable {
    var id: RecordID
    var value: Int
  }

  @Test("The union equals a list that is built again, whatever files are added or removed")
  func union() throws {
    var random = SeededGenerator(state: 13)
    var union = RecordUnion<Numbered>()
    var files: [CachePath: (date: Instant, records: [Numbered])] = [:]
    var shown: [RecordID: Int] = [:]
    for step in 0..<2000 {
      let path = CachePath("f\(Int.random(in: 0..<12, using: &random))")
      var changes: [RecordUnion<Numbered>.Change]
      if Int.random(in: 0..<4, using: &random) == 0 {
        files[path] = nil
        changes = union.remove(path)
      } else {
        let date = Instant(seconds: Int64.random(in: 0..<5, using: &random))
        let records = (0..<Int.random(in: 0..<6, using: &random)).map { index in
          let id = Int.random(in: 0..<8, using: &random)
          return Numbered(id: Bool.random(using: &random) ? RecordID(id) : RecordID("\(id)"), value: step * 10 + index)
        }
        files[path] = (date, records)
        changes = union.put(records, from: path, dated: date)
      }
      for change in changes {
        #expect(change.before?.value != change.after?.value, "what counts as before is no change")
        if let before = change.before { #expect(shown.removeValue(forKey: before.id) == before.value) }
        if let after = change.after { shown[after.id] = after.value }
      }
      var expected: [RecordID: Int] = [:]
      for (_, file) in files.sorted(by: { ($0.value.date, $0.key) < ($1.value.date, $1.key) }) {
        for record in file.records { expected[record.id] = record.value }
      }
      #expect(shown == expected)
      #expect(expected.allSatisfy { union[$0.key]?.value == $0.value })
      #expect(Dictionary(uniqueKeysWithValues: union.records.map { ($0.id, $0.value) }) == expected)
    }
  }

  @Test("The date is that of the newest file, or of the newest date in one")
  func dates() throws {
    var random = SeededGenerator(state: 17)
    var files = DatedFiles()
    var model: [CachePath: (modified: Instant, written: Instant?, isUnusable: Bool)] = [:]
    for _ in 0..<2000 {
      let path = CachePath("f\(Int.random(in: 0..<12, using: &random))")
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        files.remove(path)
        model[path] = nil
      case 1:
        let isUnusable = Bool.random(using: &random)
        files.mark(path, unusable: isUnusable)
        model[path]?.isUnusable = isUnusable
      default:
        let modified = Instant(seconds: Int64.random(in: 0..<100, using: &random))
        let written = Bool.random(using: &random) ? Instant(seconds: Int64.random(in: 0..<100, using: &random)) : nil
        let isUnusable = Bool.random(using: &random)
        let file = SessionFile(path: path, modified: modified, isUnusable: isUnusable)
        #expect(files.put(file, written: written) == written ?? modified)
        model[path] = (modified, written, isUnusable)
      }
      #expect(files.newest == model.values.map { $0.written ?? $0.modified }.max())
      #expect(files.newestWritten == model.values.compactMap(\.written).max())
      #expect(files.paths.count == model.count && files.isEmpty == model.isEmpty)
      #expect(files.showsUnusable == model.values.contains { $0.isUnusable })
    }
  }
}
