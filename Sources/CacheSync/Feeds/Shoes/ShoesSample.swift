extension ShoesFeed {
  package static let samples: FeedSamples = [
    "shoes/sample.json": """
    {"lastUpdated": "2026-11-24T10:00:00Z", "shoes": [
    {"id": "run", "name": "Pegasus", "brand": "Nike", "icon": "figure.run", "tags": ["gym", "park"]},
    {"id": "day", "name": "Everyday", "brand": "Adidas", "icon": "shoe", "tags": ["town"]},
    {"id": "trail", "name": "Trail", "brand": "Salomon", "icon": "figure.hiking", "tags": ["hills"]},
    {"id": "office", "name": "Office", "brand": "Ecco", "icon": "shoe.2", "tags": ["office"]}
    ], "context": {"place": "Town", "at": "2026-11-24T09:30:00Z"}, "sessions": [
    \((10...23).map(past).joined(separator: ",\n")),
    \(session(100, "office", "2026-11-24T07:30:00Z", "2026-11-24T09:00:00Z", 2140, "1.6")),
    \(session(101, "day", "2026-11-24T09:30:00Z", nil, 900, "0.7"))
    ]}
    """
  ]

  private static func past(_ day: Int) -> String {
    let shoe = ["run", "day", "office", "day"][day % 4]
    return session(day, shoe, "2026-11-\(day)T08:00:00Z", "2026-11-\(day)T10:00:00Z", 5000 + day * 130, "4.2")
  }

  private static func session(
    _ id: Int, _ shoe: String, _ start: String, _ end: String?, _ steps: Int, _ distance: String
  ) -> String {
    """
    {"id": \(id), "shoeId": "\(shoe)", "start": "\(start)", "end": \(end.map { "\"\($0)\"" } ?? "null"), \
    "steps": \(steps), "distance": \(distance)}
    """
  }
}
