/// The effects of intents on shoes, besides ending every open session (feeds.md: types).
enum ShoeIntent: Sendable {
  /// `select-shoe` and `start-session`.
  case start(RecordID)
  case end
}

extension IntentType {
  static let selectShoe = starting("select-shoe", .selectShoeIntent)
  static let startSession = starting("start-session", .startSessionIntent)
  static let endSession = IntentType("end-session", on: ShoesFeed.name, .endSessionIntent) { _ in ShoeIntent.end }

  private static func starting(_ name: String, _ title: Phrase) -> IntentType {
    IntentType(name, on: ShoesFeed.name, title, [.required("shoeId", .record("shoe"))], example: "shoeId=pegasus") {
      ShoeIntent.start($0.record)
    }
  }
}

extension Intent.Action {
  /// Puts on other shoes.
  public static func selectShoe(id: String) -> Self { Self(.selectShoe, ["shoeId": .text(id)]) }

  /// Begins a walk in these shoes.
  public static func startSession(shoe: String) -> Self { Self(.startSession, ["shoeId": .text(shoe)]) }

  /// Takes the shoes off: every open session ends at ``Intent/at``.
  public static let endSession = Self(.endSession)
}
