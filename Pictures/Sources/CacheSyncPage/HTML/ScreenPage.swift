import CacheSync
import CacheSyncPictures

/// The part of a screen's page that changes: the cards, in groups if they take turns.
struct ScreenPart: Sendable {
  /// Cards that are shown at the same time.
  struct Group: Sendable {
    /// An element that is not closed yet.
    var svg: HTML
    var clock: Mark?
    var clockPlace: (x: Double, y: Double) = (0, 0)
  }

  var groups: [Group] = []
  /// In place of cards.
  var message: HTML = ""
  /// What the buttons send; nil: there are none.
  var token: String?

  /// - Parameter clock: the time of day; nil: the script writes it.
  func html(clock: String?) -> HTML {
    let groups = groups.enumerated().map { number, group -> HTML in
      "<div class=\"turn\"\(" hidden", if: number > 0)>\(group.svg)\(time(clock ?? "", in: group))</svg></div>"
    }
    let form: HTML =
      token.map {
        "<form id=\"form-screen\" method=\"post\"><input type=\"hidden\" name=\"token\" value=\"\($0)\"></form>"
      } ?? ""
    return "<div id=\"\(ScreenPage.id)\" class=\"screen card\">\(message)\(groups)\(form)</div>"
  }

  private func time(_ words: String, in group: Group) -> HTML {
    guard let mark = group.clock, case .text(let line) = mark.shape else { return "" }
    let (x, y) = (group.clockPlace.x + mark.box.maxX, group.clockPlace.y + line.baseline)
    return """
      <text class="clock c-\(line.tint.rawValue)" x="\(x)" y="\(y)" font-size="\(line.type.size)" font-weight="bold" \
      text-anchor="end" fill="currentColor">\(words)</text>
      """
  }
}

/// The page of one screen, which fills its window.
struct ScreenPage: Sendable {
  var name: String
  /// nil: there is no such screen.
  var plan: ScreenPlan?
  var window: PixelSize
  var view: CacheView
  var isPast: Bool
  var part: ScreenPart
  var error: String?
  var addresses = Addresses(root: "../")

  static let id = "screen"

  /// What the document has beside its part.
  static func layout(of plan: ScreenPlan?, _ view: CacheView?) -> String {
    let own = [id, plan?.form.appearance?.rawValue ?? "", "\(plan?.pause?.components.seconds ?? 0)"]
    return Page.layout(
      of: own + (view.map { [$0.timeZone, "\($0.offset)", $0.hours, $0.language.tag.rawValue] } ?? []))
  }

  var html: HTML {
    let today = view.calendar.day(of: isPast ? .referenceDate : view.moment)
    let moment = view.language(.computedFor, [.date: view.words(for: view.moment, today: today)])
    let banner: HTML = isPast || error != nil ? "<p class=\"banner\">\(error ?? moment)</p>" : ""
    let appearance = plan?.form.appearance?.rawValue ?? PageAppearance.system.rawValue
    let title = plan?.form.isRedacted == true ? "CacheSync" : plan?.title ?? name
    let turn: HTML = plan?.pause.map { " data-turn=\"\(Int($0.components.seconds))\"" } ?? ""
    let attributes: HTML = " class=\"wall\" data-window=\"\(window.description)\"\(turn)"
    return Document(
      title: title, appearance: appearance, view: view, isPast: isPast, page: name,
      stream: "\(addresses.root)events?server=\(Alive.server)&screen=\(name)", layout: Self.layout(of: plan, view),
      addresses: addresses, attributes: attributes
    ).html(
      """
      <header hidden></header>
      <main id="apps">\(banner)\(part.html(clock: view.clock(view.moment)))</main>
      """)
  }
}
