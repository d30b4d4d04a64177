import CacheSync

// Tasks and events.
extension KindText {
  func todaysTasks(_ content: JSONValue) -> [String] {
    let tasks = content["tasks"]?.array ?? []
    guard !tasks.isEmpty else { return [page.green("✓ ") + text(content["text"])] }
    let rows = page.table(
      tasks.map { task -> [ShowCell] in
        let labels = (task["labels"]?.array ?? []).map { "#" + text($0["name"]) }.joined(separator: " ")
        return [ShowCell("○ " + text(task["title"])), due(task["dueDate"]), ShowCell(labels, paint: page.faint)]
      })
    return [text(content["text"])] + rows + more(content["more"])
  }

  /// A day's first instant is how a due day is published.
  private func due(_ value: JSONValue?) -> ShowCell {
    guard let due = value?.instant else { return ShowCell(ShowPage.dash) }
    let day = page.calendar.day(of: due)
    let isDay = page.calendar.start(of: day) == due
    let text = isDay ? page.date(day) : page.time(due)
    let isLate = !isDay && due < page.moment.instant
    return ShowCell("due \(text)") { isLate ? page.red($0) : $0 }
  }

  func taskProgress(_ content: JSONValue) -> [String] {
    let count = "\(whole(content["completed"])) of \(whole(content["total"]))"
    return page.table([[page.bar(content["progress"]?.double), ShowCell(count)]])
  }

  func quickAdd(_ content: JSONValue) -> [String] {
    page.table(
      (content["actions"]?.array ?? []).map { action -> [ShowCell] in
        [ShowCell("+ " + text(action["title"])), ShowCell(text(action["deepLink"]), paint: page.faint)]
      })
  }

  func calendar(_ content: JSONValue) -> [String] {
    let events = content["events"]?.array ?? []
    let rows = events.isEmpty ? ["No upcoming events"] : page.table(events.map(event))
    return ["📅 " + text(content["month"])] + rows + more(content["more"])
  }

  func nextEvent(_ content: JSONValue) -> [String] {
    guard let next = content["event"], next != .null else { return [text(content["text"])] }
    return page.table([event(next)])
  }

  private func event(_ event: JSONValue) -> [ShowCell] {
    let place = event["location"]?.string.map { "@ " + page.clean($0) } ?? ShowPage.dash
    return [ShowCell(span(event)), ShowCell(text(event["title"])), ShowCell(place, paint: page.faint)]
  }

  /// "14:00–15:30", with the date of what is not today, and of the end when it is another day's.
  private func span(_ event: JSONValue) -> String {
    guard let start = event["startTime"]?.instant, let end = event["endTime"]?.instant else { return ShowPage.dash }
    let isOneDay = page.calendar.wallTime(of: start).day == page.calendar.wallTime(of: end).day
    if end == start { return page.time(start) }
    return "\(page.time(start))–\(isOneDay ? page.clock(end) : page.time(end))"
  }
}
