import CacheSync

extension KindText {
  func quickSelection(_ content: JSONValue) -> [String] {
    let today = content["today"] ?? .null
    let shoes = (content["top"]?.array ?? []).map { shoe -> [ShowCell] in
      let isActive = shoe["isActive"]?.bool == true
      return [
        ShowCell(isActive ? "●" : "○") { isActive ? page.green($0) : page.faint($0) }, ShowCell(text(shoe["name"])),
        ShowCell(model(shoe), paint: page.faint),
      ]
    }
    return [worn(content["currentShoe"]), walked(today)] + page.table(shoes)
  }

  func dailyStats(_ content: JSONValue) -> [String] {
    var active = "active \(duration(content["activeSeconds"]))"
    if let since = content["activeSince"]?.instant { active += ", and since \(page.time(since))" }
    return [worn(content["currentShoe"]), walked(content), active]
  }

  func smartSuggestions(_ content: JSONValue) -> [String] {
    let rows = (content["suggestions"]?.array ?? []).map { shoe -> [ShowCell] in
      [
        ShowCell(text(shoe["name"])), page.bar(shoe["confidence"]?.double), ShowCell(text(shoe["match"])),
        ShowCell(text(shoe["reason"]), paint: page.faint),
      ]
    }
    let suggestions = rows.isEmpty ? [ShowPage.dash] : page.table(rows)
    return [text(content["slot"])] + suggestions + ["week  " + text(content["insight"]?["text"])]
  }

  func currentShoe(_ content: JSONValue) -> [String] {
    guard let words = content["rectangular"], words != .null else { return ["👟 " + text(content["inline"])] }
    return ["👟 \(text(words["title"]))  " + page.faint(text(words["subtitle"]))]
  }

  private func worn(_ shoe: JSONValue?) -> String {
    guard let shoe, shoe != .null else { return "👟 \(ShowPage.dash)" }
    return "👟 \(text(shoe["name"]))  " + page.faint("since \(time(shoe["since"]))")
  }

  private func model(_ shoe: JSONValue) -> String {
    let words = [shoe["brand"]?.string, shoe["model"]?.string].compactMap(\.self).filter { !$0.isEmpty }
    return words.isEmpty ? ShowPage.dash : words.map { page.clean($0) }.joined(separator: " ")
  }

  private func walked(_ content: JSONValue) -> String {
    "\(whole(content["steps"])) steps, \(decimal(content["distance"], places: 2)) km"
  }

  /// "1 h 5 min"; less than a minute is 0 min.
  private func duration(_ value: JSONValue?) -> String {
    guard let minutes = value?.double.flatMap({ Int(exactly: ($0 / 60).rounded(.down)) }) else { return ShowPage.dash }
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
