import Testing

@testable import CacheSyncPage

@Suite("Entity tags")
struct EntityTagTests {
  /// The hash of "foobar" as draft-eastlake-fnv has it.
  @Test("are FNV-1a of the bytes, with their number")
  func vector() {
    #expect(EntityTag.of(Array("foobar".utf8)) == "\"85944171f73967e8-6\"")
    #expect(EntityTag.of([]) == "\"cbf29ce484222325-0\"")
  }

  @Test("match in a list, marked weak, and as a star")
  func matching() {
    let tag = "\"a-1\""
    for fields in [["\"a-1\""], ["\"b\", \"a-1\""], ["W/\"a-1\""], ["*"], ["\"b\"", "\"a-1\""]] {
      #expect(EntityTag.matches(fields, tag))
    }
    for fields in [[], [""], ["\"a-11\""], ["a-1"]] { #expect(!EntityTag.matches(fields, tag)) }
  }
}
