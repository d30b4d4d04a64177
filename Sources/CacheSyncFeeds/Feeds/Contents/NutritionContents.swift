// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written by scripts/contents.py. docs/reference/feeds.md says what the members mean.

/// The content of `daily-progress`.
public struct DailyProgress: Decodable, Sendable, Equatable {
  public struct Macro: Decodable, Sendable, Equatable {
    public var displayName: String?
    public var grams: Double
    public var name: String
    public var progress: Double
    public var target: Double
  }

  public var calorieProgress: Double
  public var calorieTarget: Int
  public var calories: Double
  public var caloriesRemaining: Double
  public var lastUpdated: Instant?
  public var macros: [Macro]
  public var showsNumbers: Bool
  public var symbol: String
  public var text: String
  public var trackingMode: String
}

/// The content of `macro-breakdown`.
public struct MacroBreakdown: Decodable, Sendable, Equatable {
  public struct Macro: Decodable, Sendable, Equatable {
    public var calories: Double
    public var displayName: String?
    public var grams: Double
    public var name: String
    public var progress: Double
    public var remaining: Double
    public var share: Double
    public var target: Double
  }

  public var macros: [Macro]
  public var showsNumbers: Bool
  public var trackingMode: String
}

/// The content of `quick-log`.
public struct QuickLog: Decodable, Sendable, Equatable {
  public struct Food: Decodable, Sendable, Equatable {
    public var calories: Double
    public var carbs: Double
    public var defaultQuantity: Double
    public var fat: Double
    public var id: RecordID
    public var name: String
    public var protein: Double
    public var unit: String
  }

  public var foods: [Food]
  public var isEmpty: Bool
  public var message: String?
  public var showsNumbers: Bool
  public var symbol: String?
}

/// The content of `calories`.
public struct CaloriesContent: Decodable, Sendable, Equatable {
  public var circular: String
  public var inline: String
  public var progress: Double
  public var rectangular: String
  public var remaining: Double
  public var showsNumbers: Bool
}
