import Testing

import CacheSync

/// Samples that were read wrongly without a word. What a person in Berlin expects of each is read, or a warning names it.
@Suite("Guesses that are right, or say what may be wrong") struct GuessedDoubtsTests {
  @Test("A shift until 24:00 ends with its day")
  func endOfDay() throws {
    let guessed = try Guessed(
      #"[{"name":"Anna","date":"2026-11-24","from":"16:00","to":"24:00"},{"name":"Ben","date":"2026-11-25","from":"08:00","to":"16:00"}]"#
    )
    #expect(
      guessed.lines == [
        "2026-11-24T15:00:00Z…2026-11-24T23:00:00Z Anna", "2026-11-25T07:00:00Z…2026-11-25T15:00:00Z Ben",
      ])
    #expect(guessed.cautions.isEmpty)
  }

  @Test("A shift past midnight has no end, and a warning says which end was meant for the next day")
  func night() throws {
    let guessed = try Guessed(
      #"[{"who":"Ada","date":"2026-11-24","start":"14:00","end":"22:00"},{"who":"Ben","date":"2026-11-24","start":"22:00","end":"06:00"}]"#
    )
    #expect(guessed.items["end"] == nil)
    #expect(guessed.cautions.map { $0.hasPrefix(#"@.end is left out, because "06:00" is before @.start"#) } == [true])
  }

  @Test(
    "A number with a decimal comma is the value, as it is written, and a warning says so",
    arguments: ["3,5", "-0,25", "1.234,50"])
  func commas(text: String) throws {
    let guessed = try Guessed(
      #"[{"ort":"Keller","temperatur":"\#(text)","einheit":"°C"},{"ort":"Dach","temperatur":"7","einheit":"°C"}]"#)
    #expect(guessed.path(ofField: "title") == "@.ort" && guessed.path(ofField: "value") == "@.temperatur")
    #expect(guessed.trial.foundItems[0].fields.contains { $0.name == "value" && $0.value.plainText == text })
    #expect(guessed.cautions.first?.hasPrefix(#"@.temperatur has decimal commas ("\#(text)")"#) == true)
    let alone = try Guessed(
      #"[{"start":"2026-11-24T09:00:00+01:00","end":"2026-11-24T10:00:00+01:00","preis":"\#(text)"},{"start":"2026-11-24T10:00:00+01:00","end":"2026-11-24T11:00:00+01:00","preis":"28,41"}]"#
    )
    #expect(try alone.firstLine() == text)
  }

  @Test(
    "What has the status of something done is left out, unless the items are a log",
    arguments: [
      (#""due":"2026-11-26","status":"done"|"due":"2026-11-26","status":"open""#, 1),
      (#""faellig":"2026-11-26","status":"erledigt"|"faellig":"2026-11-26","status":"offen""#, 1),
      (#""state":"DONE"|"state":"TODO""#, 1),
      (#""expected":"2026-11-26","status":"delivered"|"expected":"2026-11-26","status":"in transit""#, 1),
      (#""date":"2026-11-26","taken_at":"2026-11-20T08:00:00Z"|"date":"2026-11-26""#, 2),
      (#""due":"2026-11-26","status":"not done"|"due":"2026-11-26","status":"open""#, 2),
      (
        #""created_at":"2026-11-23T08:00:00Z","status":"completed"|"created_at":"2026-11-23T09:00:00Z","status":"queued""#,
        2
      ),
      (#""currency":"EUR","status":"completed"|"currency":"EUR","status":"open""#, 2),
    ])
  func status(members: String, count: Int) throws {
    let items = members.split(separator: "|").enumerated().map { #"{"title":"Task \#($0)",\#($1)}"# }
    let guessed = try Guessed("[\(items.joined(separator: ","))]")
    #expect(guessed.lines.count == count, "\(guessed.document)")
  }

  @Test("A match is shown with both sides, in every text")
  func matches() throws {
    let guessed = try Guessed(
      #"[{"heim":"Gelb","gast":"Blau","datum":"28.11.2026"},{"heim":"Rot","gast":"Grün","datum":"29.11.2026"}]"#)
    #expect(try guessed.firstLine() == "Saturday: Gelb – Blau", "\(guessed.document)")
    #expect(guessed.document.contains(#""title": "{title} – {away}""#), "\(guessed.document)")
  }

  @Test("A day that ends something is not the day of a time")
  func until() throws {
    let guessed = try Guessed(
      #"[{"name":"Metformin","times":["08:00","20:00"],"until":"2026-12-31"},{"name":"Ramipril","times":["08:00"],"until":"2027-01-31"}]"#
    )
    #expect(guessed.items["repeats"] == .string("FREQ=DAILY"), "\(guessed.document)")
    #expect(try guessed.firstLine() == "today 20:00 Metformin")
  }

  @Test(
    "Weekdays are known in all languages, and are not shown on every day",
    arguments: [
      #"{"Mo":[{"fach":"Mathe","beginn":"08:00"}],"Mi":[{"fach":"Kunst","beginn":"09:00"}]}"#,
      #"[{"jour":"lundi","fach":"Mathe","time":"08h00"},{"jour":"mercredi","fach":"Kunst","time":"09h00"}]"#,
      #"[{"fach":"Mathe","start":"08:00","days":["Mon"]},{"fach":"Kunst","start":"09:00","days":["Wed"]}]"#,
    ])
  func weekdays(sample: String) throws {
    let guessed = try Guessed(sample)
    #expect(guessed.items["repeats"] == .string("FREQ=WEEKLY;BYDAY={weekday}"), "\(guessed.document)")
    #expect(try guessed.firstLine() == "tomorrow: Kunst", "\(guessed.document)")
    #expect(guessed.cautions.isEmpty)
  }

  @Test("Lists of days, of different lengths, are by what happens on them")
  func listsOfDays() throws {
    let guessed = try Guessed(#"{"Paper":["25.11.2026","09.12.2026"],"Glass":["01.12.2026"]}"#)
    #expect(guessed.lines.count == 3 && guessed.path(ofField: "title") == "^key", "\(guessed.document)")
  }

  @Test(
    "A warning names what may be wrong, and one value",
    arguments: [
      (
        #"[{"name":"Vet","date":"03/04/2027"},{"name":"Fair","date":"05/06/2027"}]"#,
        #"@.date may have the month first ("03/04/2027")"#
      ),
      (
        #"[{"name":"Oma","birthday":"24.11."},{"name":"Opa","birthday":"03.02."}]"#,
        #"@.birthday is not read as a time ("24.11.")"#
      ),
      (#"[{"name":"Ada","day":"2026-11-24","time":"06:00-14:00"}]"#, #"@.time is not read as a time ("06:00-14:00")"#),
      (
        #"[{"name":"Art","day":1,"start":"08:00"},{"name":"Sport","day":2,"start":"08:00"}]"#,
        "all items repeat every day; if @.day has their days"
      ),
    ])
  func warnings(sample: String, warning: String) throws {
    let guessed = try Guessed(sample)
    #expect(guessed.cautions.count == 1 && guessed.cautions[0].hasPrefix(warning), "\(guessed.cautions)")
    #expect(guessed.comment.contains(guessed.cautions[0]))
  }

  @Test("There is no warning of a day above twelve, and none of a text that names a place")
  func noWarnings() throws {
    for date in [#""date":"13/04/2027""#, #""date":"2027-04-03","from":"Berlin","to":"Kiel""#] {
      #expect(try Guessed(#"[{"name":"Vet",\#(date)},{"name":"Fair",\#(date)}]"#).cautions == [])
    }
  }
}
