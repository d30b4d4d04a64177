extension DeepLink.Form {
  /// See ``DeepLink/healthDashboard``.
  public static let healthDashboard = Self("healthvaults://dashboard")
}

extension DeepLink {
  /// `healthvaults://dashboard`: the budget.
  public static let healthDashboard = DeepLink(.healthDashboard)
}
