// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written by scripts/contents.py. docs/reference/feeds.md says what the members mean.

/// The content of `meal-plan`.
public struct MealPlan: Decodable, Sendable, Equatable {
  public struct Meal: Decodable, Sendable, Equatable {
    public var label: String
    public var mealId: RecordID?
    public var mealName: String?
    public var mealTrack: String
    public var mealType: String
    public var slot: String
    public var symbol: String
  }

  public var date: LocalDay
  public var dayIndex: Int
  public var dayName: String
  public var isEmpty: Bool
  public var meals: [Meal]
  public var message: String?
  public var session: String?
  public var symbol: String?
  public var title: String?
}
