import CacheSyncSystem
import Testing

@Suite("Paths in a cache")
struct CachePathTests {
  @Test("Two paths are the same only if every byte is, and then their hashes are the same")
  func equality() {
    #expect(CachePath("") == .root && CachePath("a") != .root)
    for count in 1...20 {
      let bytes = (0..<count).map { UInt8(0xf0 + $0 % 15) }
      #expect(CachePath(bytes: bytes) == CachePath(bytes: bytes))
      #expect(CachePath(bytes: bytes).hashValue == CachePath(bytes: bytes).hashValue)
      #expect(CachePath(bytes: bytes) != CachePath(bytes: bytes + [0xf0]))
      for place in bytes.indices {
        var other = bytes
        other[place] = 0x61
        #expect(CachePath(bytes: bytes) != CachePath(bytes: other), "byte \(place) of \(count)")
      }
    }
  }

  @Test("Paths are ordered by their bytes, and a path comes before those that it begins")
  func order() {
    let paths = ["", "a", "a/b", "a0", "ab", "b", "\u{e9}"].map { CachePath($0) }
    for (place, path) in paths.enumerated() {
      for (other, second) in paths.enumerated() { #expect((path < second) == (place < other), "\(path), \(second)") }
    }
    #expect(CachePath(bytes: [0x7f]) < CachePath(bytes: [0x80]), "bytes are not negative")
  }

  @Test(
    "The first component is the directory at the top of the cache, or the path itself",
    arguments: [("", ""), ("a", "a"), ("a/b", "a"), ("ab/c/d.json", "ab")])
  func top(path: String, top: String) { #expect(CachePath(path).top == CachePath(top)) }
}
