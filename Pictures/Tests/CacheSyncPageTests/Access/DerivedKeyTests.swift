import HTTPTypes
import Testing

@testable import CacheSyncPage

@Suite("Keys of parts")
struct DerivedKeyTests {
  private let key = "0123456789abcdef0123456789abcdef"

  /// The expected keys are those of Python: `hmac.new(key, b"calendar:tasks", "sha256").hexdigest()[:32]`.
  @Test("The key of a calendar is an HMAC of the key and the feed's name")
  func values() {
    #expect(DerivedKey.calendar(of: "meal-plan", from: key) == "ff2ab1d67d60833ffc0d5515093ff02f")
    #expect(DerivedKey.calendar(of: "tasks", from: key) == "dac7e0c512cf6f9a49e88563096feac6")
  }

  @Test("It opens its calendar and nothing else")
  func opens() {
    let guards = Guard(address: .standard, Access(allowedHosts: [], key: key))
    let own = DerivedKey.calendar(of: "tasks", from: key)
    #expect(guards.opens(.calendar(feed: "tasks"), with: ["", own]))
    let others: [PublishedData?] = [.calendar(feed: "events"), .kinds, .metrics, .file("manifest.json"), nil]
    for data in others { #expect(!guards.opens(data, with: [own]), "\(String(describing: data))") }
    for wrong in ["", key, String(own.dropLast()), DerivedKey.calendar(of: "tasks", from: own)] {
      #expect(!guards.opens(.calendar(feed: "tasks"), with: [wrong]))
    }
  }
}
