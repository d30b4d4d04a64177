import CacheSync
import Testing

@testable import CacheSyncFeeds

/// Samples in the shapes of further services, written down before what reads them. A person noted the list, the title and
/// the first item in Berlin; zoneinfo of Python gave the same moments in UTC.
@Suite("Guesses for samples that were not seen") struct GuessedUnseenTests {
  @Test(
    "The list, the title and the first item are right",
    arguments: [
      // Collections of a town, German days.
      (
        #"{"ort":"Musterstadt","strasse":"Hauptstr. 5","termine":[{"datum":"25.11.2026","abfallart":"Biotonne","hinweis":""},{"datum":"02.12.2026","abfallart":"Restmüll","hinweis":"verschoben"},{"datum":"09.12.2026","abfallart":"Papier","hinweis":""}]}"#,
        "$.termine[*]", "@.abfallart", "2026-11-24T23:00:00Z…2026-11-25T23:00:00Z Biotonne"
      ),
      // A calendar below an entity, days and times mixed.
      (
        #"{"calendar.family":{"events":[{"start":"2026-11-25T17:30:00+01:00","end":"2026-11-25T18:30:00+01:00","summary":"Swimming","location":"Pool"},{"start":"2026-11-27","end":"2026-11-28","summary":"School closed"},{"start":"2026-11-28T10:00:00+01:00","end":"2026-11-28T12:00:00+01:00","summary":"Football"}]}}"#,
        "$['calendar.family'].events[*]", "@.summary", "2026-11-25T16:30:00Z…2026-11-25T17:30:00Z Swimming"
      ),
      // A timetable by weekday.
      (
        #"{"class":"7b","lessons":[{"weekday":"Monday","start":"08:00","end":"08:45","subject":"Maths","teacher":"Ms Hill","room":"12"},{"weekday":"Tuesday","start":"08:00","end":"08:45","subject":"Art","teacher":"Mr Lake","room":"3"},{"weekday":"Tuesday","start":"08:50","end":"09:35","subject":"Music","teacher":"Ms Wood","room":"5"}]}"#,
        "$.lessons[*]", "@.subject", "2024-01-01T07:00:00Z…2024-01-01T07:45:00Z repeats Maths"
      ),
      // Tasks of which some have no date.
      (
        #"{"results":[{"id":"t1","project_id":"p1","content":"Pay bill","description":"","checked":false,"labels":[],"priority":4,"added_at":"2026-11-10T08:00:00Z","due":{"date":"2026-11-24","string":"24 Nov","lang":"en","is_recurring":false}},{"id":"t2","project_id":"p1","content":"Buy lamp","description":"","checked":false,"labels":[],"priority":1,"added_at":"2026-11-11T08:00:00Z","due":null},{"id":"t3","project_id":"p2","content":"Oil bike","description":"","checked":false,"labels":[],"priority":2,"added_at":"2026-11-12T08:00:00Z","due":{"date":"2026-11-29","string":"29 Nov","lang":"en","is_recurring":true}}],"next_cursor":null}"#,
        "$.results[*]", "@.content", "2026-11-23T23:00:00Z…2026-11-24T23:00:00Z Pay bill"
      ),
      // A forecast by the hour.
      (
        #"{"city":"Kiel","forecast":{"hours":[{"time":"2026-11-24T09:00:00+01:00","temperature":4.1,"rain":0.2,"icon":"cloud"},{"time":"2026-11-24T10:00:00+01:00","temperature":4.6,"rain":0.0,"icon":"sun"},{"time":"2026-11-24T11:00:00+01:00","temperature":5.2,"rain":0.0,"icon":"sun"},{"time":"2026-11-24T12:00:00+01:00","temperature":5.9,"rain":0.1,"icon":"sun"}]}}"#,
        "$.forecast.hours[*]", nil, "2026-11-24T08:00:00Z…2026-11-24T09:00:00Z 4.1"
      ),
      // Seconds since 1970 under several names.
      (
        #"{"events":[{"id":501,"name":"Essay is due","description":"<p>Write</p>","courseid":9,"timestart":1795719600,"timeduration":0,"timesort":1795719600,"visible":1,"timemodified":1795000000,"overdue":false,"course":{"id":9,"fullname":"History","shortname":"HIS"},"formattedtime":"Thursday","modulename":"assign","url":"https://e/501"},{"id":502,"name":"Quiz closes","description":"","courseid":8,"timestart":1795892400,"timeduration":0,"timesort":1795892400,"visible":1,"timemodified":1795000000,"overdue":false,"course":{"id":8,"fullname":"Biology","shortname":"BIO"},"formattedtime":"Saturday","modulename":"quiz","url":"https://e/502"}],"firstid":501,"lastid":502}"#,
        "$.events[*]", "@.name", "2026-11-26T19:00:00Z…2026-11-26T19:00:00Z Essay is due"
      ),
      // Issues below "fields", with a day due.
      (
        #"{"expand":"names","startAt":0,"maxResults":50,"total":2,"issues":[{"id":"10001","key":"APP-1","self":"https://e/1","fields":{"summary":"Fix login","status":{"name":"In Progress","id":"3"},"priority":{"name":"High"},"duedate":"2026-11-27","created":"2026-11-01T10:00:00.000+0100","updated":"2026-11-20T10:00:00.000+0100","assignee":{"displayName":"Ada"}}},{"id":"10002","key":"APP-2","self":"https://e/2","fields":{"summary":"Write notes","status":{"name":"To Do","id":"1"},"priority":{"name":"Low"},"duedate":"2026-12-01","created":"2026-11-02T10:00:00.000+0100","updated":"2026-11-21T10:00:00.000+0100","assignee":null}}]}"#,
        "$.issues[*]", "@.fields.summary", "2026-11-26T23:00:00Z…2026-11-27T23:00:00Z Fix login"
      ),
      // Compact times in UTC.
      (
        #"{"vevents":[{"uid":"u1@e","summary":"Doctor","dtstart":"20261126T083000Z","dtend":"20261126T090000Z","dtstamp":"20261101T000000Z"},{"uid":"u2@e","summary":"Choir","dtstart":"20261127T180000Z","dtend":"20261127T193000Z","dtstamp":"20261101T000000Z"}]}"#,
        "$.vevents[*]", "@.summary", "2026-11-26T08:30:00Z…2026-11-26T09:00:00Z Doctor"
      ),
      // Sessions whose names are in another list.
      (
        #"{"ausschuesse":[{"id":11,"name":"Haushalt"},{"id":12,"name":"Verkehr"},{"id":13,"name":"Bildung"}],"sitzungen":[{"id":901,"datum":"2026-11-25","uhrzeit":"14:00","ausschussId":12,"saal":"A 1"},{"id":902,"datum":"2026-12-02","uhrzeit":"09:30","ausschussId":11,"saal":"B 2"}]}"#,
        "$.sitzungen[*]", "@.ausschussId", "2026-11-25T13:00:00Z…2026-11-25T13:00:00Z Verkehr"
      ),
      // Launches in envelopes of a service.
      (
        #"{"count":2,"next":null,"previous":null,"results":[{"id":"l1","url":"https://e/l1","name":"Falcon 9 | Starlink","status":{"id":1,"name":"Go for Launch","abbrev":"Go"},"last_updated":"2026-11-23T10:00:00Z","net":"2026-11-26T03:15:00Z","window_start":"2026-11-26T03:15:00Z","window_end":"2026-11-26T06:15:00Z","probability":80,"pad":{"id":1,"name":"SLC-40"}},{"id":"l2","url":"https://e/l2","name":"Ariane 6 | Sat","status":{"id":2,"name":"To Be Determined","abbrev":"TBD"},"last_updated":"2026-11-22T10:00:00Z","net":"2026-12-04T18:00:00Z","window_start":"2026-12-04T18:00:00Z","window_end":"2026-12-04T19:00:00Z","probability":null,"pad":{"id":2,"name":"ELA-4"}}]}"#,
        "$.results[*]", "@.name", "2026-11-26T03:15:00Z…2026-11-26T06:15:00Z Falcon 9 | Starlink"
      ),
      // Lists of times in each film.
      (
        #"{"cinema":"Roxy","movies":[{"title":"Dune","shows":["2026-11-24 20:00","2026-11-25 20:00"]},{"title":"Emma","shows":["2026-11-24 18:00"]}]}"#,
        "$.movies[*].shows[*]", "^.title", "2026-11-24T19:00:00Z…2026-11-24T19:00:00Z Dune"
      ),
      // A day and a time in two members.
      (
        #"{"veranstaltungen":[{"titel":"Lesung","ort":"Bücherei","datum":"26.11.2026","uhrzeit":"19:30"},{"titel":"Konzert","ort":"Halle","datum":"28.11.2026","uhrzeit":"20:00"}]}"#,
        "$.veranstaltungen[*]", "@.titel", "2026-11-26T18:30:00Z…2026-11-26T18:30:00Z Lesung"
      ),
      // American days and hours.
      (
        #"{"events":[{"event_name":"Book club","event_date":"11/25/2026","event_time":"6:30 PM"},{"event_name":"Yoga","event_date":"11/26/2026","event_time":"9:00 AM"}]}"#,
        "$.events[*]", "@.event_name", "2026-11-25T17:30:00Z…2026-11-25T17:30:00Z Book club"
      ),
      // Local times in the zone of the file.
      (
        #"{"timeZone":"America/New_York","meetings":[{"subject":"Standup","start":"2026-11-25T09:00:00","end":"2026-11-25T09:15:00"},{"subject":"Review","start":"2026-11-26T14:00:00","end":"2026-11-26T15:00:00"}]}"#,
        "$.meetings[*]", "@.subject", "2026-11-25T14:00:00Z…2026-11-25T14:15:00Z Standup"
      ),
      // Holidays of several days.
      (
        #"{"ferien":[{"name":"Weihnachtsferien","start":"2026-12-23","end":"2027-01-07"},{"name":"Winterferien","start":"2027-02-01","end":"2027-02-06"}]}"#,
        "$.ferien[*]", "@.name", "2026-12-22T23:00:00Z…2027-01-07T23:00:00Z Weihnachtsferien"
      ),
      // Dishes below days, with prices.
      (
        #"[{"date":"2026-11-24","closed":false,"meals":[{"id":1,"name":"Linsen","category":"Eintopf","prices":{"students":2.1,"others":4.0},"notes":["vegan"]}]},{"date":"2026-11-25","closed":false,"meals":[{"id":2,"name":"Curry","category":"Hauptgericht","prices":{"students":3.1,"others":5.0},"notes":[]},{"id":3,"name":"Lasagne","category":"Hauptgericht","prices":{"students":3.4,"others":5.2},"notes":[]}]}]"#,
        "$[*].meals[*]", "@.name", "2026-11-23T23:00:00Z…2026-11-24T23:00:00Z Linsen"
      ),
    ])
  func guesses(sample: String, each: String, title: String?, first: String) throws {
    let guessed = try Guessed(sample)
    #expect(guessed.each == each, "\(guessed.document)")
    #expect(guessed.path(ofField: "title") == title, "\(guessed.document)")
    #expect(guessed.lines.first == first, "\(guessed.document)")
  }

