import CacheSync
import Testing

@Suite("The known types of intents")
struct KnownIntentTests {
  @Test("The types are those of the documentation, with their feeds")
  func types() {
    let all = Dictionary(uniqueKeysWithValues: KnownIntent.all.map { ($0.type, $0.feed) })
    #expect(
      all == [
        "log-food": "nutrition", "add-task": "tasks", "complete-task": "tasks", "select-shoe": "shoes",
        "start-session": "shoes", "end-session": "shoes",
      ])
  }

  @Test("Types that name no record are marked, with the fields that they require")
  func withoutRecord() {
    let free = KnownIntent.all.filter { !$0.namesRecord }
    #expect(free.map(\.type) == ["add-task", "end-session"])
    #expect(free.map { $0.fields.filter(\.isRequired).map(\.name) } == [["title"], []])
  }
}
