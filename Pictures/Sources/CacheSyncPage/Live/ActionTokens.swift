/// The tokens that were given out with cards and forms. A token stands for what its buttons do, so a request can ask for
/// nothing that was not on the page, and says with its number which of them was pressed.
struct ActionTokens {
  /// What a button does: the intent that is dropped, but for its id, its moment and what a person types.
  struct Action: Sendable, Equatable {
    var type: String
    var fields: [String: String]
  }

  enum Redemption: Equatable {
    /// The button was not pressed before: the action, the intent's id, and the element on the page.
    case first(Action, id: String, on: String)
    /// It was, with the same words typed: the intent is there already.
    case again(on: String)
    /// The token is none of this run's, or too old; or it has no such button; or other words went with its press.
    case unknown
  }

  private struct Offer {
    var element: String
    var actions: [Action]
    /// What was typed for each button that was pressed.
    var pressed: [Int: [String: String]] = [:]
  }

  /// How many are remembered, the newest ones: pages may still show cards that have changed meanwhile.
  private let capacity: Int
  private var offers: [String: Offer] = [:]
  private var order: [String] = []

  init(capacity: Int = 2_048) { self.capacity = capacity }

  /// A new token for these actions of an element on the page.
  mutating func issue(_ actions: [Action], on element: String) -> String {
    let token = RandomKey.make()
    offers[token] = Offer(element: element, actions: actions)
    order.append(token)
    if order.count > capacity { offers[order.removeFirst()] = nil }
    return token
  }

  /// What a press of a button means; it does not count until ``press(_:_:typed:)``.
  ///
  /// - Parameter typed: what a person typed, by the fields' names.
  func redeem(_ token: String, _ number: Int, typed: [String: String] = [:]) -> Redemption {
    guard let offer = offers[token], offer.actions.indices.contains(number) else { return .unknown }
    if let earlier = offer.pressed[number] { return earlier == typed ? .again(on: offer.element) : .unknown }
    return .first(offer.actions[number], id: "\(token)-\(number)", on: offer.element)
  }

  /// Makes the press count.
  mutating func press(_ token: String, _ number: Int, typed: [String: String] = [:]) {
    offers[token]?.pressed[number] = typed
  }

  /// Whether any of its buttons was pressed, so that the card needs a new one.
  func isUsed(_ token: String) -> Bool { offers[token].map { !$0.pressed.isEmpty } ?? true }
}
