/// The tokens of the cards and forms that were sent. A token stands for the actions of its buttons, and a request names
/// the button by number. So a request can only do what was on the page.
struct ActionTokens {
  /// What a button does: the intent to drop, without its id, its time and what a person types.
  struct Action: Sendable, Equatable {
    var type: String
    var fields: [String: String]
  }

  enum Redemption: Equatable {
    /// The first press of the button: the action, the intent's id, and the element on the page.
    case first(Action, id: String, on: String)
    /// A repeated press with the same typed words. The intent exists already.
    case again(on: String)
    /// The token is unknown or too old, it lacks such a button, or the typed words differ from the first press.
    case unknown
  }

  private struct Offer {
    var element: String
    var actions: [Action]
    /// What was typed for each pressed button.
    var pressed: [Int: [String: String]] = [:]
  }

  /// How many of the newest tokens are remembered. Pages may still show cards that have changed meanwhile.
  private let capacity: Int
  private var offers: [String: Offer] = [:]
  private var order: [String] = []

  init(capacity: Int = 2_048) { self.capacity = capacity }

  /// Returns a new token for the actions of an element on the page.
  mutating func issue(_ actions: [Action], on element: String) -> String {
    let token = RandomKey.make()
    offers[token] = Offer(element: element, actions: actions)
    order.append(token)
    if order.count > capacity { offers[order.removeFirst()] = nil }
    return token
  }

  /// The meaning of a press. It is recorded only by ``press(_:_:typed:)``.
  ///
  /// - Parameter typed: what a person typed, by the fields' names.
  func redeem(_ token: String, _ number: Int, typed: [String: String] = [:]) -> Redemption {
    guard let offer = offers[token], offer.actions.indices.contains(number) else { return .unknown }
    if let earlier = offer.pressed[number] { return earlier == typed ? .again(on: offer.element) : .unknown }
    return .first(offer.actions[number], id: "\(token)-\(number)", on: offer.element)
  }

  mutating func press(_ token: String, _ number: Int, typed: [String: String] = [:]) {
    offers[token]?.pressed[number] = typed
  }

  /// Whether any of its buttons was pressed. Then the card needs a new token.
  func isUsed(_ token: String) -> Bool { offers[token].map { !$0.pressed.isEmpty } ?? true }
}
