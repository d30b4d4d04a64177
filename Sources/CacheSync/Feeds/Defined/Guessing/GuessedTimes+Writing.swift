extension GuessedTimes {
  /// Adds the members to the definition's `items`.
  func write(to json: inout JSONWriter) {
    start.write("start", to: &json)
    switch end {
    case .next?: json.member("end", "next")
    case .time(let end)?: end.write("end", to: &json)
    case nil: break
    }
    if let repeats { json.member("repeats", repeats) }
    if let except { json.member("except", except) }
  }

  /// Adds the field that a rule for weekdays uses.
  func writeFields(to json: inout JSONWriter) {
    guard let weekday else { return }
    if weekday.words.allSatisfy({ WeekdayWords.rule(of: $0) == $0 }) { return json.member("weekday", weekday.path) }
    json.member(
      "weekday",
      object: { json in
        json.member("from", weekday.path)
        json.member(
          "map",
          object: { json in
            for word in weekday.words {
              json.key(named: word)
              json.string(WeekdayWords.rule(of: word) ?? word)
            }
          })
      })
  }
}
