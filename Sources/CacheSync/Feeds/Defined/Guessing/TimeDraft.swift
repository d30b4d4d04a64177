/// A time of a definition being guessed.
struct TimeDraft {
  /// The paths of a moment or of a day.
  var paths: [String]
  var form: String?
  /// Whether to read a day, and a time of day that `clock` gives.
  var isDay = false
  var clock: (path: String, form: String?)?
  var timeZone: String?
  /// What says that the date as it is written is a whole day.
  var allDay: String?

  func write(_ key: StaticString, to json: inout JSONWriter) {
    if form == nil, clock == nil, timeZone == nil, allDay == nil, !isDay {
      json.key(key)
      write(paths, to: &json)
      return
    }
    json.member(
      key,
      object: { json in
        json.key(isDay ? "day" : "at")
        write(paths, to: &json)
        if let form { json.member("as", form) }
        if let clock {
          json.member("time", clock.path)
          if let form = clock.form { json.member("timeAs", form) }
        }
        if let timeZone { json.member("timeZone", timeZone) }
        if let allDay { json.member("allDay", allDay) }
      })
  }

  private func write(_ paths: [String], to json: inout JSONWriter) {
    if paths.count == 1 { return json.string(paths[0]) }
    json.array { json in for path in paths { json.string(path) } }
  }

  /// The paths for a person.
  var words: String { (paths.joined(separator: ", else ")) + (clock.map { " and \($0.path)" } ?? "") }
}
