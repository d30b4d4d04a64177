extension DeepLink.Form {
  /// See ``DeepLink/healthDashboard``.
  public static let healthDashboard = Self("healthvaults://dashboard")
  /// See ``DeepLink/healthBudget``.
  public static let healthBudget = Self("healthvaults://budget")
  /// See ``DeepLink/healthMacros``.
  public static let healthMacros = Self("healthvaults://macros")
  /// See ``DeepLink/healthWeight``.
  public static let healthWeight = Self("healthvaults://weight")

  static let health = [healthDashboard, healthBudget, healthMacros, healthWeight]
}

extension DeepLink {
  /// `healthvaults://dashboard`: the overview.
  public static let healthDashboard = DeepLink(.healthDashboard)

  /// `healthvaults://budget`: the budget.
  public static let healthBudget = DeepLink(.healthBudget)

  /// `healthvaults://macros`: protein, carbs and fat.
  public static let healthMacros = DeepLink(.healthMacros)

  /// `healthvaults://weight`: the weight.
  public static let healthWeight = DeepLink(.healthWeight)
}
