import CacheSync

// Prints tonight's dinner, and again whenever a plan changes or a day begins: Reader CACHE
let cache = CommandLine.arguments[1]

func dinner(in plan: Snapshot) -> String {
  let meals = plan.entry(at: .now).content["meals"]?.array ?? []
  return meals.first { $0["slot"]?.string?.hasSuffix("-family-dinner") ?? false }?["mealName"]?.string ?? "—"
}

print(dinner(in: try SnapshotReader(cache: .init(cache)).snapshot("meal-plan")))
for await plan in SnapshotUpdates(cache: .init(cache), kinds: ["meal-plan"]) { print(dinner(in: plan)) }
