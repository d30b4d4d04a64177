import CacheSyncSystem
import Testing

@Suite("The nearest name")
struct NearestNameTests {
  private let names = ["run", "sync", "show", "status", "drop", "calendar"]

  @Test(
    "is at most two slips away; the expected ones are counted by hand",
    arguments: [
      ("shwo", "show"), ("sohw", "show"), ("sho", "show"), ("showw", "show"), ("shoes", "show"), ("show", "show"),
      ("calender", "calendar"), ("statu", "status"), ("sttauss", "status"), ("rn", "run"),
      ("durn", "run"), ("synch", "sync"), ("so", "show"),
    ])
  func near(_ word: String, _ name: String) {
    #expect(NearestName.of(word, among: names) == name)
    #expect(NearestName.advice(for: word, among: names) == "did you mean \(name)?")
  }

  @Test(
    "is none when three slips are needed, or when nothing of it was typed",
    arguments: ["", "x", "caldr", "wohs", "statistics", "\u{1B}", "nonsense", String(repeating: "s", count: 10_000)])
  func far(_ word: String) {
    #expect(NearestName.of(word, among: names) == nil)
    #expect(
      NearestName.advice(for: word, among: names) == "use one of run, sync, show, status, drop, calendar")
  }

  @Test("is the first of several that are as near; none of none")
  func several() {
    #expect(NearestName.of("bat", among: ["cat", "hat"]) == "cat")
    #expect(NearestName.of("bat", among: ["chat", "hat"]) == "hat")
    #expect(NearestName.of("a", among: []) == nil)
    #expect(NearestName.of("ab", among: ["xy"]) == nil, "two slips change all of it")
  }
}
