import CacheSync
import CacheSyncPictures

/// Keeps the cards as they were last drawn. A card is drawn again when its entry changes. It gets a new token then, and
/// also after one of its buttons was pressed.
struct DrawnCards {
  private struct Drawn {
    var snapshot: Snapshot
    var entry: Snapshot.Entry
    var actions: [ActionTokens.Action]
    var card: Card
  }

  private let layout = Layout(Typesetter())
  private(set) var tokens = ActionTokens()
  private var drawn: [String: Drawn] = [:]
  private var forms: [String: String] = [:]

  mutating func sections(of view: CacheView) -> [Page.Section] {
    sections(of: view) { cards, snapshot in
      cards.card(of: snapshot, at: view.moment)
    } token: { cards, intent in
      cards.token(for: intent)
    }
  }

  /// The same for another moment than the present. Nothing is kept, and buttons are disabled.
  mutating func pastSections(of view: CacheView) -> [Page.Section] {
    sections(of: view) { cards, snapshot in
      cards.draw(snapshot, snapshot.entry(at: view.moment)).card
    } token: { _, _ in
      nil
    }
  }

  private mutating func sections(
    of view: CacheView, card: (inout DrawnCards, Snapshot) -> Card, token: (inout DrawnCards, KnownIntent) -> String?
  ) -> [Page.Section] {
    var sections: [Page.Section] = []
    for snapshot in view.snapshots {
      let feed = Self.feed(of: snapshot.shownKind)
      let section: Int
      if let known = sections.firstIndex(where: { $0.feed == feed }) {
        section = known
      } else {
        let intents = KnownIntent.all.filter { $0.feed == feed && !$0.namesRecord }
        let forms = intents.map { IntentForm(intent: $0, language: view.language, token: token(&self, $0)) }
        section = sections.count
        sections.append(Page.Section(feed: feed, cards: [], forms: forms))
      }
      sections[section].cards.append(card(&self, snapshot))
    }
    return sections
  }

  private static let feeds = Dictionary(uniqueKeysWithValues: KnownKind.all.map { ($0.name, $0.feed) })

  /// The feed of a kind. For a kind that is not built in it is the first part of the name, unless a built-in feed has
  /// that name.
  private static func feed(of kind: String) -> String {
    if let feed = feeds[kind] { return feed }
    let first = String(kind.prefix { $0 != "-" })
    return first.isEmpty || feeds.values.contains(first) ? otherFeed : first
  }

  /// The feed of kinds that belong to none of ours.
  static let otherFeed = "other"

  mutating func press(_ token: String, _ number: Int, typed: [String: String] = [:]) {
    tokens.press(token, number, typed: typed)
  }

  private mutating func card(of snapshot: Snapshot, at moment: Instant) -> Card {
    let entry = snapshot.entry(at: moment)
    var new: Drawn
    if let old = drawn[snapshot.kind], old.entry == entry, old.snapshot.hasSameCard(as: snapshot) {
      if old.card.token.map({ tokens.isUsed($0) }) != true { return old.card }
      new = old
    } else {
      new = draw(snapshot, entry)
    }
    new.card.token = tokens.issue(new.actions, on: new.card.id)
    drawn[snapshot.kind] = new
    return new.card
  }

  private mutating func token(for intent: KnownIntent) -> String {
    if let token = forms[intent.type], !tokens.isUsed(token) { return token }
    let token = tokens.issue(
      [ActionTokens.Action(type: intent.type, fields: [:])], on: IntentForm.id(of: intent))
    forms[intent.type] = token
    return token
  }

  private func draw(_ snapshot: Snapshot, _ entry: Snapshot.Entry) -> Drawn {
    var actions: [ActionTokens.Action] = []
    var title = snapshot.displayName
    let isBuiltIn = Self.feeds[snapshot.shownKind] != nil
    let drawings = snapshot.families.compactMap(ViewFamily.init(rawValue:)).compactMap { family -> Card.Drawing? in
      guard let picture = layout.picture(of: entry, in: snapshot, family: family) else { return nil }
      title = picture.title
      let targets = CardTarget.targets(of: picture, isBuiltIn: isBuiltIn) { type, fields in
        let action = ActionTokens.Action(type: type, fields: fields)
        if let known = actions.firstIndex(of: action) { return known }
        actions.append(action)
        return actions.count - 1
      }
      return Card.Drawing(
        width: picture.width, height: picture.height, svg: HTML(markup: picture.svg(.classes)), targets: targets)
    }
    let card = Card(kind: snapshot.kind, title: title, drawings: drawings)
    return Drawn(snapshot: snapshot, entry: entry, actions: actions, card: card)
  }
}

extension Snapshot {
  /// Whether equal entries of both look the same.
  fileprivate func hasSameCard(as other: Snapshot) -> Bool {
    families == other.families && deepLink == other.deepLink && timeZone == other.timeZone && locale == other.locale
      && widget == other.widget
  }

  /// The kind that it shows: its own, or that of its widget.
  var shownKind: String { widget?.kind ?? kind }
}
