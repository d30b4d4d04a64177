import CacheSync
import Foundation
import TestSupport
import Testing

@Suite("The types of contents and sessions")
struct KindContentTests {
  static let types: [String: any (Decodable & SendableMetatype).Type] = [
    "budget": BudgetContent.self, "calendar": CalendarContent.self, "calories": CaloriesContent.self,
    "completed-today": CompletedToday.self, "current-shoe": CurrentShoe.self, "daily-progress": DailyProgress.self,
    "daily-stats": DailyStats.self, "macro-breakdown": MacroBreakdown.self, "macros": MacrosContent.self,
    "meal-plan": MealPlan.self, "next-event": NextEvent.self, "nutrients": NutrientsContent.self,
    "overview": OverviewContent.self, "quick-add": QuickAdd.self, "quick-log": QuickLog.self,
    "quick-selection": QuickSelection.self, "shoe-status": ShoeStatus.self, "smart-suggestions": SmartSuggestions.self,
    "task-count": TaskCount.self, "task-progress": TaskProgress.self, "todays-tasks": TodaysTasks.self,
  ]

  @Test(
    "A kind's type has every member that the kind's rule writes, in any language: scripts/contents.py writes it",
    arguments: KnownKind.all.map(\.name), ["en", "de"])
  func members(kind: String, language: String) throws {
    let type = try #require(Self.types[kind])
    let locale = try #require(CacheLocale(language))
    for entry in try Snapshot.sample(of: kind, in: locale).entries {
      expect(try entry.content.decoded(as: type), has: entry.content)
    }
  }

  private func expect(_ value: Any, has json: JSONValue) {
    var mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional, let some = mirror.children.first { mirror = Mirror(reflecting: some.value) }
    for (key, member) in json.object ?? [:] {
      let child = mirror.children.first { $0.label == key }
      #expect(child != nil, "\(mirror.subjectType) has no \(key)")
      if let child { expect(child.value, has: member) }
    }
    for (child, element) in zip(mirror.children, json.array ?? []) { expect(child.value, has: element) }
  }

  @Test("A content of another kind says what is missing")
  func otherKind() throws {
    let sample = try Snapshot.sample(of: "task-count")
    #expect(try sample.content(as: TaskCount.self, at: Snapshot.sampleMoment).count > 0)
    #expect { try sample.content(as: TodaysTasks.self) } throws: { "\($0)".contains("there is no \"allDone\"") }
    #expect { try sample.content(as: [String: Int].self) } throws: { "\($0)".contains("expected Int") }
  }

  @Test("A session is written into its feed, as JSONEncoder writes it")
  func sessions() throws {
    let cache = try TemporaryCache()
    func written<Session: FeedSession & Decodable & Equatable>(_ type: Session.Type, _ own: Session? = nil) throws {
      let documents = DocumentedFields.all.filter { $0.feed == type.feed }.map { Data($0.whole.utf8) }
      let session = try #require(own ?? documents.lazy.compactMap { try? JSONDecoder().decode(type, from: $0) }.first)
      let path = try SessionWriter(cache: cache.path).write(session, name: "a")
      #expect(path == "\(type.feed)/a.json")
      let bytes = Array(try cache.text(path).utf8)
      #expect(try JSONValue(bytes)?.bytes == JSONValue(Array(JSONEncoder().encode(session)))?.bytes)
      #expect(try JSONValue(bytes)?.decoded(as: type) == session)
    }
    // The document of a meal plan has no date of its making, which an app writes.
    try written(
      MealPlanSession.self,
      MealPlanSession(
        id: "w", plan: [.init(dayIndex: 5, mealType: .dinner, mealId: nil, mealName: "Soup")], isFinalized: true,
        createdAt: .referenceDate, updatedAt: .referenceDate, weekStart: LocalDay("2026-11-16")))
    try written(NutritionSession.self)
    try written(HealthSession.self)
    try written(TasksSession.self)
    try written(EventsSession.self)
    try written(ShoesSession.self)
    try written(Intent.self)
    #expect(throws: SessionWriter.Failure.self) {
      try SessionWriter(cache: cache.path).write(
        HealthSession(samples: [.init(type: .bodyMass, date: .now, value: .nan)]), name: "b")
    }
  }
}
