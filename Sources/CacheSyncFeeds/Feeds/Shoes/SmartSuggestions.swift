import CacheSyncSystem

/// The `smart-suggestions` snapshot: what to wear next, and how the week went (feeds.md: shoes).
enum SmartSuggestionsKind {
  /// How many shoes are suggested.
  static let maximumShown = 4
  /// The length of the week that is compared with the previous one, in days.
  private static let weekDays = 7

  static let kind = Kind.shoes(
    "smart-suggestions", displayName: .smartSuggestions, summary: .smartSuggestionsKindSummary,
    widgetKind: "SmartSuggestions", families: ["systemLarge"],
    deepLink: .suggestions, hours: ShoeSlot.hours, otherFeeds: [EventsFeed.name],
    otherBoundaries: boundaries, view: view
  ) { view, moment, projection in
    let occasion = ShoesView.occasion(at: moment)
    let suggested: [Suggested] = view.map { suggestions($0, for: occasion) } ?? []
    if let events = view?.events, suggested.contains(where: \.suggestion.quotesEvent) {
      // The events of all files are one list, as in ``EventKinds``.
      projection.sources.insert(all: events.files.paths, of: EventsFeed.name)
    }
    projection.json.object { json in
      json.key("insight")
      if let insight = view.flatMap(insight) { insight.write(to: &json, moment.language) } else { json.null() }
      json.member("slot", occasion.slot.rawValue)
      json.array("suggestions") { json in
        for item in suggested {
          PublishedShoe(shoe: item.shoe, suggestion: item.suggestion).write(to: &json, moment.language)
        }
      }
    }
  }

  /// When the place changes, and when events begin and end that fit a shoe.
  private static let boundaries: @Sendable (FeedSet, Moment, Range<Instant>) -> [Boundary] = { feeds, moment, range in
    guard let feed = feeds[ShoesFeed.self], feed.suggestions.isEmpty else { return [] }
    let tags = feed.unarchivedShoes.flatMap { ShoeTags($0).words }
    let events = tags.isEmpty ? [] : feeds[EventsFeed.self]?.overlapping(range, moment.calendar) ?? []
    let fitting = events.filter { event in ShoeTags.fit(tags, event) }
    return feed.placeChanges(in: range)
      + fitting.flatMap { event in
        [
          Boundary(event.start, .records("event", [event.id], "starts")),
          Boundary(event.end, .records("event", [event.id], "ends")),
        ]
      }
  }

  private typealias Suggested = (shoe: ShoesSession.Shoe, suggestion: ShoeSuggestion)

  /// The app's suggestions in its order, or else those derived from past wearings.
  private static func suggestions(_ view: ShoesView, for occasion: ShoeOccasion) -> [Suggested] {
    let given = view.feed.suggestions
    let all = given.isEmpty ? habits(view, at: occasion) : given.map { ShoeSuggestion($0.given, of: $0.shoe) }
    let shown = all.lazy.compactMap { suggestion -> Suggested? in
      guard let shoe = view.feed.shoe(suggestion.shoe), shoe.archived != true else { return nil }
      return (shoe, suggestion)
    }
    return Array(shown.prefix(maximumShown))
  }

  /// Each shoe's share of the sessions that began at such an occasion, and what the place and the plans add to it.
  /// Sessions of unknown shoes count in the total.
  private static func habits(_ view: ShoesView, at occasion: ShoeOccasion) -> [ShoeSuggestion] {
    let counts = view.starts(includingToday: false, at: occasion)
    let total = counts.values.reduce(0, +)
    let context = ShoeContext(view)
    let known = counts.compactMap { id, count in view.feed.shoe(id).map { (shoe: $0, count: count) } }
    let others = view.feed.unarchivedShoes.filter { counts[$0.key] == nil && context.gain(of: $0).count > 0 }
    let all = known + others.map { ($0, 0) }
    let suggestions = all.map { shoe, count in
      (
        shoe: shoe,
        suggestion: ShoeSuggestion(
          shoe: shoe.key, count, of: total, context.gain(of: shoe), occasion, view.moment.language)
      )
    }
    return suggestions.sorted { a, b in
      a.suggestion.confidence == b.suggestion.confidence
        ? a.shoe.precedes(b.shoe) : a.suggestion.confidence > b.suggestion.confidence
    }.map(\.suggestion)
  }

  private static func insight(_ view: ShoesView) -> ShoeInsight? {
    ShoeInsight(
      metres: view.amount(from: -weekDays, through: -1).wholeMetres,
      previousMetres: view.amount(from: -2 * weekDays, through: -weekDays - 1).wholeMetres)
  }
}

/// A suggested shoe with the reason and the confidence.
struct ShoeSuggestion {
  var shoe: RecordKey
  var reason: String
  /// 0...1.
  var confidence: Double
  /// The confidence in percent, cut.
  var percent: Int
  /// Whether the reason is one of the person's plans.
  var quotesEvent = false

  /// Makes a suggestion of the app's.
  init(_ given: ShoesSession.Suggestion, of shoe: RecordKey) {
    self.shoe = shoe
    reason = given.reason
    confidence = given.confidence
    percent = Int(Percentage.whole(of: given.confidence))
  }

  /// Makes a suggestion from how often a shoe was worn at an occasion, and from what the context adds.
  init(
    shoe: RecordKey, _ count: Int, of total: Int, _ gain: ShoeContext.Gain, _ occasion: ShoeOccasion,
    _ language: Language
  ) {
    self.shoe = shoe
    quotesEvent = gain.quotesEvent
    reason = gain.reason ?? language(occasion.wornOn, [.worn: "\(count)", .count: "\(total)"])
    let share = total == 0 ? 0 : Double(count) / Double(total)
    confidence = min(1, share + ShoeContext.step * Double(gain.count))
    // In whole numbers, so that the percent is cut exactly.
    percent = min(100, (total == 0 ? 0 : count * 100 / total) + gain.count * Int(ShoeContext.step * 100))
  }
}

/// The distance of the last seven full days, compared with the seven before.
struct ShoeInsight {
  private let metres: Int
  private let previousMetres: Int

  /// Nil if there is nothing to compare: either sum is 0.
  init?(metres: Int, previousMetres: Int) {
    guard metres != 0, previousMetres != 0 else { return nil }
    self.metres = metres
    self.previousMetres = previousMetres
  }

  /// distance / previousDistance − 1, without the rounding error of that order of operations.
  var change: Double { Double(Int128(metres) - Int128(previousMetres)) / Double(previousMetres) }

  func text(_ language: Language) -> String {
    // In whole metres, so that the percentage is cut exactly and not by a double's rounding: 107 m after 100 m are 7 %
    // more.
    let percent = Int(clamping: (Int128(metres) - Int128(previousMetres)) * 100 / Int128(previousMetres))
    switch percent {
    case 0: return language(.sameAsLastWeek, [.distance: language.formats.number(kilometres)])
    case 1...:
      return language(
        .moreThanLastWeek,
        [.distance: language.formats.number(kilometres), .percent: language.formats.percent("\(percent)")])
    default:
      return language(
        .lessThanLastWeek,
        [.distance: language.formats.number(kilometres), .percent: language.formats.percent("\(percent.magnitude)")])
    }
  }

  /// Kilometres, rounded half up to one decimal.
  private var kilometres: String {
    let tenths = Int((Int128(metres) + 50).flooredQuotient(by: 100))
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }

  func write(to json: inout JSONWriter, _ language: Language) {
    json.object { json in
      json.member("change", change)
      json.kilometres("distance", metres: metres)
      json.kilometres("previousDistance", metres: previousMetres)
      json.member("text", text(language))
    }
  }
}
