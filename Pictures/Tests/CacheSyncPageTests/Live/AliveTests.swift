import CacheSync
import Foundation
import NIOCore
import Testing

@testable import CacheSyncPage

@Suite("The event that says that a page is connected")
struct AliveTests {
  private struct Words: Decodable {
    var today: String
    var later: String
    var midnight: String
    var rest: Int
    var generation: Int?
  }

  private func event(
    at moment: String, locale: String = "en", hours: Int = 24, generation: Int? = 7
  ) throws -> (text: String, data: Words) {
    var view = CacheView.empty(moment: try #require(Instant(moment)))
    view.timeZone = "Europe/Berlin"
    let published: JSONValue = .object(["locale": .string(locale), "hourCycle": .integer(hours)])
    view.locale = try #require(CacheLocale(publishedIn: published))
    let text = String(buffer: Alive.event(of: view, generation: generation, layout: "a"))
    let data = try #require(text.split(separator: "\n").last?.dropFirst("data: ".count))
    return (text, try JSONDecoder().decode(Words.self, from: Data(data.utf8)))
  }

  @Test("It has the words for when the page is no longer connected, by the cache's zone, clock and language")
  func words() throws {
    let english = try event(at: "2026-11-28T13:05:59Z").data
    #expect(english.today == "Not connected since 14:05")
    #expect(english.later == "Not connected since Sat 28 Nov 14:05")
    let german = try event(at: "2026-11-28T13:05:59Z", locale: "de", hours: 12).data
    #expect(german.today == "Seit 2:05\u{A0}PM nicht verbunden")
    #expect(german.later == "Seit Sa., 28. Nov., 2:05\u{A0}PM nicht verbunden")
  }

  /// In Berlin the clocks are set back on 25 October 2026, so that day has 25 hours.
  @Test("It says when the day ends")
  func midnight() throws {
    let data = try event(at: "2026-10-24T22:00:00Z").data
    #expect(data.midnight == "2026-10-25T23:00:00Z")
    #expect(data.rest == 25 * 3_600)
  }

  @Test("It has the generation as its id, if all of a publication was sent")
  func generation() throws {
    #expect(try event(at: "2026-11-28T13:05:59Z").text.hasPrefix("id: 7\nevent: alive\ndata: {"))
    let unknown = try event(at: "2026-11-28T13:05:59Z", generation: nil)
    #expect(unknown.text.hasPrefix("event: alive\n") && unknown.data.generation == nil)
  }
}
