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
  private var drawnScreens: [String: DrawnScreen] = [:]

  /// A screen, and what it was drawn from.
  private struct DrawnScreen {
    var plan: ScreenPlan?
    var shown: [Snapshot?]
    var entries: [Snapshot.Entry?]
    var locale: CacheLocale
    var actions: [ActionTokens.Action] = []
    var part = ScreenPart()
    /// Which request last asked for it.
    var use = 0
  }

  private var uses = 0
  /// More than a house has displays. Further ones are drawn again each time.
  private static let mostScreens = 32

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

  /// The cards of a screen in a window of this size.
  ///
  /// - Parameters:
  ///   - plan: nil: there is no such screen.
  ///   - isPast: whether the view is of another moment: nothing is kept, and buttons are disabled.
  mutating func screen(
    _ name: String, _ plan: ScreenPlan?, in window: PixelSize, of view: CacheView, isPast: Bool
  ) -> ScreenPart {
    let shown = (plan?.cards ?? []).map { card in view.snapshots.first { $0.kind == card.kind } }
    let entries = shown.map { $0?.entry(at: view.moment) }
    let key = "\(name) \(window)"
    var new: DrawnScreen
    if !isPast, let old = drawnScreens[key], old.plan == plan, old.entries == entries, old.locale == view.locale,
      zip(old.shown, shown).allSatisfy({ $0 == nil && $1 == nil || $1.map($0?.hasSameCard ?? { _ in false }) == true })
    {
      if old.part.token.map({ tokens.isUsed($0) }) != true {
        uses += 1
        drawnScreens[key]?.use = uses
        return old.part
      }
      new = old
    } else {
      new = DrawnScreen(plan: plan, shown: shown, entries: entries, locale: view.locale)
      draw(&new, name, window, view, isEnabled: !isPast)
    }
    guard !isPast else { return new.part }
    new.part.token = new.actions.isEmpty ? nil : tokens.issue(new.actions, on: "screen/\(name)")
    uses += 1
    new.use = uses
    drawnScreens[key] = new
    if drawnScreens.count > Self.mostScreens, let oldest = drawnScreens.min(by: { $0.value.use < $1.value.use }) {
      drawnScreens[oldest.key] = nil
    }
    return new.part
  }

  private func draw(
    _ drawn: inout DrawnScreen, _ name: String, _ window: PixelSize, _ view: CacheView, isEnabled: Bool
  ) {
    guard var plan = drawn.plan, !plan.cards.isEmpty else {
      let reason = drawn.plan?.problems.first ?? view.language(.noSuchScreen, [.name: name])
      drawn.part.message = "<p class=\"notice\">\(reason)</p>"
      return
    }
    // The page has the ground.
    plan.form.background = Background.none
    plan.form.bits = nil
    let colours = plan.form.appearance == .eink ? SVGColours.palette(.paper(bits: 4)) : .classes
    var first = 0
    repeat {
      let screen = layout.screen(
        plan, on: window, of: view.snapshots, at: view.moment, locale: view.locale, clock: view.clock(view.moment),
        from: first)
      var targets: [HTML] = []
      for placed in screen.cards where !plan.form.isRedacted {
        let kind = drawn.shown[first + targets.count]?.shownKind
        let own = CardTarget.targets(of: placed.picture, isBuiltIn: kind.map { Self.feeds[$0] != nil } ?? true) {
          drawn.actions.number(of: ActionTokens.Action(type: $0, fields: $1))
        }
        let elements = own.map { $0.html(kind: "screen", isEnabled: isEnabled, Addresses(root: "../")) }
        targets.append(
          "<g class=\"targets\" transform=\"translate(\(placed.x) \(placed.y))\">\(elements)</g>")
      }
      let (width, height) = (Double(window.width) / screen.scale, Double(window.height) / screen.scale)
      let pictures = HTML(markup: (screen.cards + screen.lines).map { $0.svg(colours) }.joined())
      drawn.part.groups.append(
        ScreenPart.Group(
          svg: "<svg viewBox=\"0 0 \(width) \(height)\" width=\"100%\" height=\"100%\">\(pictures)\(targets)",
          clock: screen.clock?.picture.marks.first, clockPlace: screen.clock.map { ($0.x, $0.y) } ?? (0, 0)))
      first += max(1, screen.cards.count)
    } while plan.pause != nil && first < plan.cards.count
  }

  private func draw(_ snapshot: Snapshot, _ entry: Snapshot.Entry) -> Drawn {
    var actions: [ActionTokens.Action] = []
    var title = snapshot.displayName
    let isBuiltIn = Self.feeds[snapshot.shownKind] != nil
    let drawings = snapshot.families.compactMap(ViewFamily.init(rawValue:)).compactMap { family -> Card.Drawing? in
      guard let picture = layout.picture(of: entry, in: snapshot, family: family) else { return nil }
      title = picture.title
      let targets = CardTarget.targets(of: picture, isBuiltIn: isBuiltIn) {
        actions.number(of: ActionTokens.Action(type: $0, fields: $1))
      }
      return Card.Drawing(
        width: picture.width, height: picture.height, svg: HTML(markup: picture.svg(.classes)), targets: targets)
    }
    let card = Card(kind: snapshot.kind, title: title, drawings: drawings)
    return Drawn(snapshot: snapshot, entry: entry, actions: actions, card: card)
  }
}

extension [ActionTokens.Action] {
  /// The number of an action, which is added unless it is there.
  fileprivate mutating func number(of action: ActionTokens.Action) -> Int {
    if let known = firstIndex(of: action) { return known }
    append(action)
    return count - 1
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
