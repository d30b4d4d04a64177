@testable import CacheSyncFeeds
import CacheSyncSystem
import Testing
import TestSupport

@Suite("The records of many files as one list")
struct RecordUnionTests {
  private struct Numbered: UnionRecord {
    var id: RecordID
    var title: String
    var value: Int
    var origin = RecordOrigin()

    func mark(in calendar: CivilCalendar) -> RecordMark { .text(title) }
  }

  private struct Thing: Hashable {
    var id: RecordID
    var title: String
  }

  @Test("The union equals a list that is built again, whatever files are added or removed")
  func union() throws {
    var random = SeededGenerator(state: 13)
    var union = RecordUnion<Numbered>()
    var files: [CachePath: (date: Instant, records: [Numbered])] = [:]
    var shown: [RecordKey: Int] = [:]
    for step in 0..<2000 {
      let path = CachePath("f\(Int.random(in: 0..<12, using: &random))")
      var changes: [RecordUnion<Numbered>.Change]
      if Int.random(in: 0..<4, using: &random) == 0 {
        files[path] = nil
        changes = union.remove(path)
      } else {
        let date = Instant(seconds: Int64.random(in: 0..<5, using: &random))
        // A file has each id once, as the reader of lists sees to it.
        let ids = Set((0..<Int.random(in: 0..<6, using: &random)).map { _ in Int.random(in: 0..<8, using: &random) })
        let records = ids.sorted().enumerated().map { index, id in
          Numbered(
            id: Bool.random(using: &random) ? RecordID(id) : RecordID("\(id)"),
            title: Int.random(in: 0..<4, using: &random) == 0 ? "other" : "usual", value: step * 10 + index)
        }
        files[path] = (date, records)
        changes = union.put(records, from: path, dated: date, in: CivilCalendar(.utc))
      }
      for change in changes {
        #expect(change.before?.value != change.after?.value, "what counts as before is no change")
        if let before = change.before { #expect(shown.removeValue(forKey: before.key) == before.value) }
        if let after = change.after { shown[after.key] = after.value }
      }
      var things: [Thing: (key: RecordKey, value: Int)] = [:]
      for (path, file) in files.sorted(by: { ($0.value.date, $0.key) < ($1.value.date, $1.key) }) {
        for record in file.records {
          things[Thing(id: record.id, title: record.title)] = (RecordKey(id: record.id, path: path), record.value)
        }
      }
      let expected = Dictionary(uniqueKeysWithValues: things.values.map { ($0.key, $0.value) })
      #expect(shown == expected)
      #expect(expected.allSatisfy { union[$0.key]?.value == $0.value })
      #expect(Dictionary(uniqueKeysWithValues: union.records.map { ($0.key, $0.value) }) == expected)
      for id in (0..<8).map({ RecordID($0) }) {
        let same = things.filter { $0.key.id == id }
        #expect(union.things(id).count == same.count && union.isShared(id) == (same.count > 1))
        #expect(union.named(id, in: nil)?.value == (same.count == 1 ? same.first?.value.value : nil))
        for (path, file) in files {
          guard let own = file.records.first(where: { $0.id == id }) else { continue }
          #expect(union.named(id, in: path)?.value == things[Thing(id: id, title: own.title)]?.value)
        }
      }
      let warned = Set(union.problems("records").compactMap(\.path))
      #expect(warned == Set(expected.keys.filter { union.isShared($0.id) }.map(\.path)))
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
