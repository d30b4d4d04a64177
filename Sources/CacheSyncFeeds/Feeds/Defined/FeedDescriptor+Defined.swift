extension FeedDescriptor {
  /// The feed that a definition describes.
  convenience init(_ definition: FeedDefinition, zones: TimeZones) {
    self.init(
      definition.name, claims: definition.files.claims, kinds: definition.kinds.map { Kind($0, of: definition) },
      intents: definition.marks.map { IntentType(mark: $0.wrappedValue, of: definition.name) },
      calendar: { feeds, moment in (feeds[definition.name] as? DefinedFeed)?.exported(at: moment) ?? [] },
      feed: { DefinedFeed(definition) },
      decoder: { document in
        let (session, defects, warnings) = definition.session(
          in: document.bytes, zones: zones, times: document.times)
        return DecodedSession(
          session: session, defects: defects, warnings: warnings,
          pruned: document.isPruning && session != nil ? Array(document.bytes) : nil)
      })
  }
}

extension Kind {
  /// kinds.md: kinds: "at most 48 entries".
  private static let maximumEntries = 48
  /// For all kinds of a definition together: about a tenth of a second. Everything else in the cache, and in the other
  /// caches of its disk, waits that long. The limit is high enough for 500 items with 20 values: they have 1,000
  /// boundaries in reach, and most of these change nothing.
  private static let maximumWork = 10_000_000

  /// The kind that a definition describes.
  init(_ kind: DefinedKind, of definition: FeedDefinition) {
    let feed = definition.name
    self.init(
      kind.name, displayName: kind.title, summary: .phrase(.definedKindSummary, name: feed.description),
      widgetKind: kind.widgetKind, families: kind.families, link: kind.deepLink,
      feeds: [feed, DefinitionsFeed.name] + (definition.marks.isEmpty ? [] : [IntentsFeed.name]), presentWith: [feed],
      reach: kind.reach == .midnight ? .midnight : .sevenDays, hours: kind.hours, maximumEntries: Self.maximumEntries,
      maximumWork: Self.maximumWork / max(definition.kinds.count, 1),
      staleAfter: definition.staleAfter, view: DefinedView.of(kind.drawing), progressKey: DefinedView.progressKey,
      boundaries: { feeds, moment, range in
        (feeds[feed] as? DefinedFeed)?.boundaries(of: kind, in: range, at: moment, feeds) ?? []
      }
    ) { feeds, moment, projection in
      let held = feeds[feed] as? DefinedFeed ?? DefinedFeed(definition)
      held.project(kind, at: moment, feeds, into: &projection)
    }
    drawing = KindDrawing(
      template: kind.drawing.rawValue, title: kind.title, symbol: kind.symbol.isEmpty ? nil : kind.symbol,
      words: definition.words)
  }

  /// The kind that remains when its definition is gone: an empty snapshot.
  package init(retired name: KindName) {
    self.init(
      name, widgetKind: name.description, families: ViewFamily.ofWidgets.map(\.rawValue),
      link: "cachesync://\(name)", feeds: [DefinitionsFeed.name], presentWith: [], reach: .noBoundaries,
      view: DefinedView.inferred
    ) { _, _, projection in
      projection.state = .empty
      projection.json.object { _ in }
    }
  }
}

extension IntentType {
  /// The intent that sets a mark of an item: `bins.done item=…`.
  init(mark: String, of feed: FeedName) {
    self.init("\(feed).\(mark)", on: feed, nil, [.required("item", .record("item"))], example: "item=a") { _ in
      DefinedFeed.Mark(name: mark)
    }
  }
}
