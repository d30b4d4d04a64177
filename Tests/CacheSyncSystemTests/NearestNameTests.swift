import CacheSyncSystem
import Testing

@Suite("The nearest name")
struct NearestNameTests {
  private let names = ["run", "sync", "show", "status", "drop", "calendar"]

  @Test(
    "A name is suggested at up to two slips; the slips are counted by hand",
    arguments: [
      ("shwo", "show"), ("sohw", "show"), ("sho", "show"), ("showw", "show"), ("shoes", "show"), ("show", "show"),
      ("calender", "calendar"), ("statu", "status"), ("sttauss", "status"), ("rn", "run"),
      ("durn", "run"), ("synch", "sync"), ("so", "show"), ("STATUS", "status"), ("Calender", "calendar"),
    ])
  func near(_ word: String, _ name: String) {
    #expect(NearestName.of(word, among: names) == name)
    #expect(NearestName.advice(for: word, among: names) == "did you mean \(name)?")
  }

  @Test(
    "No name is suggested at three slips, or if nothing of it was typed",
    arguments: ["", "x", "caldr", "wohs", "statistics", "\u{1B}", "nonsense", String(repeating: "s", count: 10_000)])
  func far(_ word: String) {
    #expect(NearestName.of(word, among: names) == nil)
    #expect(
      NearestName.advice(for: word, among: names) == "use one of run, sync, show, status, drop, calendar")
  }

  @Test("Of equally near names the first is suggested, and of no names none")
  func several() {
    #expect(NearestName.of("bat", among: ["cat", "hat"]) == "cat")
    #expect(NearestName.of("bat", among: ["chat", "hat"]) == "hat")
    #expect(NearestName.of("a", among: []) == nil)
    #expect(NearestName.of("ab", among: ["xy"]) == nil, "two slips change all of it")
  }
}
