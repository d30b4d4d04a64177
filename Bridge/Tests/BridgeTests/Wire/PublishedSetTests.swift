import CacheSync
import Testing

@testable import CacheSyncBridge

@Suite("A set")
struct PublishedSetTests {
  private static let plan = #"{"generation":4,"kind":"meal-plan"}"# + "\n"
  private static let index = #"{"generation":7}"# + "\n"
  private static let manifest =
    #"{"files":{"day-index.json":{"bytes":17,"generation":7},"meal-plan.json":{"bytes":36,"generation":4}},"#
    + #""generation":7}"# + "\n"
  private static let whole = Array((manifest + index + plan).utf8)

  @Test("A set is read from its message byte for byte")
  func roundTrip() throws {
    let set = try #require(PublishedSet(message: Self.whole))
    #expect(set.generation == 7)
    #expect(set.files.map(\.name) == ["day-index.json", "meal-plan.json"])
    #expect(set.files[1].bytes == Array(Self.plan.utf8))
    #expect(set.message == Self.whole)
  }

  @Test("A set that is cut anywhere, or has one more byte, is invalid")
  func cut() {
    for count in 0..<Self.whole.count { #expect(PublishedSet(message: Array(Self.whole.prefix(count))) == nil) }
    #expect(PublishedSet(message: Self.whole + [0x0A]) == nil)
  }

  @Test("A set with files of two publications is invalid")
  func mixed() {
    let other = Self.manifest + Self.index + Self.plan.replacing("\"generation\":4", with: "\"generation\":5")
    #expect(PublishedSet(message: Array(other.utf8)) == nil)
  }

  @Test(
    "A name that leads out of snapshots/ is invalid",
    arguments: ["../x.json", "a/b.json", ".x.json", "manifest.json", "x", ".json", "X.json"])
  func names(name: String) {
    let manifest = #"{"files":{"\#(name)":{"bytes":17,"generation":7}},"generation":7}"# + "\n"
    #expect(PublishedSet(message: Array((manifest + Self.index).utf8)) == nil)
  }

  @Test(
    "Bytes that are not a set are invalid",
    arguments: ["", "\n", "{}\n", "[]\n", #"{"files":{},"generation":"x"}"# + "\n"])
  func damaged(text: String) { #expect(PublishedSet(message: Array(text.utf8)) == nil) }
}
