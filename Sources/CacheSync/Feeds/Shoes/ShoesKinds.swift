/// The `quick-selection` snapshot (feeds.md: shoes).
enum QuickSelection {
  /// How many shoes readers can choose from.
  static let maximumShown = 4

  static let kind = Kind.shoes(
    "quick-selection", displayName: "Quick Shoe Selection", summary: "Quickly select and switch between your shoes",
    widgetKind: "QuickSelection", families: ["systemSmall"], deepLink: .quickSelect,
    view: view
  ) { view, _, json in
    let current = view?.current
    let today = view?.today ?? .zero
    json.object { json in
      json.currentShoe("currentShoe", current)
      json.member(
        "today",
        object: { json in
          json.kilometres("distance", metres: today.wholeMetres)
          json.member("steps", today.wholeSteps)
        })
      json.member(
        "top",
        array: { json in
          for shoe in view.map(top) ?? [] {
            PublishedShoe(shoe: shoe, isActive: shoe.id == current?.shoe.id).write(to: &json)
          }
        })
    }
  }

  /// The shoes most often put on, then those never put on, by name.
  private static func top(_ view: ShoesView) -> [ShoesSession.Shoe] {
    let counts = view.starts(includingToday: true)
    let worn = counts.compactMap { id, count -> (shoe: ShoesSession.Shoe, count: Int)? in
      guard let shoe = view.feed.shoe(id), shoe.archived != true else { return nil }
      return (shoe, count)
    }
    let ranked = worn.sorted { a, b in a.count == b.count ? a.shoe.precedes(b.shoe) : a.count > b.count }
    var top = ranked.prefix(maximumShown).map(\.shoe)
    if top.count < maximumShown {
      let others = view.feed.unarchivedShoes.lazy.filter { counts[$0.id] == nil }
      top += others.prefix(maximumShown - top.count)
    }
    return top
  }
}

/// The `daily-stats` snapshot (feeds.md: shoes).
enum DailyStats {
  static let kind = Kind.shoes(
    "daily-stats", displayName: "Daily Activity Stats", summary: "View your daily walking statistics and shoe usage",
    widgetKind: "DailyStats", families: ["systemMedium"], deepLink: .shoesDashboard,
    view: view
  ) { view, _, json in
    let current = view?.current
    let today = view?.today ?? .zero
    json.object { json in
      json.member("activeSeconds", Double(view?.activeMicroseconds ?? 0) / 1e6)
      json.member("activeSince", current?.since)
      json.currentShoe("currentShoe", current)
      json.kilometres("distance", metres: today.wholeMetres)
      json.member("steps", today.wholeSteps)
    }
  }
}

/// The `current-shoe` snapshot (feeds.md: shoes).
enum CurrentShoe {
  static let kind = Kind.shoes(
    "current-shoe", displayName: "Current Shoe", summary: "Shows your currently selected shoe on the lock screen",
    widgetKind: "LockScreenShoe",
    families: ["accessoryCircular", "accessoryRectangular", "accessoryInline"], deepLink: .quickSelect,
    view: view
  ) { view, moment, json in
    let current = view?.current
    json.object { json in
      json.member("circular", current?.shoe.icon ?? "shoe.2")
      json.member("inline", current?.shoe.name ?? "Select Shoes")
      json.key("rectangular")
      if let current {
        json.object { json in
          json.member("subtitle", "Active since " + moment.calendar.clock(at: current.since))
          json.member("title", current.shoe.name)
        }
      } else {
        json.null()
      }
      json.currentShoe("shoe", current)
    }
  }
}
