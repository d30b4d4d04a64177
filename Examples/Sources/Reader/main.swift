import CacheSync

// Prints tonight's dinner, and again whenever a plan changes or a day begins: Reader CACHE
let cache = CommandLine.arguments[1]

func dinner(in plan: Snapshot) throws -> String {
  let meals = try plan.content(as: MealPlan.self).meals
  return meals.first { $0.slot.hasSuffix("-family-dinner") }?.mealName ?? "—"
}

print(try dinner(in: SnapshotReader(cache: .init(cache)).snapshot("meal-plan")))
for await plan in SnapshotUpdates(cache: .init(cache), kinds: ["meal-plan"]) { print(try dinner(in: plan)) }
