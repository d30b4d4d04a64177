import CacheSyncSystem

extension Kind {
  /// Makes a kind of the shoes with what the four share (kinds.md: kinds).
  static func shoes(
    _ name: KindName, displayName: Phrase, summary: Phrase, options: [KindOption] = [], widgetKind: String,
    families: [String], deepLink: DeepLink,
    hours: [Int] = [], otherFeeds: [FeedName] = [],
    otherBoundaries: @escaping @Sendable (FeedSet, Moment, Range<Instant>) -> [Boundary] = { _, _, _ in [] },
    view: @escaping KindView, content: @escaping @Sendable (ShoesView?, Moment, inout Projection) -> Void
  ) -> Kind {
    Kind(
      name, displayName: .phrase(displayName), summary: .phrase(summary), options: options, widgetKind: widgetKind,
      families: families, link: deepLink.description,
      feeds: [ShoesFeed.name, IntentsFeed.name] + otherFeeds, presentWith: [ShoesFeed.name], reach: .midnight,
      hours: hours, view: view,
      boundaries: { feeds, moment, range in
        guard let feed = feeds[ShoesFeed.self], !feed.isEmpty else { return [] }
        return feeds.intentEnds(on: ShoesFeed.self, in: range) + otherBoundaries(feeds, moment, range)
      },
      project: { feeds, moment, projection in
        let view = ShoesView(feeds, at: moment, for: &projection)
        if view == nil { projection.state = .empty }
        content(view, moment, &projection)
      })
  }
}

/// A shoe as readers receive it, with what a list adds to it (feeds.md: rules of shoes).
struct PublishedShoe {
  let shoe: ShoesSession.Shoe
  /// For the current shoe: since when it has been worn.
  var since: Instant??
  /// In a list to choose from: whether it is the current shoe.
  var isActive: Bool?
  var suggestion: ShoeSuggestion?

  /// The link that opens the app to put the shoe on (feeds.md: quick-selection).
  private var deepLink: String { "shoeprint://selectShoe/" + PercentEncoding.segment(shoe.id.text) }

  func write(to json: inout JSONWriter, _ language: Language) {
    json.object { json in
      json.member("brand", shoe.brand)
      if let suggestion { json.member("confidence", suggestion.confidence) }
      if isActive != nil || suggestion != nil { json.member("deepLink", deepLink) }
      if shoe.isShared { json.member("file", shoe.origin.path.description) }
      json.member("icon", shoe.icon)
      json.member("id", shoe.id)
      if let isActive { json.member("isActive", isActive) }
      if let suggestion {
        json.member("match", language(.match, [.percent: language.formats.percent("\(suggestion.percent)")]))
      }
      json.member("model", shoe.model)
      json.member("name", shoe.name)
      if let suggestion {
        json.member("reason", suggestion.reason)
        json.member("shoeId", suggestion.shoe.id)
      }
      if let since { json.member("since", since) }
    }
  }
}

extension JSONWriter {
  /// Writes the current shoe with the moment since which it has been worn, or null.
  mutating func currentShoe(_ key: StaticString, _ current: ShoesView.Shown?, _ language: Language) {
    self.key(key)
    guard let current else { return null() }
    PublishedShoe(shoe: current.shoe, since: current.since).write(to: &self, language)
  }

  /// Writes kilometres, exact to the metre.
  mutating func kilometres(_ key: StaticString, metres: Int) { member(key, Double(metres) / 1_000) }
}
