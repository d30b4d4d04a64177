/// A day of the week, numbered like the contract's `dayIndex`: Monday = 0 ... Sunday = 6, wherever a week begins.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
  /// `dayIndex` 0.
  case monday = 0
  /// `dayIndex` 1.
  case tuesday
  /// `dayIndex` 2.
  case wednesday
  /// `dayIndex` 3.
  case thursday
  /// `dayIndex` 4.
  case friday
  /// `dayIndex` 5.
  case saturday
  /// `dayIndex` 6.
  case sunday

  /// The English name, "Monday".
  public var name: String { word.capitalised }

  /// The word of settings and session files, "monday".
  public var word: String {
    switch self {
    case .monday: "monday"
    case .tuesday: "tuesday"
    case .wednesday: "wednesday"
    case .thursday: "thursday"
    case .friday: "friday"
    case .saturday: "saturday"
    case .sunday: "sunday"
    }
  }

  /// The weekday of a lower-case English name; nil for any other spelling ("Monday", "mon").
  public init?(word: String) {
    guard let match = Weekday.allCases.first(where: { $0.word == word }) else { return nil }
    self = match
  }

  /// Whether it is Saturday or Sunday.
  public var isWeekend: Bool { self == .saturday || self == .sunday }

  /// Days to go back from this weekday to the first day of its week, 0...6.
  public func daysAfter(_ firstWeekday: Weekday) -> Int {
    (rawValue - firstWeekday.rawValue + 7) % 7
  }
}
