package import CacheSync

/// What a screen shows: a file of the cache's `screens/` (screens.md), or the words of a command, an address or a panel.
package struct ScreenPlan: Sendable, Hashable {
  package struct Card: Sendable, Hashable {
    package var kind: String
    /// nil: the largest that the room allows.
    package var family: ViewFamily?

    package init(kind: String, family: ViewFamily?) { (self.kind, self.family) = (kind, family) }
  }

  /// The file's name without its ending; nil: there is no file.
  package var name: String?
  package var title: String?
  package var cards: [Card]
  /// Without a size: the display's own.
  package var form = ScreenForm()
  package var hasClock = false
  /// nil: as many as fit.
  package var columns: Int?
  /// How long some of the cards are shown before others, where they do not fit all at once; nil: the others are left out.
  package var pause: Duration?
  /// Why the file is not as it should be, in a line each. A plan without cards has at least one.
  package var problems: [String] = []
  /// The names for people of the kinds that the cache knows.
  package var displayNames: [String: String] = [:]

  package init(name: String? = nil, cards: [Card], form: ScreenForm = ScreenForm()) {
    (self.name, self.cards, self.form) = (name, cards, form)
  }

  /// The plan for a picture in a format: with what options say in place of the file, and without what the format cannot hold.
  package func with(_ options: ScreenForm, isVector: Bool = false, isBitmap: Bool = false) -> ScreenPlan {
    var plan = self
    plan.form.size = options.size ?? form.size
    plan.form.turn = isVector ? nil : options.turn ?? form.turn
    plan.form.background = options.background ?? form.background
    plan.form.isRedacted = options.isRedacted || form.isRedacted
    // Cards take turns on a live page only.
    plan.pause = nil
    plan.form.appearance = options.appearance ?? form.appearance
    if let bits = options.bits {
      plan.form.bits = bits == ScreenForm.colourBits ? nil : bits
      // Bits are paper's, so they remove the file's light or dark.
      if plan.form.bits != nil, options.appearance == nil { plan.form.appearance = nil }
    }
    plan.form.size = plan.form.size ?? ScreenForm.standardSize
    if isBitmap { (plan.form.bits, plan.form.appearance) = (1, nil) }
    if isVector {
      plan.form.appearance = plan.form.appearance ?? plan.form.bits.map { _ in .eink }
      plan.form.bits = nil
    }
    return plan
  }

  /// Reads the output of `cachesyncd screens --json`: screens by name; nil for anything else.
  package static func all(_ bytes: [UInt8]) -> [String: ScreenPlan]? {
    guard let screens = JSONValue(bytes)?["screens"]?.array else { return nil }
    let plans = screens.compactMap { ScreenPlan($0) }
    guard plans.count == screens.count else { return nil }
    return Dictionary(plans.map { ($0.name ?? "", $0) }, uniquingKeysWith: { $1 })
  }

  private init?(_ value: JSONValue) {
    guard let name = value["name"]?.string, let widgets = value["widgets"]?.array else { return nil }
    self.init(
      name: name,
      cards: widgets.compactMap(\.string).map { text in
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        return Card(kind: parts.first ?? "", family: parts.count == 2 ? ViewFamily(rawValue: parts[1]) : nil)
      },
      form: ScreenForm(
        size: value["size"]?.string.flatMap { PixelSize($0) }, bits: value["bits"]?.int.flatMap { $0 == 32 ? nil : $0 },
        turn: value["rotate"]?.int.flatMap { Turn(rawValue: $0) },
        appearance: value["appearance"]?.string.flatMap { Appearance(rawValue: $0) },
        isRedacted: value["redacted"]?.bool ?? false))
    title = value["title"]?.string
    hasClock = value["clock"]?.bool ?? false
    columns = value["columns"]?.int
    pause = value["rotateEvery"]?.string.flatMap { ISODuration($0)?.duration }
    problems = (value["problems"]?.array ?? []).map { problem in
      let place = ["path", "line", "column"].compactMap { name in
        problem[name].flatMap { $0.string ?? $0.int.map { "\($0)" } }
      }
      return (place + [" " + (problem["message"]?.string ?? "")]).joined(separator: ":").trimmingPrefix { $0 == " " }
        .description
    }
    for (kind, name) in value["displayNames"]?.object ?? [:] { displayNames[kind] = name.string }
  }
}
