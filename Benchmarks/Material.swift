import CacheSync
import Glibc
import SystemPackage

/// The files and caches that stages work on; made anew in memory, the same each time.
enum Material {
  static let names = [
    "Scrambled Eggs", "Chicken Caesar Salad", "Salmon with Rice", "Protein Oats", "Steak and Potatoes", "Lentil Soup",
    "Tofu Stir Fry", "Crème Brûlée Pancakes", "Bún chả", "Spaghetti alle vongole",
  ]

  /// A meal-plan session of the size that a real app writes: 28 entries, 30 meals, a short history.
  static func mealPlan(_ number: Int) -> [UInt8] {
    let tracks = [("family", "breakfast"), ("adult", "breakfast"), ("family", "lunch"), ("family", "dinner")]
    let plan = (0..<28).map { index in
      let (track, meal) = tracks[index % 4]
      return #"{"day_index": \#(index / 4), "meal_track": "\#(track)", "meal_type": "\#(meal)", "#
        + #""meal_id": "meal_\#(index % 30)", "meal_name": "\#(names[(index + number) % names.count])"}"#
    }
    let meals = (0..<30).map { index in
      #"{"id": "meal_\#(index)", "name": "\#(names[index % names.count])", "meal_type": "dinner", "#
        + #""audience": "family", "effort": \#(1 + index % 10), "has_red_meat": false, "prep_ahead": false, "#
        + #""url": "https://example.com/recipe/\#(index)", "last_planned": null, "#
        + #""created_at": "2026-01-15T10:00:00Z", "updated_at": "2026-01-15T10:00:00Z"}"#
    }
    let updated = "2026-\(two(1 + number % 10))-\(two(1 + number % 27))T\(two(number % 24)):\(two(number % 60)):00Z"
    return Array(
      (#"{"id": "session-\#(number)", "plan": [\#(plan.joined(separator: ", "))], "#
        + #""meals_snapshot": [\#(meals.joined(separator: ", "))], "history": [{"role": "user", "#
        + #""content": "Swap Monday dinner for something with red meat"}], "is_finalized": true, "#
        + #""created_at": "2026-11-15T10:00:00Z", "updated_at": "\#(updated)"}"#).utf8)
  }

  static func nutrition(_ number: Int) -> [UInt8] {
    Array(
      (#"{"lastUpdated": \#(816_940_000 + number), "todayNutrition": {"calories": 1234.5, "protein": 80, "carbs": 150, "#
        + #""fat": 40}, "goals": {"calorieTarget": 2000, "proteinTarget": 150, "carbsTarget": 250, "fatTarget": 65}, "#
        + #""recentFoods": [], "trackingMode": "full"}"#).utf8)
  }

  static func health(_ number: Int) -> [UInt8] {
    // Equal samples of several files would count once.
    let (day, minute) = (two(1 + number % 28), two(number / 28 % 60))
    return Array(
      (#"{"samples": [{"id": "w\#(number)", "type": "bodyMass", "date": "2026-10-\#(day)T07:\#(minute):00Z", "value": 80.5}, "#
        + #"{"id": "c\#(number)", "type": "dietaryCalories", "date": "2026-10-\#(day)T12:\#(minute):00Z", "value": 650}]}"#)
        .utf8)
  }

  static func tasks(_ number: Int) -> [UInt8] {
    let day = two(1 + number % 28)
    return Array(
      (#"{"lastUpdate": "2026-11-20T08:00:00Z", "tasks": [{"id": \#(number), "title": "Task \#(number)", "#
        + #""completed": false, "dueDate": "2026-11-\#(day)", "createdAt": "2026-11-01T08:00:00Z"}]}"#).utf8)
  }

  static func events(_ number: Int) -> [UInt8] {
    let day = two(1 + number % 28)
    return Array(
      (#"{"lastUpdate": "2026-11-20T08:00:00Z", "events": [{"id": \#(number), "title": "Event \#(number)", "#
        + #""startTime": "2026-11-\#(day)T10:00:00Z", "endTime": "2026-11-\#(day)T11:00:00Z"}]}"#).utf8)
  }

  static func shoes(_ number: Int) -> [UInt8] {
    let day = two(1 + number % 20)
    return Array(
      (#"{"lastUpdated": "2026-11-20T08:00:00Z", "shoes": [{"id": "shoe\#(number % 10)", "name": "Pair \#(number % 10)"}], "#
        + #""sessions": [{"id": \#(number), "shoeId": "shoe\#(number % 10)", "start": "2026-11-\#(day)T08:00:00Z", "#
        + #""end": "2026-11-\#(day)T09:00:00Z", "steps": 5000, "distance": 3.5}]}"#).utf8)
  }

  /// An intent in force: a task that a person added.
  static func intent(_ number: Int) -> [UInt8] {
    Array(
      (#"{"id": "i\#(number)", "type": "add-task", "title": "Task \#(number)", "#
        + #""at": "2026-11-20T\#(two(9 + number % 12)):\#(two(number % 60)):00Z"}"#).utf8)
  }

  /// What each feed is measured with: the directory, the kinds by way of the feed, and its files.
  static let feeds: [(name: String, file: @Sendable (Int) -> [UInt8])] = [
    ("meal-plan", mealPlan), ("nutrition", nutrition), ("health", health), ("tasks", tasks), ("events", events),
    ("shoes", shoes),
  ]

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A cache directory for the time of a run.
struct ScratchCache: ~Copyable {
  let path: FilePath

  init() throws {
    var template = Array("/tmp/cachesync-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  deinit {
    for directory in [CacheLayout.snapshots, CacheLayout.state, "meal-plan", ""] {
      let directory = directory.isEmpty ? path : path.appending(directory)
      let entries = directory.withPlatformString { opendir($0) }
      while let entries, let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        _ = directory.appending(name).withPlatformString { unlink($0) }
      }
      if let entries { closedir(entries) }
      _ = directory.withPlatformString { rmdir($0) }
    }
  }
}
