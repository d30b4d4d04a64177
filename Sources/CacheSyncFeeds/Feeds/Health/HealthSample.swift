extension HealthFeed {
  /// Three weeks, in which a body loses a little weight, and half a day.
  package static let samples: FeedSamples = [
    "health/sample.json": """
    {"goals": {"adjustment": -400, "macros": {"protein": 30, "carbs": 40, "fat": 30}, "firstWeekday": "monday",
    "nutrients": {"fiber": 30, "sodium": 2300, "vitaminC": 100, "water": 2000}}, "samples": [
    \(((1...23).flatMap(samples(on:)) + today).joined(separator: ",\n"))
    ]}
    """
  ]

  private static func samples(on day: Int) -> [String] {
    let energy = 2000 + day * 37 % 5 * 60
    return [
      sample("bodyMass", day, "07:00", "\(82.0 - Double(day / 2) / 10)"),
      sample("dietaryCalories", day, "19:00", "\(energy)"), sample("protein", day, "19:00", "\(energy / 18)"),
      sample("carbs", day, "19:00", "\(energy / 9)"), sample("fat", day, "19:00", "\(energy / 28)"),
    ]
  }

  private static let today = [
    ("bodyMass", "80.6"), ("dietaryCalories", "640"), ("protein", "42.5"), ("carbs", "71"), ("fat", "19"),
    ("fiber", "11.5"), ("sugar", "24"), ("sodium", "880"), ("vitaminC", "64"), ("caffeine", "95"), ("water", "750"),
  ].map { sample($0, 24, "08:30", $1) }

  private static func sample(_ type: String, _ day: Int, _ time: String, _ value: String) -> String {
    """
    {"id": "\(type)-\(day)", "type": "\(type)", "date": "2026-11-\(day < 10 ? "0" : "")\(day)T\(time):00Z", \
    "value": \(value)}
    """
  }
}
