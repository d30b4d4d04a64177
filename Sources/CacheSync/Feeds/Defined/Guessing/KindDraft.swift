/// The kind of a guessed definition: what its readers get.
struct KindDraft {
  let labels: GuessedLabels
  let times: GuessedTimes?
  let choice: ShowChoice
  /// How the fields of a document that is one item are named.
  var details: [(name: String, field: String)] = []
  /// The unit of the value, if the sample says it.
  var unit: String?

  /// Whether title and detail are the two sides of a match.
  var isMatch = false

  /// Whether the field `share` says how much of a whole there is.
  var hasShare = false

  private var isValue: Bool { labels.title == nil && labels.value != nil && details.isEmpty }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("show", choice.show.rawValue)
      switch choice.show {
      case .next, .coming, .nextDay: if choice.within != 7 { json.member("within", choice.within) }
      default: break
      }
      if choice.order == .newestFirst, !isValue { json.member("order", ["-start"]) }
      if hasShare {
        writeRing(to: &json)
      } else if isValue {
        writeValue(to: &json)
      } else {
        writeList(to: &json)
      }
    }
  }

  // MARK: One value

  private func writeValue(to json: inout JSONWriter) {
    let operation: StaticString = choice.order == .newestFirst ? "last" : "first"
    json.member("template", "value")
    json.member("values", object: { $0.member("now", object: { $0.member(operation, "value") }) })
    json.member(
      "content",
      object: { json in
        json.member("value", "{now}")
        if let unit { json.member("unit", unit) }
      })
    json.member("empty", object: { $0.member("text", "Nothing now") })
  }

  private func writeRing(to json: inout JSONWriter) {
    json.member("template", "ring")
    json.member(
      "values",
      object: { json in
        for name in labels.title == nil ? ["share"] : ["title", "share"] {
          json.key(named: name)
          json.object { $0.member("first", name) }
        }
      })
    json.member(
      "content",
      object: { json in
        json.member("progress", "{share}")
        if labels.title != nil { json.member("text", "{title}") }
      })
    json.member("empty", object: { $0.member("text", empty) })
  }

  // MARK: A list

  private func writeList(to json: inout JSONWriter) {
    let (text, values) = content
    let isMixed = values.contains { $0.field == "allDay" }
    if !values.isEmpty {
      json.member(
        "values",
        object: { json in
          for value in values { json.member(value.name, object: { $0.member(value.operation, value.field) }) }
        })
    }
    json.member(
      "content",
      object: { json in
        if isMixed {
          writeCases(of: "text", if: "whole", text, else: "{when:relative} {when:HH:mm} {what}", to: &json)
        } else {
          json.member("text", text)
        }
      })
    json.member("empty", object: { $0.member("text", empty) })
    json.member("items", object: writeItems)
  }

  private struct Value {
    let name: StaticString
    let operation: StaticString
    let field: String

    static let when = Value(name: "when", operation: "first", field: "start")
    static let what = Value(name: "what", operation: "first", field: "title")
    static let whole = Value(name: "whole", operation: "first", field: "allDay")
    static let names = Value(name: "names", operation: "list", field: "title")
  }

  private var content: (text: String, values: [Value]) {
    let count = "{count} {count:item|items}"
    guard labels.title != nil else { return (count, []) }
    if !details.isEmpty { return ("{what}", [.what]) }
    switch choice.show {
    case .nextDay: return ("{when:relative}: {names}", [.when, .names])
    case .coming where choice.isCountdown: return ("{what} {when:days}", [.when, .what])
    case .coming where times?.hasTime == true && times?.isMixed == false:
      return ("{when:relative} {when:HH:mm} {what}", [.when, .what])
    case .coming where times?.isMixed == true: return ("{when:relative}: {what}", [.when, .what, .whole])
    case .coming, .next: return ("{when:relative}: {what}", [.when, .what])
    case .due where choice.order == .newestFirst: return ("{what}", [.what])
    case .due: return ("{count} due, first {what}", [.what])
    case .today: return ("{names}", [.names])
    case .all, .now: return (count, [])
    }
  }

  private var empty: String {
    switch choice.show {
    case .all, .now: "Nothing"
    case .today: "Nothing today"
    case .due: choice.order == .newestFirst ? "Nothing" : "Nothing due"
    case .next, .coming, .nextDay: "Nothing soon"
    }
  }

  private func writeItems(to json: inout JSONWriter) {
    let title =
      isMatch
      ? "{title} – {detail}"
      : labels.title != nil
        ? "{title}"
        : times == nil
          ? (details.isEmpty ? "{index}" : "Values") : "{start:d MMM}\(times?.hasTime == true ? " {start:HH:mm}" : "")"
    json.member("title", title)
    let rest: String
    if !details.isEmpty {
      rest = details.map { "\($0.name) {\($0.field)}" }.joined(separator: ", ")
    } else if isMatch {
      rest = ""
    } else if labels.title != nil, labels.detail != nil {
      rest = "{detail}"
    } else {
      rest = labels.value != nil ? "{value}" : ""
    }
    let when = labels.title == nil ? "" : when
    func joined(_ when: String) -> String { [when, rest].filter { !$0.isEmpty }.joined(separator: " ") }
    guard times?.isMixed == true, !when.isEmpty, let day else {
      let detail = joined(when)
      if !detail.isEmpty { json.member("detail", detail) }
      return
    }
    let whole = joined(choice.show == .coming ? "\(day), all day" : day)
    writeCases(of: "detail", if: "allDay", whole, else: joined(when), to: &json)
  }

  /// Writes a text that depends on a flag.
  private func writeCases(
    of name: StaticString, if flag: String, _ text: String, else other: String, to json: inout JSONWriter
  ) {
    json.member(
      name,
      array: { json in
        json.object { json in
          json.member(
            "if",
            object: { json in
              json.member("field", flag)
              json.member("is", true)
            })
          json.member("text", text)
        }
        json.string(other)
      })
  }

  /// The format of the day of an item; nil if the content says it.
  private var day: String? {
    switch choice.show {
    case .coming, .next:
      choice.isCountdown ? "{start:days}" : choice.within > 7 ? "{start:d MMM}" : "{start:EEE}"
    case .due: choice.order == .newestFirst ? "{start:days}" : "{start:d MMM}"
    case .all: "{start:d MMM}"
    case .today, .now, .nextDay: nil
    }
  }

  private var when: String {
    guard let times else { return "" }
    let clock = times.hasTime && !choice.isCountdown ? "{start:HH:mm}" : nil
    return [day, clock].compactMap(\.self).joined(separator: " ")
  }
}
