extension DeepLink.Form {
  /// See ``DeepLink/shoesDashboard``.
  public static let shoesDashboard = Self("shoeprint://dashboard")
  /// See ``DeepLink/quickSelect``.
  public static let quickSelect = Self("shoeprint://quickSelect")
  /// See ``DeepLink/suggestions``.
  public static let suggestions = Self("shoeprint://suggestions")
  /// See ``DeepLink/selectShoe(id:)``.
  public static let selectShoe = Self("shoeprint://selectShoe", .segment("id"))
  /// See ``DeepLink/startSession``.
  public static let startSession = Self("shoeprint://startSession")
  /// See ``DeepLink/endSession``.
  public static let endSession = Self("shoeprint://endSession")

  static let shoes = [shoesDashboard, quickSelect, suggestions, selectShoe, startSession, endSession]
}

extension DeepLink {
  /// `shoeprint://dashboard`: today's steps.
  public static let shoesDashboard = DeepLink(.shoesDashboard)

  /// `shoeprint://quickSelect`: choosing the shoes to put on.
  public static let quickSelect = DeepLink(.quickSelect)

  /// `shoeprint://suggestions`: what to put on next.
  public static let suggestions = DeepLink(.suggestions)

  /// `shoeprint://selectShoe/<id>`: putting a shoe on.
  public static func selectShoe(id: String) -> DeepLink { DeepLink(.selectShoe, ["id": id]) }

  /// `shoeprint://startSession`: beginning to walk.
  public static let startSession = DeepLink(.startSession)

  /// `shoeprint://endSession`: taking the shoes off.
  public static let endSession = DeepLink(.endSession)
}
