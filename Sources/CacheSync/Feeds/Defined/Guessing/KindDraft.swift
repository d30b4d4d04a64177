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

  var kind: OrderedJSON {
    var members: [(String, OrderedJSON)] = [("show", .text(show.rawValue))]
    if show == .nextDay { members.append(("within", .number(14))) }
    if !title, hasValue {
      members.append(("template", .text("value")))
      members.append(("values", .object([("now", .object([("first", .text("value"))]))])))
      members.append(("content", .object([("value", .text("{now}"))])))
      members.append(("empty", .object([("text", .text("Nothing now"))])))
      return .object(members)
    }
    if let values { members.append(("values", .object(values))) }
    members.append(("content", .object([("text", .text(text))])))
    members.append(("empty", .object([("text", .text(times == nil ? "Nothing" : "Nothing soon"))])))
    members.append(("items", .object(items)))
    return .object(members)
  }

  private var values: [(String, OrderedJSON)]? {
    func first(_ name: String) -> OrderedJSON { .object([("first", .text(name))]) }
    switch show {
    case .nextDay where title: return [("when", first("start")), ("names", .object([("list", .text("title"))]))]
    case .coming where title: return [("when", first("start")), ("what", first("title"))]
    default: return nil
    }
  }

  private var text: String {
    switch show {
    case .nextDay where title: "{when:relative}: {names}"
    case .coming where title: "{when:relative} {when:HH:mm} {what}"
    default: "{count} {count:item|items}"
    }
  }

  private var items: [(String, OrderedJSON)] {
    var items: [(String, OrderedJSON)] = [("title", .text(title ? "{title}" : "{start:d MMM HH:mm}"))]
    if !title, times == nil { items[0].1 = .text("{index}") }
    var detail: [String] = []
    switch show {
    case .today, .now: detail.append("{start:HH:mm}")
    case .coming: detail.append("{start:EEE} {start:HH:mm}")
    case .nextDay, .all: break
    }
    if hasDetail { detail.append("{detail}") }
    if !detail.isEmpty { items.append(("detail", .text(detail.joined(separator: " ")))) }
    return items
  }
}
