import CacheSync
import Testing

@testable import CacheSyncPictures

@Suite("A squeeze")
struct SqueezeTests {
  private static func list(_ rows: Int, more: Int, isWithheld: Bool = false) -> ViewNode {
    let row = ViewNode(.text(ViewNode.Text("row", .text)))
    var list = ViewNode(.stack(.vertical, Array(repeating: row, count: rows)))
    list.room.more = more
    list.room.withholdsMore = isWithheld
    return list
  }

  /// The texts of the row that counts the others, after every step that has one.
  private static func counts(_ view: ViewNode) -> [ViewNode.Text] {
    Squeeze.steps(for: view).compactMap { step in
      guard case .stack(_, let rows) = step.applied(to: view, CacheLocale.english.language).form,
        case .text(let text)? = rows.last?.form,
        text.role == .label
      else { return nil }
      return text
    }
  }

  @Test("The row counts the rows that were dropped and those that the content left out", arguments: [0, 4, .max])
  func more(more: Int) {
    // No step, two for gaps, then three rows are dropped one by one.
    let expected = [0, 0, 0, 1, 2, 3].map { gone in more.addingReportingOverflow(gone).overflow ? .max : more + gone }
    #expect(Self.counts(Self.list(3, more: more)).map(\.words) == expected.filter { $0 > 0 }.map { "+\($0) more" })
  }

  @Test("That number is redacted with the rows, even without a row", arguments: [0, 3])
  func withheld(rows: Int) {
    #expect(Set(Self.counts(Self.list(rows, more: 4, isWithheld: true)).map(\.isWithheld)) == [true])
    #expect(Set(Self.counts(Self.list(3, more: 4)).map(\.isWithheld)) == [false])
  }
}
