import CacheSync
import Testing

@testable import CacheSyncFeeds

/// Samples whose values, taken as they are, would be wrong, and what a person said should be shown of each.
@Suite("Guesses about amounts, and about what does not count") struct GuessedAmountsTests {
  private func guess(_ members: [String]) throws -> Guessed {
    let items = members.enumerated().map { #"{"name":"n\#($0)","on":"2026-11-2\#($0 + 5)",\#($1)}"# }
    return try Guessed("[\(items.joined(separator: ","))]")
  }

  private func titles(_ members: [String]) throws -> String {
    try guess(members).lines.compactMap { $0.split(separator: " ").last.map(String.init) }.joined(separator: " ")
  }

  private func values(of guessed: Guessed) -> [String] {
    guessed.trial.foundItems.flatMap { $0.fields.filter { $0.name == "value" }.map(\.value.plainText) }
  }

  @Test(
    "Amounts in cents are divided by a hundred",
    arguments: [
      (#""amountMinor":-8900,"currency":"EUR""#, "-89"), (#""amountCents":"8905","currency":"EUR""#, "89.05"),
      (#""amount_cents":8905"#, "89.05"), (#""priceInCents":199,"currencyCode":"usd""#, "1.99"),
      (#""amount":{"minorUnits":1250,"currency":"GBP"}"#, "12.5"), (#""fee_pence":75"#, "0.75"),
      (#""price":{"cents":6018600,"currency":"USD"}"#, "60186"), (#""amount_ore":850000,"currency":"SEK""#, "8500"),
      (#""pris_öre":995,"currency":"SEK""#, "9.95"), (#""total_centimes":450,"currency":"CHF""#, "4.5"),
      // A number in whole units comes first. A unit of cents says itself what it counts.
      (#""price_pence":142.9,"price":1.429"#, "1.429"), (#""price_cents":28.4,"unit":"ct/kWh""#, "28.4"),
      // Nothing says that these count cents.
      (#""amount":89,"currency":"EUR""#, "89"), (#""minorVersion":8"#, "8"), (#""humidityPerCent":48"#, "48"),
    ])
  func cents(member: String, value: String) throws {
    let guessed = try guess([member, member])
    #expect(values(of: guessed) == [value, value], "\(guessed.document)")
    #expect(guessed.cautions == [])
  }

  @Test("An amount is not shown if a unit of its currency does not have a hundred parts, and this is said")
  func uneven() throws {
    for (first, second) in [("JPY", "JPY"), ("EUR", "JPY"), ("KWD", "KWD")] {
      let guessed = try guess([first, second].map { #""amountMinor":850,"currency":"\#($0)""# })
      #expect(guessed.path(ofField: "value") == nil, "\(guessed.document)")
      #expect(guessed.cautions.first?.hasPrefix("@.amountMinor is not shown, because ") == true)
      #expect(guessed.comment.contains { guessed.cautions.contains($0) }, "\(guessed.comment)")
    }
  }

  @Test("Whole numbers beside a currency may count cents, and so may an amount without one, and this is said")
  func unknown() throws {
    for name in ["amount", "balance", "unit_price"] {
      let guessed = try guess([294_230, 1250].map { #""\#(name)":\#($0)"# })
      #expect(guessed.cautions == [#"if @.\#(name) counts cents, write "scale": 0.01 into its field"#])
      #expect(try guess([99, 12].map { #""\#(name)":\#($0)"# }).cautions == [])
    }
    let guessed = try guess([8900, 1250].map { #""amount":\#($0),"currency":"eur""# })
    #expect(values(of: guessed) == ["8900", "1250"])
    #expect(guessed.cautions == [#"if @.amount counts cents, write "scale": 0.01 into its field"#])
    #expect(try guess([8900, 1250].map { #""amount":\#($0),"currency":"JPY""# }).cautions == [])
    #expect(try guess(["8.5", "1250"].map { #""amount":\#($0),"currency":"EUR""# }).cautions == [])
  }

  @Test("A price per kWh is not measured in kWh")
  func pricePerUnit() throws {
    let guessed = try guess(["0.28", "0.31"].map { #""price_eur_per_kwh":\#($0)"# })
    #expect(guessed.path(ofField: "value") == "@.price_eur_per_kwh")
    #expect(!guessed.document.contains("{value} kWh"), "\(guessed.document)")
    #expect(try guess(["2", "3"].map { #""used_kwh":\#($0)"# }).document.contains("{value} kWh"))
  }

  @Test(
    "What is cancelled, deleted, hidden or not active is left out",
    arguments: [
      #""cancelled":true|"cancelled":false"#, #""isCanceled":true|"x":1"#, #""deleted":1|"deleted":0"#,
      #""is_trip_cancelled":true|"is_trip_cancelled":false"#, #""archived":true|"archived":false"#,
      #""hidden":"true"|"hidden":"false""#, #""active":false|"active":true"#, #""visible":0|"visible":1"#,
      #""enabled":false|"x":1"#, #""deletedAt":"2026-11-20T08:00:00Z"|"deletedAt":null"#,
      #""archived_at":"2026-11-20"|"archived_at":"""#, #""status":"cancelled"|"status":"confirmed""#,
      #""state":"CANCELED_BY_HOST"|"state":"open""#, #""code":"cancelled"|"code":"irregular""#,
      #""status":{"type":{"name":"STATUS_POSTPONED"}}|"status":{"type":{"name":"STATUS_SCHEDULED"}}"#,
      #""eventStatus":"https://schema.org/EventCancelled"|"eventStatus":"https://schema.org/EventScheduled""#,
    ])
  func leftOut(members: String) throws {
    let members = members.split(separator: "|").map(String.init)
    let document = try guess(members).document
    #expect(try titles(members) == "n1", "\(document)")
  }

  @Test(
    "Other flags and texts leave nothing out",
    arguments: [
      #""user":{"active":false}|"user":{"active":true}"#, #""freeCancellation":true|"freeCancellation":false"#,
      #""commentsDisabled":true|"commentsDisabled":false"#, #""status":"not cancelled"|"status":"open""#,
      #""note":"The fair of 1999 was cancelled"|"note":"None""#,
      #""state":"inactive sensors are shown here too"|"state":"x""#,
      #""active":7|"active":8"#, #""expires_at":"2026-12-20"|"x":1"#,
    ])
  func kept(members: String) throws {
    let members = members.split(separator: "|").map(String.init)
    let document = try guess(members).document
    #expect(try titles(members) == "n0 n1", "\(document)")
  }

  @Test("A flag that leaves out nothing of the sample is used for later files")
  func laterFiles() throws {
    let guessed = try guess([#""cancelled":false"#, #""cancelled":false"#])
    #expect(guessed.path(ofField: "cancelled") == "@.cancelled" && guessed.lines.count == 2)
  }

  @Test("If flags would leave out all items, none is left out, and this is said")
  func allLeftOut() throws {
    let guessed = try guess([#""cancelled":true,"done":false"#, #""cancelled":false,"done":true"#])
    #expect(guessed.lines.count == 2)
    #expect(guessed.cautions == ["all items would be left out by @.cancelled, @.done, so none is"])
  }

  @Test("A hidden list leaves out its items, and a payment that was completed is shown")
  func outerFlag() throws {
    let lists = ["false", "true"].map {
      #"{"name":"c","hidden":\#($0),"events":[{"title":"h-\#($0)","at":"2026-11-26"}]}"#
    }
    let lines = try Guessed(#"{"calendars":[\#(lists.joined(separator: ","))]}"#).lines
    #expect(lines.count == 1 && lines[0].hasSuffix(" h-false"), "\(lines)")
    let payments = [#""currency":"EUR","completed_at":"2026-11-20T08:00:00Z""#, #""currency":"EUR""#]
    #expect(try titles(payments) == "n0 n1")
  }

  @Test("What the definition does not use is listed: flags, members around the items, and other lists")
  func unused() throws {
    let guessed = try Guessed(
      #"{"title":"Kitchen","sealed":true,"alarms":[{"label":"Work","time":"06:30","loud":false,"days":["mon"]},{"label":"Gym","time":"05:30","loud":true,"days":[]}]}"#
    )
    let line = "also in the file: @.loud, ^.sealed, $.alarms[*].days[*], ^.title"
    #expect(guessed.reasons.contains(line), "\(guessed.reasons)")
    #expect(guessed.comment.contains(line), "\(guessed.comment)")
    let many = (0..<30).map { #""a\#($0)":\#($0)"# }.joined(separator: ",")
    #expect(try guess([many, many]).reasons.contains { $0.hasSuffix(" and 9 more") })
  }

  @Test("The id of an item's only object is the item's")
  func wrapped() throws {
    let edges = ["E1", "E2"].map {
      #"{"cursor":"\#($0)","node":{"id":"\#($0)","title":"Talk \#($0)","owner":{"id":"\#($0)"}}}"#
    }
    #expect(try Guessed(#"{"edges":[\#(edges.joined(separator: ","))]}"#).path(ofField: "identifier") == "@.node.id")
    let features = [11, 12].map { #"{"properties":{"id":1\#($0),"name":"Road \#($0)"},"id":\#($0)}"# }
    #expect(try Guessed("[\(features.joined(separator: ","))]").path(ofField: "identifier") == "@.id")
  }

  @Test("Numbers named as times of day are times, and a stay begins when the guest checks in")
  func digits() throws {
    let guessed = try Guessed(
      #"[{"id":1,"date":20261125,"startTime":755,"endTime":845,"subject":"Maths"},{"id":2,"date":20261125,"startTime":1400,"endTime":1445,"subject":"Art"}]"#
    )
    #expect(guessed.lines.first == "2026-11-25T06:55:00Z…2026-11-25T07:45:00Z Maths", "\(guessed.document)")
    let stays = try guess([#""checkIn":"2026-11-26","checkOut":"2026-11-28""#])
    #expect(stays.items["start"] == .string("@.checkIn"), "\(stays.document)")
  }
}
