/// An exported calendar as an iCalendar file (RFC 5545): equal components give equal bytes.
package struct CalendarDocument {
  private var bytes: [UInt8] = []
  private var zones = ExportedZones()

  /// - Parameters:
  ///   - name: what people call the calendar.
  ///   - space: what makes an id unique among all calendars of this machine, such as `tasks.cache`.
  package static func text(
    of components: [ExportedComponent], named name: String, space: String
  ) -> [UInt8] {
    var document = CalendarDocument()
    document.line("BEGIN", "VCALENDAR")
    document.line("VERSION", "2.0")
    document.line("PRODID", "-//CacheSync//cachesyncd//EN")
    for property in ["NAME", "X-WR-CALNAME"] { document.line(property, escaped(name)) }
    // RFC 7986, and what programs before it read: how often it is worth asking again.
    for property in ["REFRESH-INTERVAL;VALUE=DURATION", "X-PUBLISHED-TTL"] { document.line(property, "PT1H") }
    let all = components.enumerated().map { index, component in
      (component: component, uid: component.uid ?? "\(component.id)@\(space).cachesync", index: index)
    }.sorted(by: isBefore)
    for case .zoned(_, let date) in all.flatMap({ $0.component.properties }) { document.zones.add(date) }
    for zone in document.zones.all.sorted(by: { isOrdered($0.name, before: $1.name) }) {
      document.line("BEGIN", "VTIMEZONE")
      for (name, value) in zone.lines { document.line(name, value) }
      document.line("END", "VTIMEZONE")
    }
    for (component, uid, _) in all { document.write(component, uid: uid) }
    document.line("END", "VCALENDAR")
    return document.bytes
  }

  /// By date, without one last, then by UID, and a series before its changes.
  private static func isBefore(
    _ a: (component: ExportedComponent, uid: String, index: Int),
    _ b: (component: ExportedComponent, uid: String, index: Int)
  ) -> Bool {
    switch (a.component.order, b.component.order) {
    case (let x?, let y?) where x != y: x < y
    case (_?, nil): true
    case (nil, _?): false
    default: isSameText(a.uid, b.uid) ? a.index < b.index : isOrdered(a.uid, before: b.uid)
    }
  }

  private mutating func write(_ component: ExportedComponent, uid: String) {
    line("BEGIN", component.form.rawValue)
    line("UID", Self.escaped(uid))
    line("DTSTAMP", Self.utc(component.stamp))
    for property in component.properties { write(property) }
    for alarm in component.alarms {
      line("BEGIN", "VALARM")
      for property in alarm { write(property) }
      line("END", "VALARM")
    }
    line("END", component.form.rawValue)
  }

  private mutating func write(_ property: ExportedComponent.Property) {
    switch property {
    case .escaped(let name, let text): line(name, Self.escaped(text))
    case .list(let name, let texts): line(name, texts.map(Self.escaped).joined(separator: ","))
    case .day(let name, let day): line("\(name);VALUE=DATE", day.description.filter { $0 != "-" })
    case .moment(let name, let moment): line(name, Self.utc(moment))
    case .zoned(let name, let date):
      if date.isDay {
        line("\(name);VALUE=DATE", date.wall.exported(isDay: true))
      } else if let zone = zones.name(of: date) {
        line("\(name);TZID=\(zone)", date.wall.exported())
      } else {
        line(name, date.utc.map { "\($0.exported())Z" } ?? date.wall.exported())
      }
    case .plain(let name, let word): line(name, word)
    }
  }

  /// `20261124T120000Z`
  private static func utc(_ moment: Instant) -> String { moment.description.filter { $0 != "-" && $0 != ":" } }

  /// A value of type TEXT (RFC 5545, 3.3.11). Other control characters are not allowed in a file, and are left out.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\", ";", ",": escaped.unicodeScalars.append(contentsOf: ["\\", character])
      case "\n": escaped += "\\n"
      case "\t": escaped += "\t"
      case _ where character.value < 0x20 || character.value == 0x7F: break
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// How many bytes a line may have (RFC 5545, 3.1).
  private static let longestLine = 75

  /// Writes a line, folded between characters.
  private mutating func line(_ name: String, _ value: String) {
    var length = 0
    for character in "\(name):\(value)".unicodeScalars {
      let width = UTF8.width(character)
      if length + width > Self.longestLine {
        bytes += Array("\r\n ".utf8)
        length = 1
      }
      bytes += Array(UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
      length += width
    }
    bytes += Array("\r\n".utf8)
  }
}

/// A component of an iCalendar file that is read or written (RFC 5545, 3.6).
package enum CalendarComponent: String, CaseIterable, Sendable {
  case event = "VEVENT"
  case toDo = "VTODO"
}
