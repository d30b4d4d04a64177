// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written by scripts/contents.py. docs/reference/feeds.md says what the members mean.

/// The content of `budget`.
public struct BudgetContent: Decodable, Sendable, Equatable {
  public var base: Double
  public var budget: Double
  public var confidence: Double
  public var credit: Double
  public var dailyAdjustment: Double
  public var daysLeft: Int
  public var flags: [String]
  public var intake: Double
  public var isValid: Bool
  public var maintenance: Double
  public var message: String?
  public var progress: Double
  public var remaining: Double
}

/// The content of `macros`.
public struct MacrosContent: Decodable, Sendable, Equatable {
  public struct Macro: Decodable, Sendable, Equatable {
    public var budget: Double?
    public var displayName: String?
    public var grams: Double
    public var name: String
    public var progress: Double?
    public var remaining: Double?
  }

  public var macros: [Macro]
  public var message: String?
}

/// The content of `overview`.
public struct OverviewContent: Decodable, Sendable, Equatable {
  public struct Calories: Decodable, Sendable, Equatable {
    public var budget: Double
    public var intake: Double
    public var remaining: Double
  }

  public typealias Macro = MacrosContent.Macro

  public struct Week: Decodable, Sendable, Equatable {
    public var date: LocalDay
    public var intake: Double?
  }

  public struct Weight: Decodable, Sendable, Equatable {
    public var latest: Double?
    public var slopePerWeek: Double
    public var trend: String
  }

  public var calories: Calories
  public var macros: [Macro]
  public var message: String?
  public var week: [Week]
  public var weight: Weight
}

/// The content of `nutrients`.
public struct NutrientsContent: Decodable, Sendable, Equatable {
  public struct Nutrient: Decodable, Sendable, Equatable {
    public var amount: Double
    public var displayName: String?
    public var goal: Double?
    public var name: String
    public var progress: Double?
    public var type: String
    public var unit: String
  }

  public var message: String?
  public var more: Int
  public var nutrients: [Nutrient]
}
