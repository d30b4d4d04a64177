/// Where the person is and what they plan, as far as it makes some shoes fit (feeds.md: smart-suggestions).
struct ShoeContext {
  /// How much confidence a place or a plan adds.
  static let step = 0.25

  /// What the context adds to a shoe.
  struct Gain {
    /// How many of place and plans fit, 0...2.
    var count = 0
    /// Why, for people; nil: nothing fits.
    var reason: String?
    /// Whether that is an event.
    var quotesEvent = false
  }

  private let place: String?
  /// The events of the rest of the slot, in order.
  private let events: [StoredEvent]
  private let moment: Moment

  init(_ view: ShoesView) {
    place = view.feed.place(at: view.moment.instant)
    moment = view.moment
    events = view.events?.overlapping(view.restOfSlot, view.moment.calendar) ?? []
  }

  func gain(of shoe: ShoesSession.Shoe) -> Gain {
    let tags = ShoeTags(shoe)
    var gain = Gain()
    if let place, tags.name(place) {
      gain.count += 1
      gain.reason = place
    }
    if let event = events.first(where: { ShoeTags.fit(tags.words, $0) }) {
      gain.count += 1
      gain.quotesEvent = true
      gain.reason =
        event.isAllDay
        ? event.title : moment.language(.eventAt, [.title: event.title, .time: moment.clock(event.start)])
    }
    return gain
  }
}

struct ShoeTags {
  private let tags: [String]

  init(_ shoe: ShoesSession.Shoe) { tags = shoe.tags ?? [] }

  /// The words of each tag that has any.
  var words: [Set<String>] { tags.map { Set(Self.words(of: $0)) }.filter { !$0.isEmpty } }

  /// Whether a tag is a place, ignoring case.
  func name(_ place: String) -> Bool { tags.contains { isSameText($0.lowercased(), place.lowercased()) } }

  /// Whether all words of a tag occur in an event's title and location, taken as one text.
  static func fit(_ tags: [Set<String>], _ event: StoredEvent) -> Bool {
    if tags.isEmpty { return false }
    let words = Set(words(of: "\(event.title) \(event.location ?? "")"))
    return tags.contains { $0.isSubset(of: words) }
  }

  /// Letters and digits make words; case is ignored.
  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
