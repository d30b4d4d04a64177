import Testing

import CacheSync

/// Samples whose times stand for days, or are of what is done. A person in Berlin said what each should give.
@Suite("Guesses about days") struct GuessedDaysTests {
  @Test(
    "Times that are all midnights, in the zone of any of these, are whole days",
    arguments: [
      // Local midnights in UTC, of the cache's zone: on both sides of the change of clocks.
      (
        #"[{"n":"Paper","date":"2026-10-22T22:00:00.000Z"},{"n":"Glass","date":"2026-11-24T23:00:00.000Z"}]"#,
        #"{"allDay":true,"at":"@.date"}"#,
        ["2026-10-22T22:00:00Z…2026-10-23T22:00:00Z", "2026-11-24T23:00:00Z…2026-11-25T23:00:00Z"]
      ),
      // Of the zone beside the time.
      (
        #"[{"n":"Paper","date":"2026-11-24T13:00:00Z","timeZone":"Australia/Melbourne"}]"#,
        #"{"allDay":true,"at":"@.date","timeZone":"@.timeZone"}"#, ["2026-11-24T23:00:00Z…2026-11-25T23:00:00Z"]
      ),
      (
        #"[{"n":"Paper","date":{"dateTime":"2026-11-25T05:00:00Z","tz":"America/New_York"}}]"#,
        #"{"allDay":true,"at":"@.date.dateTime","timeZone":"@.date.tz"}"#, ["2026-11-24T23:00:00Z…2026-11-25T23:00:00Z"]
      ),
      // Of the zone that the file names.
      (
        #"{"timezone":"America/New_York","rows":[{"n":"Paper","date":"2026-11-25T05:00:00Z"}]}"#,
        #"{"allDay":true,"at":"@.date"}"#, ["2026-11-24T23:00:00Z…2026-11-25T23:00:00Z"]
      ),
      // As written: everywhere, by an own offset, without one, as a number; and the last minute of a day.
      (
        #"[{"n":"Paper","date":"2026-11-25T00:00:00Z"},{"n":"Glass","date":"2026-11-26T23:59:59Z"}]"#,
        #"{"allDay":true,"at":"@.date"}"#,
        ["2026-11-24T23:00:00Z…2026-11-25T23:00:00Z", "2026-11-25T23:00:00Z…2026-11-26T23:00:00Z"]
      ),
      (
        #"[{"n":"Paper","date":"2026-11-25T00:00:00-05:00"}]"#, #"{"allDay":true,"at":"@.date"}"#,
        ["2026-11-24T23:00:00Z…2026-11-25T23:00:00Z"]
      ),
      (
        #"[{"n":"Paper","date":"2026-11-25T00:00:00"},{"n":"Glass","date":"2026-12-02T00:00:00"}]"#,
        #"{"day":"@.date"}"#,
        ["2026-11-24T23:00:00Z…2026-11-25T23:00:00Z", "2026-12-01T23:00:00Z…2026-12-02T23:00:00Z"]
      ),
      // `date -u -d 2026-11-25 +%s`
      (
        #"[{"n":"Paper","date":1795564800}]"#, #"{"allDay":true,"as":"unix","at":"@.date"}"#,
        ["2026-11-24T23:00:00Z…2026-11-25T23:00:00Z"]
      ),
      // One is within a day, so they are times.
      (
        #"[{"n":"Paper","date":"2026-11-24T23:00:00Z"},{"n":"Glass","date":"2026-11-25T17:00:00Z"}]"#, #""@.date""#,
        ["2026-11-24T23:00:00Z…2026-11-24T23:00:00Z", "2026-11-25T17:00:00Z…2026-11-25T17:00:00Z"]
      ),
      // Here the end is within a day.
      (
        #"[{"n":"Paper","start":"2026-11-24T23:00:00Z","end":"2026-11-25T01:00:00Z"}]"#, #""@.start""#,
        ["2026-11-24T23:00:00Z…2026-11-25T01:00:00Z"]
      ),
      (
        #"[{"n":"Fair","start":"2026-11-24T23:00:00Z","end":"2026-11-26T23:00:00Z"}]"#,
        #"{"allDay":true,"at":"@.start"}"#, ["2026-11-24T23:00:00Z…2026-11-26T23:00:00Z"]
      ),
      // A flag says which.
      (
        #"[{"n":"Paper","all_day":true,"date":"2026-11-24T23:00:00Z"},{"n":"Call","all_day":false,"date":"2026-11-25T09:00:00Z"}]"#,
        #"{"allDay":"@.all_day","at":"@.date"}"#,
        ["2026-11-24T23:00:00Z…2026-11-25T23:00:00Z", "2026-11-25T09:00:00Z…2026-11-25T09:00:00Z"]
      ),
    ])
  func midnights(sample: String, start: String, times: [String]) throws {
    let guessed = try Guessed(sample)
    #expect(guessed.items["start"].map { String(decoding: $0.bytes, as: UTF8.self) } == start, "\(guessed.document)")
    #expect(guessed.lines.map { String($0.prefix(41)) } == times, "\(guessed.document)")
  }

