// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written by scripts/contents.py. docs/reference/feeds.md says what the members mean.

/// The content of `quick-selection`.
public struct QuickSelection: Decodable, Sendable, Equatable {
  public struct CurrentShoe: Decodable, Sendable, Equatable {
    public var brand: String?
    public var file: String?
    public var icon: String?
    public var id: RecordID
    public var model: String?
    public var name: String
    public var since: Instant
  }

  public struct Today: Decodable, Sendable, Equatable {
    public var distance: Double
    public var steps: Int
  }

  public struct Top: Decodable, Sendable, Equatable {
    public var brand: String?
    public var deepLink: String
    public var file: String?
    public var icon: String?
    public var id: RecordID
    public var isActive: Bool
    public var model: String?
    public var name: String
  }

  public var currentShoe: CurrentShoe?
  public var today: Today
  public var top: [Top]
}

/// The content of `daily-stats`.
public struct DailyStats: Decodable, Sendable, Equatable {
  public struct CurrentShoe: Decodable, Sendable, Equatable {
    public var brand: String?
    public var file: String?
    public var icon: String?
    public var id: RecordID
    public var model: String?
    public var name: String
    public var since: Instant?
  }

  public var activeSeconds: Double
  public var activeSince: Instant?
  public var activeText: String
  public var currentShoe: CurrentShoe?
  public var distance: Double
  public var steps: Int
}

/// The content of `smart-suggestions`.
public struct SmartSuggestions: Decodable, Sendable, Equatable {
  public struct Suggestion: Decodable, Sendable, Equatable {
    public var brand: String?
    public var confidence: Double
    public var deepLink: String
    public var file: String?
    public var icon: String?
    public var id: RecordID
    public var match: String
    public var model: String?
    public var name: String
    public var reason: String
    public var shoeId: RecordID
  }

  public struct Insight: Decodable, Sendable, Equatable {
    public var change: Double
    public var distance: Double
    public var previousDistance: Double
    public var text: String
  }

  public var insight: Insight?
  public var slot: String
  public var suggestions: [Suggestion]
}

/// The content of `current-shoe`.
public struct CurrentShoe: Decodable, Sendable, Equatable {
  public struct Rectangular: Decodable, Sendable, Equatable {
    public var subtitle: String?
    public var title: String
  }

  public typealias Shoe = DailyStats.CurrentShoe

  public var circular: String
  public var inline: String
  public var rectangular: Rectangular?
  public var shoe: Shoe?
}

/// The content of `shoe-status`.
public struct ShoeStatus: Decodable, Sendable, Equatable {
  public typealias CurrentShoe = QuickSelection.CurrentShoe

  public var activeSince: Instant?
  public var activeText: String
  public var currentShoe: CurrentShoe?
  public var distance: Double
  public var steps: Int
}
