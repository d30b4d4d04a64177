package import CacheSyncSystem
import Synchronization

/// The feeds that a cache knows: the built-in ones, and those with definitions. Caches with the same definitions share
/// one.
package final class FeedRegistry: Sendable {
  /// In the order of the documentation; feeds with definitions follow, by name.
  package let feeds: [FeedDescriptor]
  /// Every kind of snapshot, by name, with the widgets.
  package let kinds: [Kind]
  /// Every type of intent.
  package let intents: IntentTypes
  package let layout: CacheLayout
  /// The definitions, by name.
  package let definitions: [FeedDefinition]
  /// The widgets of the cache, by name.
  package let widgets: [WidgetConfiguration]

  private let byName: [FeedName: FeedDescriptor]
  private let plainKinds: [KindName: Kind]
  private let widgetKinds: [KindName: Kind]

  /// The registry without definitions.
  package static let builtIn = FeedRegistry([], zones: builtInZones)
  package static let builtInZones = TimeZones(environment: nil)

  /// - Parameters:
  ///   - definitions: by name. No two feeds may share a name, a kind or a claim.
  ///   - zones: for the local times in the files of their feeds.
  package init(_ definitions: [FeedDefinition], zones: TimeZones) {
    self.definitions = definitions
    let defined = definitions.map { FeedDescriptor($0, zones: zones) }
    let own = DefinitionsFeed.descriptor(zones: zones)
    // A new feed is one folder and one line here.
    let others = [
      FeedDescriptor(MealPlanFeed.self),
      FeedDescriptor(NutritionFeed.self),
      FeedDescriptor(HealthFeed.self),
      FeedDescriptor(TasksFeed.self, withCalendarsIn: zones),
      FeedDescriptor(EventsFeed.self, withCalendarsIn: zones),
      FeedDescriptor(ShoesFeed.self),
    ]
    intents = IntentTypes((others + defined).flatMap(\.intents))
    feeds = others + [IntentsFeed.descriptor(knowing: intents)] + defined
    kinds = feeds.flatMap { $0.kinds }.sorted { $0.name < $1.name }
    plainKinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
    // Definitions, widgets and screens are read like session files, but their feeds are internal.
    let all = feeds + [own, WidgetsFeed.descriptor(kinds: plainKinds), ScreensFeed.descriptor]
    layout = CacheLayout(claims: all.map { ($0.name, $0.claims) })
    byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    widgets = []
    widgetKinds = [:]
  }

  private init(_ other: FeedRegistry, widgets: [WidgetConfiguration]) {
    self.widgets = widgets
    (intents, layout, definitions) = (other.intents, other.layout, other.definitions)
    (byName, plainKinds) = (other.byName, other.plainKinds)
    feeds = other.feeds.map { feed in
      let plain = feed.kinds.filter { $0.widget == nil }
      return feed.with(
        plain + widgets.compactMap { widget in plain.first { $0.name == widget.kind }?.configured(by: widget) })
    }
    kinds = feeds.flatMap { $0.kinds }.sorted { $0.name < $1.name }
    widgetKinds = Dictionary(kinds.filter { $0.widget != nil }.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// The registry of a cache with these widgets, which are kinds of their own.
  ///
  /// - Parameter widgets: by name. Each shows a plain kind, and has the name of none.
  package func adding(_ widgets: [WidgetConfiguration]) -> FeedRegistry { FeedRegistry(self, widgets: widgets) }

  /// The feeds' names, for help texts.
  package var feedNames: String { feeds.map { "\($0.name)" }.joined(separator: ", ") }

  /// The names that a file can be dropped under: also those of definitions, screens and widgets.
  package var droppable: [String] {
    feeds.map { "\($0.name)" } + [CacheLayout.definitions, CacheLayout.screens, CacheLayout.widgets]
  }

  package var links: [DeepLink.Form] { feeds.flatMap { $0.links } }

  /// The feed with a name, including that of the definitions.
  package func feed(named name: FeedName) -> FeedDescriptor? { byName[name] }

  /// The feeds that may have content from a file: that of its directory, and the others of calendars.
  package func receivers(of path: CachePath, in name: FeedName) -> [FeedName] {
    [name] + companions(of: path, in: name)
  }

  /// The other feeds that may have content from a file, which is in the directory of the named one.
  package func companions(of path: CachePath, in name: FeedName) -> [FeedName] {
    guard let feed = byName[name], !feed.companions.isEmpty, !path.bytes.hasEnding(CacheLayout.ending) else {
      return []
    }
    return feed.companions
  }

  package func kind(named name: KindName) -> Kind? { plainKinds[name] ?? widgetKinds[name] }

  /// The kind with a name, if it is not a widget.
  package func plainKind(named name: KindName) -> Kind? { plainKinds[name] }
}

extension Language {
  /// What people call a feed, such as `meal-plan`.
  public func heading(of feed: String) -> String {
    FeedRegistry.builtIn.feed(named: FeedName(feed))?.heading.text(in: self) ?? feed.asHeading
  }
}

/// The registries of caches with the same time zones, by their definitions. Thousands of caches with the same
/// definitions share one registry.
package final class SharedRegistries: Sendable {
  /// How many registries are kept, the latest first. The caches of one machine have few sets of definitions, so keeping
  /// more would rarely save anything.
  private static let maximumCount = 64

  package let zones: TimeZones
  private let known = Mutex<[FeedRegistry]>([])

  package init(zones: TimeZones) { self.zones = zones }

  /// The registry for a list of definitions.
  package func registry(_ definitions: [FeedDefinition]) -> FeedRegistry {
    known.withLock { known in
      let found = known.firstIndex { $0.definitions == definitions }
      let registry = found.map { known.remove(at: $0) } ?? FeedRegistry(definitions, zones: zones)
      known.insert(registry, at: 0)
      if known.count > Self.maximumCount { known.removeLast() }
      return registry
    }
  }
}
