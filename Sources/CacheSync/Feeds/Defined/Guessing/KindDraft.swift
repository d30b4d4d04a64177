/// The kind of a guessed definition: what its readers get.
struct KindDraft {
  let title: Bool
  let hasValue: Bool
  let hasDetail: Bool
  let times: GuessedTimes?

  private enum Show: String {
    case all, today, now, coming, nextDay
  }

  private var show: Show {
    guard let times else { return .all }
    if times.repeatsWeekly { return .today }
    if !title, hasValue, times.hasEnd { return .now }
    return times.hasTime ? .coming : .nextDay
  }

  var reason: String {
    switch show {
    case .all: "show: all of them"
    case .today: "show: today's"
    case .now: "show: the one in force now"
    case .coming: "show: what is on or starts within 7 days"
    case .nextDay: "show: those of the next day that has any, within 14 days"
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("show", show.rawValue)
      if show == .nextDay { json.member("within", 14) }
      if !title, hasValue {
        json.member("template", "value")
        json.member("values", object: { $0.member("now", object: { $0.member("first", "value") }) })
        json.member("content", object: { $0.member("value", "{now}") })
        json.member("empty", object: { $0.member("text", "Nothing now") })
      } else {
        writeValues(to: &json)
        json.member("content", object: { $0.member("text", text) })
        json.member("empty", object: { $0.member("text", times == nil ? "Nothing" : "Nothing soon") })
        json.member("items", object: writeItems)
      }
    }
  }

  private func writeValues(to json: inout JSONWriter) {
    guard title, show == .nextDay || show == .coming else { return }
    json.member(
      "values",
      object: { json in
        json.member("when", object: { $0.member("first", "start") })
        if show == .nextDay {
          json.member("names", object: { $0.member("list", "title") })
        } else {
          json.member("what", object: { $0.member("first", "title") })
        }
      })
  }

  private var text: String {
    switch show {
    case .nextDay where title: "{when:relative}: {names}"
    case .coming where title: "{when:relative} {when:HH:mm} {what}"
    default: "{count} {count:item|items}"
    }
  }

  private func writeItems(to json: inout JSONWriter) {
    json.member("title", title ? "{title}" : times == nil ? "{index}" : "{start:d MMM HH:mm}")
    var detail: [String] = []
    switch show {
    case .today, .now: detail.append("{start:HH:mm}")
    case .coming: detail.append("{start:EEE} {start:HH:mm}")
    case .nextDay, .all: break
    }
    if hasDetail { detail.append("{detail}") }
    if !detail.isEmpty { json.member("detail", detail.joined(separator: " ")) }
  }
}
