/// The `quick-selection` snapshot (feeds.md: shoes).
enum QuickSelectionKind {
  /// How many shoes readers can choose from.
  static let maximumShown = 4

  static let kind = Kind.shoes(
    "quick-selection", displayName: .quickSelectionKindName, summary: .quickSelectionKindSummary,
    options: [ShoeOptions.shoes], widgetKind: "QuickSelection", families: ["systemSmall", "systemMedium"],
    deepLink: .quickSelect, view: view
  ) { view, moment, projection in
    let current = view?.current
    let today = view?.today ?? .zero
    projection.json.object { json in
      json.currentShoe("currentShoe", current, moment.language)
      json.object("today") { json in
        json.kilometres("distance", metres: today.wholeMetres)
        json.member("steps", today.wholeSteps)
      }
      json.array("top") { json in
        for shoe in view.map(top) ?? [] {
          PublishedShoe(shoe: shoe, isActive: shoe.key == current?.shoe.key).write(to: &json, moment.language)
        }
      }
    }
  }

  /// The shoes that a widget lists, or else those most often put on, then those never put on, by name.
  private static func top(_ view: ShoesView) -> [ShoesSession.Shoe] {
    if let ids = view.options[ShoeOptions.shoes].array {
      return ids.compactMap { id in id.string.flatMap { view.feed.shoe(RecordID($0)) } }.filter { $0.archived != true }
    }
    let counts = view.starts(includingToday: true)
    let worn = counts.compactMap { id, count -> (shoe: ShoesSession.Shoe, count: Int)? in
      guard let shoe = view.feed.shoe(id), shoe.archived != true else { return nil }
      return (shoe, count)
    }
    let ranked = worn.sorted { a, b in a.count == b.count ? a.shoe.precedes(b.shoe) : a.count > b.count }
    var top = ranked.prefix(maximumShown).map(\.shoe)
    if top.count < maximumShown {
      let others = view.feed.unarchivedShoes.filter { counts[$0.key] == nil }.sorted { $0.precedes($1) }
      top += others.prefix(maximumShown - top.count)
    }
    return top
  }
}

/// The `daily-stats` snapshot (feeds.md: shoes).
enum DailyStatsKind {
  static let kind = Kind.shoes(
    "daily-stats", displayName: .dailyStatsKindName, summary: .dailyStatsKindSummary,
    options: [ShoeOptions.shoe], widgetKind: "DailyStats", families: ["systemMedium"], deepLink: .shoesDashboard,
    view: view
  ) { view, moment, projection in
    let active = view?.activeMicroseconds ?? 0
    projection.json.object { json in
      json.member("activeSeconds", Double(active) / 1e6)
      json.member("activeSince", view?.shown?.since)
      json.member("activeText", ShoeDuration.text(seconds: Double(active) / 1e6, moment.language))
      json.currentShoe("currentShoe", view?.shown, moment.language)
      json.walked(view?.today ?? .zero)
    }
  }
}

/// The `shoe-status` snapshot (feeds.md: shoes).
enum ShoeStatusKind {
  static let kind = Kind.shoes(
    "shoe-status", displayName: .shoeStatusKindName, summary: .shoeStatusKindSummary,
    widgetKind: "ShoeStatus", families: ["systemSmall"], deepLink: .shoesDashboard, view: view
  ) { view, moment, projection in
    let current = view?.current
    projection.json.object { json in
      json.member("activeSince", current?.since)
      let active = Double(view?.activeMicroseconds ?? 0) / 1e6
      json.member("activeText", ShoeDuration.text(seconds: active, moment.language))
      json.currentShoe("currentShoe", current, moment.language)
      json.walked(view?.today ?? .zero)
    }
  }
}

/// The time that shoes were worn, in words.
enum ShoeDuration {
  /// "1 h 5 min"; less than a minute is 0 min.
  static func text(seconds: Double, _ language: Language) -> String {
    let minutes = (seconds / 60).rounded(.towardZero)
    func whole(_ number: Double) -> String { Optional(JSONValue.number(number)).whole }
    let rest = whole(minutes.truncatingRemainder(dividingBy: 60))
    return minutes < 60
      ? language(.minutes, [.minutes: rest])
      : language(.hoursAndMinutes, [.hours: whole(minutes / 60), .minutes: rest])
  }
}

/// What widgets of shoes may set.
enum ShoeOptions {
  /// The shoes to choose from, in this order.
  static let shoes = KindOption("shoes", .ids(atMost: QuickSelectionKind.maximumShown))
  /// The one shoe to show.
  static let shoe = KindOption("shoe", .id)
}

extension JSONWriter {
  fileprivate mutating func walked(_ amount: ShoeAmount) {
    kilometres("distance", metres: amount.wholeMetres)
    member("steps", amount.wholeSteps)
  }
}

/// The `current-shoe` snapshot (feeds.md: shoes).
enum CurrentShoeKind {
  static let kind = Kind.shoes(
    "current-shoe", displayName: .currentShoe, summary: .currentShoeKindSummary,
    options: [ShoeOptions.shoe], widgetKind: "LockScreenShoe",
    families: ["accessoryCircular", "accessoryRectangular", "accessoryInline"], deepLink: .quickSelect, view: view
  ) { view, moment, projection in
    let current = view?.shown
    projection.json.object { json in
      json.member("circular", current?.shoe.icon ?? "shoe.2")
      json.member("inline", current?.shoe.name ?? moment.language(.selectShoes))
      json.key("rectangular")
      if let current {
        json.object { json in
          json.member(
            "subtitle", current.since.map { moment.language(.activeSince, [.time: moment.clock($0)]) })
          json.member("title", current.shoe.name)
        }
      } else {
        json.null()
      }
      json.currentShoe("shoe", current, moment.language)
    }
  }
}
