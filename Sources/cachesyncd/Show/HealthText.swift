import CacheSync

extension KindText {
  func budget(_ content: JSONValue) -> [String] {
    guard !isEmpty else { return [ShowPage.dash] }
    var rows = [energy(content, progress: content["progress"]?.double)]
    rows.append(
      "base \(whole(content["base"])), today \(signed(content["dailyAdjustment"])): credit \(signed(content["credit"]))"
        + " over \(days(content["daysLeft"]))")
    let doubt = content["isValid"]?.bool == true ? "" : page.yellow("  too few days to be sure")
    rows.append(
      "maintenance \(whole(content["maintenance"])) kcal a day, confidence \(percent(content["confidence"]))" + doubt)
    rows += (content["flags"]?.array ?? []).map { page.yellow("• " + page.clean(Self.words($0.string))) }
    return rows
  }

  func macros(_ content: JSONValue) -> [String] {
    let macros = content["macros"]?.array ?? []
    guard !macros.isEmpty else { return [ShowPage.dash] }
    return page.table(
      macros.map { macro -> [ShowCell] in
        [
          ShowCell(text(macro["name"])),
          ShowCell("\(decimal(macro["grams"])) / \(decimal(macro["budget"])) g", isRightAligned: true),
          page.bar(macro["progress"]?.double), rest(macro["remaining"], unit: " g"),
        ]
      })
  }

  func overview(_ content: JSONValue) -> [String] {
    guard !isEmpty else { return [ShowPage.dash] }
    let calories = content["calories"] ?? .null
    let budget = calories["budget"]?.double ?? 0
    let progress = budget > 0 ? (calories["intake"]?.double ?? 0) / budget : 0
    return [energy(calories, progress: progress), weight(content["weight"] ?? .null)] + macros(content)
      + week(content["week"]?.array ?? [])
  }

  private func energy(_ content: JSONValue, progress: Double?) -> String {
    page.table([
      [
        ShowCell("🔥 \(whole(content["intake"])) / \(whole(content["budget"])) kcal"), page.bar(progress),
        rest(content["remaining"], unit: ""),
      ]
    ]).joined()
  }

  /// What may still be eaten, or how much it is too much.
  private func rest(_ value: JSONValue?, unit: String) -> ShowCell {
    guard let rest = value?.double else { return ShowCell("") }
    guard rest < 0 else { return ShowCell("\(whole(value))\(unit) left") }
    return ShowCell("\(whole(.number(-rest)))\(unit) over", paint: page.red)
  }

  private func days(_ value: JSONValue?) -> String { value?.int == 1 ? "1 day" : "\(whole(value)) days" }

  private func weight(_ weight: JSONValue) -> String {
    let sign =
      switch weight["trend"]?.string {
      case "down": "↓"
      case "up": "↑"
      default: "→"
      }
    let latest = weight["latest"]?.double == nil ? ShowPage.dash : "\(decimal(weight["latest"])) kg"
    return "weight \(latest)  \(sign) \(decimal(weight["slopePerWeek"], places: 2)) kg a week"
  }

  private func week(_ days: [JSONValue]) -> [String] {
    let greatest = days.compactMap { $0["intake"]?.double }.max() ?? 0
    return page.table(
      days.map { day -> [ShowCell] in
        let intake = day["intake"]?.double
        return [
          ShowCell(
            day["date"]?.string.flatMap { LocalDay($0) }.map { page.date($0) } ?? ShowPage.dash, paint: page.faint),
          ShowCell(whole(day["intake"]), isRightAligned: true),
          intake == nil ? ShowCell("") : page.bar(greatest > 0 ? (intake ?? 0) / greatest : 0),
        ]
      })
  }

  /// `slopeClamped` as people write it: "slope clamped".
  private static func words(_ name: String?) -> String {
    (name ?? ShowPage.dash).reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
  }
}
