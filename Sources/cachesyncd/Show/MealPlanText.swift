import CacheSync

extension KindText {
  func mealPlan(_ content: JSONValue) -> [String] {
    guard content["isEmpty"]?.bool != true else {
      return ["🍴 \(text(content["title"])): \(text(content["message"]))"]
    }
    return page.table(
      (content["meals"]?.array ?? []).map { meal -> [ShowCell] in
        let adults = meal["mealTrack"]?.string == "adult" ? " (adults)" : ""
        return [
          ShowCell(Self.sign(meal["symbol"]?.string) + " " + text(meal["label"]) + adults),
          ShowCell(text(meal["mealName"])),
        ]
      })
  }

  private static func sign(_ symbol: String?) -> String {
    switch symbol {
    case "sunrise": "🌅"
    case "sun.max": "🌞"
    case "moon.stars": "🌙"
    default: "• "
    }
  }
}
