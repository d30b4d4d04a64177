extension DeepLink: CustomStringConvertible {
  /// The link, spelled as FEEDS has it; text is percent-encoded but for unreserved characters and, in a path, ":".
  public var description: String {
    switch self {
    case .mealPlan: "brados://mealplan"
    case .nutritionToday: "dietapp://dashboard/today"
    case .meal(let id): "dietapp://meal/" + Self.segment(id)
    case .addFood(let meal): "dietapp://add-food" + Self.query([("meal", meal)])
    case .healthDashboard: "healthvaults://dashboard"
    case .tasksDashboard: "cafe://dashboard"
    case .task(let id): "cafe://task/" + Self.segment(id)
    case .event(let id): "cafe://event/" + Self.segment(id)
    case .calendar(let date): "cafe://calendar" + Self.query([("date", date?.description)])
    case .search(let query): "cafe://search" + Self.query([("q", query)])
    case .settings(let section): "cafe://settings/" + Self.segment(section)
    case .newTask(let title, let due): "cafe://new-task" + Self.query([("title", title), ("due", due?.description)])
    case .newEvent: "cafe://new-event"
    case .chat: "cafe://chat"
    case .shoesDashboard: "shoeprint://dashboard"
    case .quickSelect: "shoeprint://quickSelect"
    case .suggestions: "shoeprint://suggestions"
    case .selectShoe(let id): "shoeprint://selectShoe/" + Self.segment(id)
    case .startSession: "shoeprint://startSession"
    case .endSession: "shoeprint://endSession"
    }
  }

  private static func segment(_ text: String) -> String { PercentEncoding.encoded(text, keeping: ":") }

  /// "?title=…&due=…" of those that there are.
  private static func query(_ parameters: [(name: String, value: String?)]) -> String {
    let given = parameters.compactMap { name, value in value.map { name + "=" + PercentEncoding.encoded($0) } }
    return given.isEmpty ? "" : "?" + given.joined(separator: "&")
  }
}
