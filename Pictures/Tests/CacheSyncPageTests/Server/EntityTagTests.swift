import Testing

@testable import CacheSyncPage

@Suite("Entity tags")
struct EntityTagTests {
  /// The hash of "foobar" from draft-eastlake-fnv.
  @Test("An entity tag is the FNV-1a hash of the bytes and their number")
  func vector() {
    #expect(EntityTag.of(Array("foobar".utf8)) == "\"85944171f73967e8-6\"")
    #expect(EntityTag.of([]) == "\"cbf29ce484222325-0\"")
  }

  @Test("An entity tag matches in a list, as a weak tag, and as a star")
  func matching() {
    let tag = "\"a-1\""
    // What nginx and Apache make of the tag, with the compressions of theirs.
    let compressed = ["gzip", "br", "zstd"].flatMap { name in
      ["\"a-1-\(name)\"", "\"a-1;\(name)\"", "W/\"a-1-\(name)\"", "W/\"a-1;\(name)\""].map { [$0] }
    }
    for fields in [["\"a-1\""], ["\"b\", \"a-1\""], ["W/\"a-1\""], ["*"], ["\"b\"", "\"a-1\""]] + compressed {
      #expect(EntityTag.matches(fields, tag))
    }
    for fields in [[], [""], ["\"a-11\""], ["a-1"], ["\"a-1-deflate\""], ["\"a-1-gzip-gzip\""], ["a-1-gzip"]] {
      #expect(!EntityTag.matches(fields, tag))
    }
  }
}
