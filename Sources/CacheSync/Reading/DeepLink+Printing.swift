extension DeepLink: CustomStringConvertible {
  /// The link, spelled as FEEDS has it; text is percent-encoded but for unreserved characters and, in a path, ":".
  public var description: String {
    switch self {
    case .mealPlan: "brados://mealplan"
    case .nutritionToday: "dietapp://dashboard/today"
    case .meal(let id): "dietapp://meal/" + PercentEncoding.segment(id)
    case .addFood(let meal): "dietapp://add-food" + Self.query([("meal", meal)])
    case .healthDashboard: "healthvaults://dashboard"
    case .tasksDashboard: "cafe://dashboard"
    case .task(let id): "cafe://task/" + PercentEncoding.segment(id)
    case .event(let id): "cafe://event/" + PercentEncoding.segment(id)
    case .calendar(let date): "cafe://calendar" + Self.query([("date", date?.description)])
    case .search(let query): "cafe://search" + Self.query([("q", query)])
    case .settings(let section): "cafe://settings/" + PercentEncoding.segment(section)
    case .newTask(let title, let due): "cafe://new-task" + Self.query([("title", title), ("due", due?.description)])
    case .newEvent: "cafe://new-event"
    case .chat: "cafe://chat"
    case .shoesDashboard: "shoeprint://dashboard"
    case .quickSelect: "shoeprint://quickSelect"
    case .suggestions: "shoeprint://suggestions"
    case .selectShoe(let id): "shoeprint://selectShoe/" + PercentEncoding.segment(id)
    case .startSession: "shoeprint://startSession"
    case .endSession: "shoeprint://endSession"
    }
  }

  /// "?title=…&due=…" of those that there are.
  private static func query(_ parameters: [(name: String, value: String?)]) -> String {
    let given = parameters.compactMap { name, value in value.map { name + "=" + PercentEncoding.value($0) } }
    return given.isEmpty ? "" : "?" + given.joined(separator: "&")
  }
}
