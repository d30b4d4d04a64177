import CacheSync
import CacheSyncSystem
import Testing

/// What only narrows or decorates cannot remove (definitions.md section 6, feeds.md: tasks of calendars). The properties
/// and values are listed by hand.
@Suite("Calendars: properties that cannot be read")
struct UnreadablePropertiesTests {
  /// Values that are no date, each with its parameters.
  private static let dates = [
    ":", "", ":x", ":2026-11-24", ":20260230T080000Z", ":20261124T250000", ";TZID=PDT:20261124T080000",
    ";TZID=Mars/Olympus:20261124T080000", ";VALUE=DATE:20261124T080000Z",
  ]
  private static let numbers = [":", "", ":x", ":1.0", ":99999999999999999999"]
  private static let lengths = [":", "", ":x", ":-PT1H", ":1 hour", ":P1M"]

  /// The properties of a component, each with what cannot be read in it.
  private static func unreadable(of component: CalendarComponent) -> [(property: String, values: [String])] {
    let both: [(property: String, values: [String])] = [
      ("RECURRENCE-ID", dates), ("DTSTAMP", dates.filter { !$0.contains(";") }), ("CREATED", dates),
      ("LAST-MODIFIED", dates), ("RRULE", [":", ": "]), ("STATUS", ["", ":DONE", ":CANCELED"]), ("SUMMARY", [""]),
      ("DURATION", lengths),
      ("EXDATE", dates.filter { $0 != ":" }),
      ("RDATE", dates.filter { $0 != ":" } + [";VALUE=PERIOD:20261124T080000Z/x"]), ("EXRULE", ["", ":x"]),
    ]
    switch component {
    case .event:
      return both + [("DTEND", dates), ("SEQUENCE", numbers), ("LOCATION", [""]), ("ATTENDEE", [""])]
    case .toDo:
      return both + [
        ("DUE", dates), ("COMPLETED", dates), ("PERCENT-COMPLETE", numbers), ("CATEGORIES", [""]),
        ("RELATED-TO", [""]),
      ]
    }
  }