  @Test(
    "What is done is left out",
    arguments: [
      #""completed":true"#, #""isCompleted":true"#, #""completed_at":"2026-11-20T08:00:00Z""#, #""erledigt":true"#,
      #""checked":true"#,
    ])
  func done(member: String) throws {
    let open = member.replacing("true", with: "false").replacing(#""2026-11-20T08:00:00Z""#, with: "null")
    let guessed = try Guessed(
      #"[{"title":"Rake","due":"2026-11-24",\#(member)},{"title":"Form","due":"2026-11-24",\#(open)}]"#)
    #expect(guessed.lines == ["2026-11-23T23:00:00Z…2026-11-24T23:00:00Z Form"], "\(guessed.document)")
  }

  @Test("Nothing is left out if all is done, or if the name says something else")
  func notDone() throws {
    for sample in [
      #"[{"title":"Rake","due":"2026-11-24","done":true},{"title":"Form","due":"2026-11-24","done":true}]"#,
      #"[{"title":"Baths","due":"2026-11-24","state":"closed"},{"title":"Lake","due":"2026-11-24","state":"open"}]"#,
    ] {
      #expect(try Guessed(sample).lines.count == 2)
    }
  }

  @Test("A start, a due date or an end of a few comes before when all were made")
  func dueBeforeCreated() throws {
    for due in ["due", "dueDate", "start", "deadline", "ends"] {
      let guessed = try Guessed(
        #"""
        [{"title":"Rake","created":"2026-11-01T08:00:00Z"},{"title":"Form","created":"2026-11-02T08:00:00Z","\#(due)":"2026-11-24"},
         {"title":"Bins","created":"2026-11-03T08:00:00Z","\#(due)":null},{"title":"Call","created":"2026-11-04T08:00:00Z"}]
        """#)
      #expect(guessed.lines == ["2026-11-23T23:00:00Z…2026-11-24T23:00:00Z Form"], "\(guessed.document)")
    }
  }

  @Test("A date that means none is none")
  func noDates() throws {
    let guessed = try Guessed(
      #"""
      [{"title":"Rake","due":"0001-01-01T00:00:00Z"},{"title":"Form","due":"2026-11-24T14:00:00Z"},
       {"title":"Bins","due":"2026-11-24T16:00:00Z"}]
      """#, hasGaps: true)
    #expect(guessed.items["start"] == .string("@.due"), "\(guessed.document)")
    #expect(guessed.lines.count == 2)
  }

  @Test("A longer list of names for ids is not the list of items, and gives them their names")
  func tables() throws {
    for reference in [#""fraktionId":2"#, #""bezirk":{"id":9,"name":"1","fraktionId":2}"#, #""fraktion":2"#] {
      let dates = ["2026-11-24", "2026-12-08"].map {
        #"{"id":\#($0.filter { $0 != "-" }),"datum":"\#($0)",\#(reference)}"#
      }
      let guessed = try Guessed(
        #"{"fraktionen":[{"id":1,"name":"Restmüll"},{"id":2,"name":"Bio"},{"id":3,"name":"Papier"}],"#
          + #""termine":[\#(dates.joined(separator: ","))]}"#)
      #expect(guessed.each == "$.termine[*]", "\(guessed.document)")
      #expect(guessed.lines.first == "2026-11-23T23:00:00Z…2026-11-24T23:00:00Z Bio", "\(guessed.document)")
    }
  }

  @Test("A flag for whole days and the zone beside the time are both used, so the day is that of the zone")
  func flagAndZone() throws {
    let days = #"[{"title":"Glass","start":"2026-11-23T11:00:00Z","isAllDay":true,"timeZone":"Pacific/Auckland"},"#
    let guessed = try Guessed(
      days + #"{"title":"Call","start":"2026-11-25T09:30:00Z","isAllDay":false,"timeZone":"Pacific/Auckland"}]"#)
    #expect(guessed.document.contains("@.isAllDay") && guessed.document.contains("@.timeZone"), "\(guessed.document)")
    // The 24th, as a day of Berlin.
    #expect(guessed.lines.first?.contains("2026-11-24") == true, "\(guessed.lines)")
  }

  @Test(
    "What is done is left out, whether what is open has null or an empty text for that time",
    arguments: ["null", #""""#])
  func done(open: String) throws {
    let guessed = try Guessed(
      #"[{"title":"Hoover","due":"2026-11-26","completedAt":\#(open)},"#
        + #"{"title":"Rent","due":"2026-11-25","completedAt":"2026-11-19T08:30:00Z"}]"#)
    #expect(guessed.lines.count == 1 && guessed.lines[0].contains("Hoover"), "\(guessed.lines) \(guessed.document)")
  }
}
