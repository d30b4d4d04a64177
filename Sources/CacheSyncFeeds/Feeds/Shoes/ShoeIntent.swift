import CacheSyncSystem

/// The effects of intents on shoes, besides ending every open session (feeds.md: types).
enum ShoeIntent: Sendable {
  /// `select-shoe` and `start-session`.
  ///
  /// - Parameter file: a file that has the shoe, for an id that several shoes have.
  case start(RecordID, file: CachePath? = nil)
  case end
}

extension IntentType {
  static let selectShoe = starting("select-shoe", .selectShoeIntent)
  static let startSession = starting("start-session", .startSessionIntent)
  static let endSession = IntentType("end-session", on: ShoesFeed.name, .endSessionIntent) { _ in ShoeIntent.end }

  private static func starting(_ name: String, _ title: Phrase) -> IntentType {
    IntentType(
      name, on: ShoesFeed.name, title, [.required("shoeId", .record("shoe")), .file], example: "shoeId=pegasus"
    ) { ShoeIntent.start($0.record, file: $0.file) }
  }
}

extension Intent.Action {
  /// Puts on other shoes.
  ///
  /// - Parameter file: the shoe's file in the cache, as content names it for an id that several shoes have.
  public static func selectShoe(id: String, file: String? = nil) -> Self {
    Self(.selectShoe, ["shoeId": .text(id), "file": file.map { .text($0) }])
  }

  /// Begins a walk in these shoes.
  ///
  /// - Parameter file: as for ``selectShoe(id:file:)``.
  public static func startSession(shoe: String, file: String? = nil) -> Self {
    Self(.startSession, ["shoeId": .text(shoe), "file": file.map { .text($0) }])
  }

  /// Takes the shoes off: every open session ends at ``Intent/at``.
  public static let endSession = Self(.endSession)
}