  @Test(
    "A component stays whole, with one warning at the property", arguments: CalendarComponent.allCases,
    ["", "RRULE:FREQ=DAILY;COUNT=3\n"])
  func stays(component: CalendarComponent, rule: String) throws {
    for (property, values) in Self.unreadable(of: component) {
      for value in values {
        // Without a rule a to-do does not need it.
        if component == .toDo, property == "EXDATE", rule.isEmpty { continue }
        let line = property + value
        let name = component.rawValue
        let text =
          "BEGIN:VCALENDAR\nBEGIN:\(name)\nUID:a\nDTSTART:20261123T080000Z\n\(rule)\(line)\nEND:\(name)\nEND:VCALENDAR\n"
        let file = try Calendars.read(text)
        #expect(file.problems.map(\.pointer) == ["/\(name)/0/\(property)"], "\(line)")
        #expect(file.problems.allSatisfy { $0.message.hasPrefix("\(property) is ignored") }, "\(line)")
        switch component {
        case .event:
          let starts = try Calendars.events(file).map { String($0.prefix(11)) }
          let extra = property == "RDATE" && value.contains("PERIOD") ? ["11-24T08:00"] : []
          #expect(
            starts == (rule.isEmpty ? ["11-23T08:00"] + extra : ["11-23T08:00", "11-24T08:00", "11-25T08:00"]),
            "\(line)")
        case .toDo: #expect(file.toDos.map { $0.start?.digits } == ["20261123T080000Z"], "\(line)")
        }
      }
    }
  }

  @Test("Of a list only the dates that cannot be read are ignored, each named")
  func lists() throws {
    let lines = "EXDATE:x,20261124T080000Z,y\nRDATE:z,20261128T080000Z"
    let file = try Calendars.read(
      Calendars.text("UID:a\nDTSTART:20261123T080000Z\nRRULE:FREQ=DAILY;COUNT=3\n" + lines))
    #expect(try Calendars.events(file).map { $0.prefix(11) } == ["11-23T08:00", "11-25T08:00", "11-28T08:00"])
    #expect(
      file.problems.map { $0.message.prefix { $0 != ":" } + $0.message.drop { $0 != "\"" }.prefix(3) } == [
        "EXDATE is ignored\"x\"", "EXDATE is ignored\"y\"", "RDATE is ignored\"z\"",
      ])
  }

  @Test("A start that cannot be read leaves out an event, and a to-do counts without it")
  func start() throws {
    for value in Self.dates {
      func text(_ name: String) -> String {
        "BEGIN:VCALENDAR\nBEGIN:\(name)\nUID:a\nDTSTART\(value)\nEND:\(name)\nEND:VCALENDAR\n"
      }
      let events = try Calendars.read(text("VEVENT"))
      #expect(events.series.isEmpty && events.problems.map(\.pointer) == ["/VEVENT/0/DTSTART"], "\(value)")
      let toDos = try Calendars.read(text("VTODO"))
      #expect(toDos.toDos.map { $0.start } == [nil] && toDos.problems.count == 1, "\(value)")
    }
  }

  // By hand: every VEVENT counts, the series as it is written.
  @Test(
    "A change of an occurrence whose RECURRENCE-ID cannot be read is an event of its own, and the series stays whole",
    arguments: dates)
  func changes(value: String) throws {
    let series = "UID:a\nDTSTART:20261123T080000Z\nRRULE:FREQ=DAILY;COUNT=2\nSUMMARY:series"
    for start in ["20261123T080000Z", "20261124T080000Z", "20261124T100000Z"] {
      let change = "UID:a\nRECURRENCE-ID\(value)\nDTSTART:\(start)\nSEQUENCE:3\nSUMMARY:change"
      for events in [[series, change], [change, series]] {
        let file = try Calendars.read(Calendars.text(events))
        #expect(
          try Calendars.events(file).filter { $0.hasSuffix("series") }.map { $0.prefix(11) }
            == ["11-23T08:00", "11-24T08:00"], "\(value) \(start)")
        #expect(try Calendars.events(file).count { $0.hasSuffix("change") } == 1, "\(value) \(start)")
        #expect(Set(try Calendars.ids(file)).count == 3)
        #expect(file.problems.count == 1)
      }
    }
    // One that is bad too is left out alone.
    let bad = try Calendars.read(Calendars.text(series, "UID:a\nRECURRENCE-ID\(value)\nDTSTART:x"))
    #expect(try Calendars.events(bad).count == 2 && bad.problems.map(\.pointer) == ["/VEVENT/1/DTSTART"])
  }

  @Test("Such a change of a to-do is a task of its own", arguments: dates)
  func changedToDos(value: String) throws {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VTODO
      UID:a
      DUE:20261123T080000Z
      RRULE:FREQ=DAILY
      SUMMARY:series
      END:VTODO
      BEGIN:VTODO
      UID:a
      RECURRENCE-ID\(value)
      STATUS:COMPLETED
      SUMMARY:change
      END:VTODO
      END:VCALENDAR
      """
    let file = try Calendars.read(text)
    #expect(file.toDos.map(\.title).sorted() == ["change", "series"])
    #expect(file.toDos.first { $0.title == "series" }?.due?.digits == "20261123T080000Z")
    #expect(Set(file.toDos.map(\.id)).count == 2)
    #expect(file.problems.map(\.pointer) == ["/VTODO/1/RECURRENCE-ID"])
  }

  // By hand, in Berlin: a day begins at 23:00Z of the day before.
  @Test(
    "An end that cannot be read or is before the start is ignored: the event has no length, or its one day",
    arguments: [
      ("DTSTART:20261123T080000Z", "DTEND:20261123T070000Z", "11-23T08:00/11-23T08:00"),
      ("DTSTART:20261123T170000", "DTEND:20261123T101500", "11-23T16:00/11-23T16:00"),
      ("DTSTART:20261123T080000Z", "DTEND;TZID=Europe/Berlin:20261123T085959", "11-23T08:00/11-23T08:00"),
      ("DTSTART:20261123T080000Z", "DTEND:20261124", "11-23T08:00/11-23T08:00"),
      // Before in every zone that the cache may have.
      ("DTSTART:20261123T110000", "DTEND:20261114T083000Z", "11-23T10:00/11-23T10:00"),
      ("DTSTART;TZID=Europe/Berlin:20261123T100000", "DTEND:20261122T060000", "11-23T09:00/11-23T09:00"),
      ("DTSTART:20261123T080000Z", "DTEND;TZID=PDT:20261124T080000", "11-23T08:00/11-23T08:00"),
      ("DTSTART:20261123T080000Z", "DURATION:-PT1H", "11-23T08:00/11-23T08:00"),
      ("DTSTART:20261123T080000Z", "DURATION:one hour", "11-23T08:00/11-23T08:00"),
      ("DTSTART:20261123", "DTEND:20261122", "11-22T23:00/11-23T23:00"),
      ("DTSTART:20261123", "DTEND:20261125T080000Z", "11-22T23:00/11-23T23:00"),
      ("DTSTART:20261123", "DURATION:-P1D", "11-22T23:00/11-23T23:00"),
    ])
  func ends(start: String, end: String, times: String) throws {
    for lines in [start + "\n" + end, end + "\n" + start] {
      let file = try Calendars.read(Calendars.text("UID:a\n" + lines))
      #expect(try Calendars.events(file).map { $0.prefix(23) } == [times[...]])
      #expect(file.problems.count == 1 && file.problems[0].message.contains(" is ignored: "))
    }
    // The other end counts.
    let other =
      end.hasPrefix("DTEND") ? "DURATION:P3D" : start.hasSuffix("Z") ? "DTEND:20261126T080000Z" : "DTEND:20261126"
    let file = try Calendars.read(Calendars.text("UID:a\n\(start)\n\(end)\n\(other)"))
    #expect(
      try Calendars.events(file).map { $0.dropFirst(12).prefix(5) } == [start.hasSuffix("23") ? "11-25" : "11-26"])
  }

  @Test("Empty entries of a rule are left out, and a warning names each part")
  func rules() throws {
    let rule = "RRULE:FREQ=WEEKLY;BYDAY=MO,,TU;INTERVAL=;COUNT=3;BYMONTH=,"
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART:20261123T080000Z\n" + rule))
    #expect(try Calendars.events(file).map { $0.prefix(5) } == ["11-23", "11-24", "11-30"])
    #expect(
      Calendars.problems(file)
        == ["BYDAY", "INTERVAL", "BYMONTH"].map {
          "6: \($0) of the rule has an empty entry, which is ignored [/VEVENT/0/RRULE]"
        })
  }

  @Test("A zone's rule may have empty entries too")
  func zones() throws {
    let head = """
      BEGIN:VTIMEZONE
      TZID:Own
      BEGIN:STANDARD
      DTSTART:19701025T030000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0300
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10,;INTERVAL=
      END:STANDARD
      END:VTIMEZONE
      """
    let file = try Calendars.read(
      Calendars.text("UID:a\nDTSTART;TZID=Own:20261123T080000", "UID:b\nDTSTART;TZID=own:20261123T090000", head: head))
    #expect(try Calendars.events(file).map { $0.prefix(11) } == ["11-23T05:00", "11-23T06:00"])
    #expect(
      Calendars.problems(file)
        == ["BYMONTH", "INTERVAL"].map {
          "9: \($0) of the rule has an empty entry, which is ignored [/VTIMEZONE]"
        })
  }

  @Test(
    "A rule of another calendar than the Gregorian one is ignored with a warning, and the first occurrence shows",
    arguments: CalendarComponent.allCases)
  func rulesOfOtherCalendars(component: CalendarComponent) throws {
    let name = component.rawValue
    let file = try Calendars.read(
      """
      BEGIN:VCALENDAR
      BEGIN:\(name)
      UID:a
      SUMMARY:Passover
      DTSTART;VALUE=DATE:20261124
      RRULE:RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD
      END:\(name)
      END:VCALENDAR

      """)
    #expect(
      Calendars.problems(file) == [
        #"6: "Passover": RRULE is ignored, so only the first occurrence shows: "#
          + #"RSCALE is "HEBREW", and only GREGORIAN is known [/\#(name)/0/RRULE]"#
      ])
    switch component {
    case .event: #expect(try Calendars.ids(file, to: "2030-01-01") == ["a"])
    case .toDo: #expect(file.toDos.map(\.id) == ["a"] && file.toDos.first?.start?.digits == "20261124")
    }
  }
}
