extension TasksFeed {
  package static let samples: FeedSamples = [
    "tasks/sample.json": """
    {"lastUpdate": "2026-11-24T09:00:00Z", "tasks": [
    \(task(1, "Order oat milk", due: "2026-11-24", label: "Stock")),
    \(task(2, "Call the plumber", due: "2026-11-24T15:00:00Z", label: "Home")),
    \(task(3, "Renew the passport", due: "2026-11-21", label: "Home")),
    \(task(4, "Book train tickets", due: "2026-11-26")),
    \(task(5, "Water the plants", due: "2026-11-24", completed: "2026-11-24T07:30:00Z")),
    \(task(6, "Answer Priya", completed: "2026-11-24T08:10:00Z"))
    ]}
    """
  ]

  private static func task(
    _ id: Int, _ title: String, due: String? = nil, label: String? = nil, completed: String? = nil
  ) -> String {
    func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    let labels = label.map { "{\"id\": 1, \"name\": \"\($0)\", \"color\": \"#34C759\"}" } ?? ""
    return """
      {"id": \(id), "title": "\(title)", "description": null, "completed": \(completed != nil), \
      "dueDate": \(quoted(due)), "createdAt": "2026-11-20T08:00:00Z", "completedAt": \(quoted(completed)), \
      "labels": [\(labels)]}
      """
  }
}

extension EventsFeed {
  package static let samples: FeedSamples = [
    "events/sample.json": """
    {"lastUpdate": "2026-11-24T09:00:00Z", "events": [
    \(event(1, "Stand-up", "2026-11-24T10:00:00Z", "2026-11-24T10:30:00Z", "Long table")),
    \(event(2, "Lunch with Sam", "2026-11-24T12:30:00Z", "2026-11-24T13:30:00Z", "Corner café")),
    \(event(3, "Gym class", "2026-11-24T18:00:00Z", "2026-11-24T19:00:00Z", "Gym")),
    \(event(4, "Dentist", "2026-11-27T09:15:00Z", "2026-11-27T10:00:00Z")),
    \(event(5, "Market day", "2026-11-28T08:00:00Z", "2026-11-29T16:00:00Z", "Town square")),
    \(event(6, "Film night", "2026-11-12T19:00:00Z", "2026-11-12T22:00:00Z"))
    ]}
    """
  ]

  private static func event(_ id: Int, _ title: String, _ start: String, _ end: String, _ location: String? = nil)
    -> String
  {
    """
    {"id": \(id), "title": "\(title)", "startTime": "\(start)", "endTime": "\(end)", \
    "location": \(location.map { "\"\($0)\"" } ?? "null")}
    """
  }
}
