import CacheSync
import Testing

@testable import CacheSyncBridge

@Suite("Announcements of a pool's members")
struct AnnouncementTests {
  @Test("An announcement is read as it was written")
  func whole() {
    for state in [Announcement.State.joining, .serving, .leaving] {
      let announcement = Announcement(name: "a", nonce: "1f", state: state, cacheCount: 7)
      #expect(Announcement(JSONValue(announcement.value.bytes)) == announcement)
    }
  }

  @Test(
    "An announcement with a missing or invalid part is ignored",
    arguments: [
      "", "[]", #"{"caches":1,"name":"a","nonce":"1f"}"#, #"{"caches":1,"name":"a","nonce":"1f","state":"asleep"}"#,
      #"{"caches":1,"name":7,"nonce":"1f","state":"serving"}"#, #"{"name":"a","nonce":"1f","state":"serving"}"#,
    ])
  func damaged(text: String) { #expect(Announcement(JSONValue(Array(text.utf8))) == nil) }
}
