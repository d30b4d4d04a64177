import CacheSync

// The nutrition kinds. In mindful mode no line has a digit, but in the names of foods: bars and words say enough.
extension KindText {
  private static let leaf = "🌿"
  private static let fork = "🍴"

  func dailyProgress(_ content: JSONValue) -> [String] {
    guard showsNumbers(content) else {
      return ["\(Self.leaf) \(text(content["text"]))"] + mindfulBars(content)
    }
    let head = [
      ShowCell("\(Self.fork) calories"), ShowCell("\(text(content["text"])) kcal", isRightAligned: true),
      page.bar(content["calorieProgress"]?.double), ShowCell("\(whole(content["caloriesRemaining"])) left"),
    ]
    let macros = (content["macros"]?.array ?? []).map { macro -> [ShowCell] in
      [
        ShowCell("   " + text(macro["name"])),
        ShowCell("\(decimal(macro["grams"])) / \(decimal(macro["target"])) g", isRightAligned: true),
        page.bar(macro["progress"]?.double),
      ]
    }
    return page.table([head] + macros) + [page.faint("updated \(time(content["lastUpdated"]))")]
  }

  func macroBreakdown(_ content: JSONValue) -> [String] {
    guard showsNumbers(content) else { return mindfulBars(content) }
    return page.table(
      (content["macros"]?.array ?? []).map { macro -> [ShowCell] in
        [
          ShowCell(text(macro["name"])),
          ShowCell("\(decimal(macro["grams"])) / \(decimal(macro["target"])) g", isRightAligned: true),
          page.bar(macro["progress"]?.double),
          ShowCell("\(decimal(macro["remaining"])) g left", isRightAligned: true),
          ShowCell("\(whole(macro["calories"])) kcal", isRightAligned: true),
          ShowCell("\(percent(macro["share"]))", isRightAligned: true),
        ]
      })
  }

  func quickLog(_ content: JSONValue) -> [String] {
    guard content["isEmpty"]?.bool != true else { return ["☆ \(text(content["message"]))"] }
    let foods = content["foods"]?.array ?? []
    guard showsNumbers(content) else { return foods.map { "+ \(text($0["name"]))" } }
    return page.table(
      foods.map { food -> [ShowCell] in
        [
          ShowCell("+ " + text(food["name"])),
          ShowCell("\(whole(food["calories"])) kcal", isRightAligned: true),
          ShowCell("\(decimal(food["defaultQuantity"], places: 2)) \(text(food["unit"]))", paint: page.faint),
        ]
      })
  }

  func calories(_ content: JSONValue) -> [String] {
    let words = text(content["rectangular"])
    guard showsNumbers(content) else { return ["\(Self.leaf) \(words)"] }
    guard !isEmpty else { return ["\(Self.fork) \(words)"] }
    return page.table([[ShowCell(Self.fork), page.bar(content["progress"]?.double), ShowCell(words)]])
  }

  private func showsNumbers(_ content: JSONValue) -> Bool { content["showsNumbers"]?.bool ?? true }

  private func mindfulBars(_ content: JSONValue) -> [String] {
    page.table(
      (content["macros"]?.array ?? []).map { [ShowCell(text($0["name"])), page.bar($0["progress"]?.double)] })
  }
}
