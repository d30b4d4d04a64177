/// A time of a definition being guessed.
struct TimeDraft {
  /// The paths of a moment or of a day.
  var paths: [String]
  var form: String?
  /// Whether to read a day, and a time of day that `clock` gives.
  var isDay = false
  var clock: (path: String, form: String?)?
  var timeZone: String?
  /// What says that the date means whole days.
  var allDay: AllDay?
  /// Other notations of the same time, for items that do not have the first.
  var otherwise: [TimeDraft] = []

  enum AllDay {
    case always
    case flag(String)
  }

  func write(_ key: StaticString, to json: inout JSONWriter) {
    json.key(key)
    if otherwise.isEmpty { return write(to: &json) }
    json.array { json in
      for draft in [self] + otherwise { draft.write(to: &json) }
    }
  }

  private func write(to json: inout JSONWriter) {
    if form == nil, clock == nil, timeZone == nil, allDay == nil, !isDay { return write(paths, to: &json) }
    json.object { json in
      json.key(isDay ? "day" : "at")
      write(paths, to: &json)
      if let form { json.member("as", form) }
      if let clock {
        json.member("time", clock.path)
        if let form = clock.form { json.member("timeAs", form) }
      }
      if let timeZone { json.member("timeZone", timeZone) }
      switch allDay {
      case .always?: json.member("allDay", true)
      case .flag(let path)?: json.member("allDay", path)
      case nil: break
      }
    }
  }

  private func write(_ paths: [String], to json: inout JSONWriter) {
    if paths.count == 1 { return json.string(paths[0]) }
    json.array { json in for path in paths { json.string(path) } }
  }

  /// The paths for a person.
  var words: String {
    let own = paths.joined(separator: ", else ") + (clock.map { " and \($0.path)" } ?? "")
    return ([own] + otherwise.map(\.words)).joined(separator: ", else ")
  }
}
