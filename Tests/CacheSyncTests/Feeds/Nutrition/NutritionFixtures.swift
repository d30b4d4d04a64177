import CacheSync
import Testing

/// Files as a diet app and readers write them.
enum NutritionFixtures {
  static let oats = food("oats", name: "Oats 3000", calories: 150, protein: 5, carbs: 27, fat: 3)

  static func food(
    _ id: String, name: String? = nil, calories: Double = 100, protein: Double = 1, carbs: Double = 2, fat: Double = 3
  ) -> String {
    #"{"id":"\#(id)","name":"\#(name ?? id)","calories":\#(calories),"protein":\#(protein),"carbs":\#(carbs),"#
      + #""fat":\#(fat),"defaultQuantity":1,"unit":"bowl"}"#
  }

  /// Most dates are numbers. `updated` is a number, or a text in quotes.
  static func session(
    updated: String = #""2026-11-21T10:00:00Z""#,
    totals: String = #"{"calories":1234.5,"protein":80.25,"carbs":150,"fat":40}"#,
    goals: String = #"{"calorieTarget":2000,"proteinTarget":150,"carbsTarget":250,"fatTarget":65}"#,
    foods: [String] = [oats], mode: String = "full"
  ) -> String {
    #"{"lastUpdated":\#(updated),"todayNutrition":\#(totals),"goals":\#(goals),"#
      + #""recentFoods":[\#(foods.joined(separator: ","))],"trackingMode":"\#(mode)"}"#
  }

  static func log(
    _ food: String = "oats", id: String = "i1", at: String = "2026-11-21T11:00:00Z", quantity: String? = nil
  ) -> String {
    let quantity = quantity.map { #","quantity":\#($0)"# } ?? ""
    return #"{"id":"\#(id)","type":"log-food","at":"\#(at)","foodId":"\#(food)"\#(quantity)}"#
  }

  /// The document with the value at a pointer replaced or removed.
  static func edited(_ text: String, _ pointer: String, to value: JSONValue?) throws -> String {
    let tree = try #require(Array(text.utf8).withUnsafeBytes { JSONValue.parse($0) })
    var writer = JSONWriter()
    writer.value(replacing(in: tree, pointer.split(separator: "/").map(String.init)[...], with: value) ?? .null)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func replacing(in tree: JSONValue, _ path: ArraySlice<String>, with value: JSONValue?) -> JSONValue? {
    guard let key = path.first else { return value }
    switch tree {
    case .object(var members):
      members[key] = replacing(in: members[key] ?? .null, path.dropFirst(), with: value)
      return .object(members)
    case .array(var elements):
      let index = Int(key) ?? 0
      elements[index] = replacing(in: elements[index], path.dropFirst(), with: value) ?? .null
      return .array(elements)
    default: return tree
    }
  }

  /// Where the document's only defect is, according to `check`.
  static func onlyPointer<F: BuiltInFeed>(_ feed: F.Type, _ text: String) throws -> String {
    try Array(text.utf8).withUnsafeBytes { bytes in
      let defects = F.check(bytes)
      #expect(defects.count == 1, "\(defects)")
      return JSONPlace.of(try #require(defects.first), in: bytes).pointer
    }
  }
}
