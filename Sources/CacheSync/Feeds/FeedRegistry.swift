/// The feeds that a cache knows: those that are built in, and those that its definitions describe. It is a value, which caches
/// with the same definitions share.
package struct FeedRegistry: Sendable {
  /// In the order of the documentation, those with definitions last, by name.
  package let feeds: [FeedDescriptor]
  /// Every kind of snapshot, by name.
  package let kinds: [Kind]
  /// Every type of intent.
  package let intents: IntentTypes
  package let layout: CacheLayout

  private let byName: [FeedName: FeedDescriptor]
  private let kindsByName: [KindName: Kind]

  /// The feeds there are without definitions.
  package static let builtIn = FeedRegistry(defined: [])

  /// - Parameter defined: the feeds that definitions describe, by name. No two feeds have a name, a kind or a claim in common.
  package init(defined: [FeedDescriptor]) {
    // A new feed is one folder and one line here.
    let others = [
      FeedDescriptor(MealPlanFeed.self),
      FeedDescriptor(NutritionFeed.self),
      FeedDescriptor(HealthFeed.self),
      FeedDescriptor(TasksFeed.self),
      FeedDescriptor(EventsFeed.self),
      FeedDescriptor(ShoesFeed.self),
    ]
    intents = IntentTypes((others + defined).flatMap(\.intents))
    feeds = others + [IntentsFeed.descriptor(knowing: intents)] + defined
    kinds = feeds.flatMap { $0.kinds }.sorted { $0.name < $1.name }
    layout = CacheLayout(claims: feeds.map { ($0.name, $0.claims) })
    byName = Dictionary(uniqueKeysWithValues: feeds.map { ($0.name, $0) })
    kindsByName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
  }

  /// The feeds' names, for help texts.
  package var feedNames: String { feeds.map { "\($0.name)" }.joined(separator: ", ") }

  /// Every form of ``DeepLink``.
  package var links: [DeepLink.Form] { feeds.flatMap { $0.links } }

  package func feed(named name: FeedName) -> FeedDescriptor? { byName[name] }

  package func kind(named name: KindName) -> Kind? { kindsByName[name] }
}
