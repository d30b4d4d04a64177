import Testing

@testable import CacheSyncBridge

@Suite("An away that may die before each step") struct SendingTests {
  private static let alone = SendingModel.Plan(edits: 4, mishaps: 3)
  private static let withAnother = SendingModel.Plan(edits: 3, others: 1, mishaps: 3)

  /// The first violation in any order of events, and the number of values.
  private func search(_ start: SendingModel) -> (violation: String?, values: Int) {
    var seen: Set<SendingModel> = [start]
    var layer = [start]
    while !layer.isEmpty {
      let next = layer.flatMap { $0.steps() }
      if let violation = next.lazy.compactMap(\.violation).first { return (violation, seen.count) }
      layer = next.filter { seen.insert($0).inserted }
    }
    return (nil, seen.count)
  }

  @Test(
    "An away that may die before each step agrees with the engine in the end, in every order of events",
    arguments: [alone, withAnother])
  func everyOrder(plan: SendingModel.Plan) {
    let found = search(SendingModel(plan))
    #expect(found.violation == nil)
    #expect(found.values > 100_000)
  }

  @Test(
    "The same search finds each seeded fault",
    arguments: [
      SendingModel.Fault.notesNothing, .notesOnlyTheLast, .leavesNotes, .expectsNothing, .trustsAnswers,
    ])
  func faults(fault: SendingModel.Fault) {
    #expect(search(SendingModel(fault: fault, Self.withAnother)).violation != nil)
  }
}