  @Test("What was not guessed is in the comment, and is not read")
  func comment() throws {
    let document = try Guessed(#"[{"title":"Call","when":"2026-11-25T10:00"}]"#).document
    let lines = JSONValue(Array(document.utf8))?["comment"]?.array?.compactMap(\.string) ?? []
    #expect(lines.contains { $0.hasPrefix("items.end: ") } && lines.contains { $0.hasPrefix("items.id: ") })
    #expect(!lines.contains { $0.hasPrefix("items.start: ") })
  }

  @Test("A name that no kind may have ends without a definition, and not in a loop")
  func unusableName() throws {
    let moment = Moment(.referenceDate, calendar: CivilCalendar(.utc), firstWeekday: .monday)
    for sample in ["[]", #"[{"title":"Call","when":"2026-11-25T10:00"}]"#] {
      let zones = TimeZones(environment: nil)
      let guess = try #require(DefinitionGuess.of(Array(sample.utf8), named: "manifest", zones: zones, at: moment))
      #expect(guess.document == "{}\n" && !guess.isUseful)
    }
  }

  @Test("Items with the same start and a number of steps have the hint for plus, and the number is not their value")
  func steps() throws {
    let guessed = try Guessed(
      #"{"start":"2026-11-30","people":[{"name":"Anna","week":0},{"name":"Ben","week":1},{"name":"Cleo","week":2}]}"#)
    let hint = #"items.start: { "day": "^.start", "plus": "P{week}W" }, with "week": "@.week" in items.fields"#
    #expect(guessed.document.contains(hint.replacing("\"", with: "\\\"")), "\(guessed.document)")
    #expect(guessed.path(ofField: "value") == nil && guessed.reasons.contains { $0.contains("plus: P{week}W") })
  }

  @Test(
    "A number whose name ends with a unit comes before days and indexes, and its unit is shown",
    arguments: [
      (
        #"[{"day":1,"index":3,"rain_mm":2.5,"at":"2026-11-24T08:00Z"},{"day":2,"index":4,"rain_mm":3,"at":"2026-11-24T09:00Z"},{"day":3,"index":5,"rain_mm":1,"at":"2026-11-24T10:00Z"}]"#,
        "@.rain_mm", "2.5 mm"
      ),
      (
        #"{"unit":"W","log":[{"id":1,"power":2,"at":"2026-11-24T08:00Z"},{"id":2,"power":3,"at":"2026-11-24T09:00Z"},{"id":3,"power":4,"at":"2026-11-24T10:00Z"}]}"#,
        "@.power", "2 W"
      ),
      (#"[{"day":"2026-11-24","USD":1.1,"GBP":0.8},{"day":"2026-11-25","USD":1.2,"GBP":0.9}]"#, "@.USD", "1.1 USD"),
      (
        #"{"hourly_units":{"temp":"°C"},"hourly":{"time":["2026-11-24T08:00Z","2026-11-24T09:00Z","2026-11-24T10:00Z"],"temp":[3.6,3.4,3]}}"#,
        "@.temp", "3.6 °C"
      ),
    ])
  func units(sample: String, value: String, reads: String) throws {
    let guessed = try Guessed(sample)
    #expect(guessed.path(ofField: "value") == value, "\(guessed.document)")
    #expect(try guessed.firstLine() == reads)
  }

  @Test("The numbers that were not taken are listed")
  func otherNumbers() throws {
    let reasons = try Guessed(#"[{"day":"2026-11-24","USD":1.1,"GBP":0.8},{"day":"2026-11-25","USD":1.2,"GBP":0.9}]"#)
      .reasons
    #expect(reasons.contains("also in the file: @.GBP"), "\(reasons)")
    let payments = try Guessed(
      #"[{"on":"2026-11-24","sum":5,"currency":"EUR","note":"tea","by":"Al"},{"on":"2026-11-24","sum":6,"currency":"EUR","note":"rye","by":"Bo"}]"#
    )
    #expect(payments.reasons.contains("also in the file: @.note"), "\(payments.reasons)")
    #expect(payments.path(ofField: "unit") == "@.currency")
  }

  @Test("Rules, and words for them, repeat; what is neither is named")
  func repetitions() throws {
    func sample(_ first: String, _ second: String) -> String {
      #"[{"name":"Yoga","start":"2026-11-17T08:00","repeat":\#(first)},{"name":"Talk","start":"2026-11-25T19:00","repeat":\#(second)}]"#
    }
    for (text, none) in [(#""FREQ=WEEKLY""#, "null"), (#""Weekly""#, #""never""#)] {
      let lines = try Guessed(sample(text, none)).lines
      #expect(lines.map { $0.contains(" repeats ") } == [true, false], "\(lines)")
    }
    let reasons = try Guessed(sample(#""each 2nd Tuesday""#, #""now and then""#)).reasons
    #expect(reasons.contains { $0.hasPrefix("not used: @.repeat, which has no rules") }, "\(reasons)")
  }

  @Test("A list that is too long for a file is named")
  func longList() throws {
    let items = (0..<10_001).map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
    #expect(
      try Guessed(#"{"all":[\#(items)]}"#).reasons.contains {
        $0.contains("$.all[*] has 10001 items, and a file may have 10,000")
      })
  }

  @Test("A list is found behind many objects, and an id that a table of names has twice names its first")
  func crowded() throws {
    let others = (0..<300).map { #""k\#($0)x":{"a\#($0)":1}"# }.joined(separator: ",")
    let list = #""bins":[{"type":"Paper","day":"2026-11-25"},{"type":"Glass","day":"2026-12-02"}]"#
    #expect(try Guessed("{\(others),\(list)}").each == "$.bins[*]")
    let streets = #""streets":[{"id":1,"name":"Ash"},{"id":1,"name":"Elm"},{"id":2,"name":"Oak"}]"#
    let pickups = #""pickups":[{"streetId":1,"date":"2026-11-25"},{"streetId":2,"date":"2026-11-26"}]"#
    let guessed = try Guessed("{\(streets),\(pickups)}")
    #expect(guessed.each == "$.pickups[*]" && guessed.lines.first?.hasSuffix(" Ash") == true, "\(guessed.document)")
  }

  @Test("However a file is nested, what is looked at is bounded")
  func nested() throws {
    func lists(_ count: Int, _ inner: String) -> String {
      "[" + Array(repeating: inner, count: count).joined(separator: ",") + "]"
    }
    let deep = lists(20, lists(20, lists(10, #"{"k1":1,"k2":2}"#)))
    // 4,000 objects in 421 lists, and 3,241 objects.
    _ = try Guessed(deep)
    let wide = (0..<40).map { a in
      #""a\#(a)":{"#
        + (0..<40).map { b in #""b\#(a)\#(b)":{"c\#(a)\#(b)":{"d":1},"e\#(b)":{"f":2}}"# }.joined(separator: ",") + "}"
    }
    _ = try Guessed("{" + wide.joined(separator: ",") + "}")
    for sample in [deep, "{" + wide.joined(separator: ",") + "}"] {
      let tables = try Array(sample.utf8).withUnsafeBytes { bytes in
        SampleTables(try #require(JSONTree.read(bytes, strictly: true).tree), now: .referenceDate).all
      }
      #expect(!tables.isEmpty && tables.count <= 201 && tables.allSatisfy { $0.rows.count <= 200 })
      #expect(tables.reduce(0) { $0 + $1.rows.count } <= 1_000)
    }
  }
}
