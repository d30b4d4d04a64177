/// The feeds there are. A new feed is one folder and one line here.
package enum FeedRegistry {
  package static let feeds: [any Feed.Type] = [
    MealPlanFeed.self,
    NutritionFeed.self,
    HealthFeed.self,
    TasksFeed.self,
    EventsFeed.self,
    ShoesFeed.self,
    IntentsFeed.self,
  ]

  /// The feeds' names, for help texts.
  package static let feedNames = feeds.map { "\($0.name)" }.joined(separator: ", ")

  /// Every kind of snapshot, by name.
  package static let kinds: [Kind] = feeds.flatMap { $0.kinds }.sorted { $0.name < $1.name }

  /// Every form of ``DeepLink``.
  package static let links: [DeepLink.Form] = feeds.flatMap { $0.links }

  /// Every type of intent.
  package static let intents: [IntentType] = feeds.flatMap { ($0 as? any IntentTarget.Type)?.intents ?? [] }

  package static let layout = CacheLayout(claims: feeds.map { ($0.name, $0.claims) })

  private static let byName: [FeedName: any Feed.Type] = .init(uniqueKeysWithValues: feeds.map { ($0.name, $0) })

  package static func feed(named name: FeedName) -> (any Feed.Type)? { byName[name] }

  package static func kind(named name: KindName) -> Kind? { kinds.first { $0.name == name } }
}
