import Testing

@testable import CacheSyncValues

/// The members of a content, its order, and its size limit.
@Suite struct DefinedContentTests {
  private func feed(_ fields: [String], _ kind: DefinedKind, _ items: [DefinedItem]) throws -> DefinedFeedHarness {
    let feed = try DefinedFeedHarness(FeedDefinition(fields, kind))
    try feed.put(items)
    return feed
  }

  private func text(_ feed: DefinedFeedHarness, _ date: String = "2026-11-22T12:00:00Z") throws -> String {
    String(decoding: feed.json(at: try moment(date)), as: UTF8.self)
  }

  @Test func membersAreInTheOrderOfTheirBytes() throws {
    let kind = DefinedKind(.today, items: ["zone": "{n}", "Title": "{n:0.0}", "key": "{key}", "mid": "{index}"]) {
      $0.limit = 1
      $0.content = templates(["a": "{more} more", "z": "{count}", "mid": "x", "Z": "{count:one|many}"])
      $0.empty = templates(["a": "none", "only": "{count}"])
    }
    let items = try ["2026-11-22T08:00", "2026-11-22T09:00"].map { start in
      try DefinedItem([.number(7)], id: start, start: start) {
        $0.key = "k"
        $0.index = 3
      }
    }
    let feed = try feed(["n"], kind, items)
    #expect(
      try text(feed)
        == #"{"Z":"many","a":"1 more","count":2,"items":[{"Title":"7.0","end":"2026-11-22T07:00:00Z","id":"2026-11-22T08:00","#
        + #""key":"k","mid":3,"start":"2026-11-22T07:00:00Z","zone":7}],"mid":"x","more":1,"z":2}"#)
    // `empty` replaces the text with the same name, and the rest stays.
    #expect(
      try text(feed, "2026-11-25T12:00:00Z")
        == #"{"Z":"many","a":"none","count":0,"items":[],"mid":"x","more":0,"only":0,"z":0}"#)
  }

  @Test func withoutItemsMoreIsCount() throws {
    let feed = try feed(["n"], DefinedKind(.all, items: nil), [DefinedItem([.null]), DefinedItem([.null])])
    #expect(try text(feed) == #"{"count":2,"more":2}"#)
    let none = try self.feed(["n"], DefinedKind(.all, items: [:]) { $0.limit = 0 }, [DefinedItem([.null])])
    #expect(try text(none) == #"{"count":1,"items":[],"more":1}"#)
    let bare = try self.feed(["n"], DefinedKind(.all, items: [:]), [DefinedItem([.null])])
    #expect(try text(bare) == #"{"count":1,"items":[{"end":null,"start":null}],"more":0}"#)
  }

  @Test func numbersComeBeforeTextsAndNullIsLast() throws {
    func titles(_ order: DefinedKind.Order...) throws -> String {
      let kind = DefinedKind(.all) {
        $0.limit = 50
        $0.order = order
      }
      let feed = try feed(
        ["title", "n"], kind,
        [
          DefinedItem([.text("null"), .null], start: "2026-11-01"), DefinedItem([.text("b"), .text("b")]),
          DefinedItem([.text("B"), .text("B")]), DefinedItem([.text("10"), .number(10)]),
          DefinedItem([.text("9"), .number(9)], start: "2026-11-03"),
          DefinedItem([.text("9'"), .number(9)], start: "2026-11-02"), DefinedItem([.text("é"), .text("é")]),
        ])
      return try feed.titles(at: "2026-11-22T12:00:00Z")
    }
    #expect(try titles(.init("n", isDescending: false)) == "9' 9 10 B b é null")
    #expect(try titles(.init("n", isDescending: true)) == "é b B 10 9' 9 null")
    #expect(try titles(.init("n", isDescending: false), .init("start", isDescending: true)) == "9 9' 10 B b é null")
    // Without an order: by start, with those without times last, then by their place.
    #expect(try titles() == "null 9' 9 b B 10 é")
    #expect(try titles(.init("unknown", isDescending: true)) == "null 9' 9 b B 10 é")
  }

  /// The ranks of a field are computed among all items if most are shown, otherwise among those shown.
  @Test(arguments: [false, true], [8, 32]) func aPartHasTheSameOrderAsAll(_ isDescending: Bool, _ count: Int) throws {
    func isToday(_ place: Int) -> Bool { (place % 5 == 0) == (count == 8) }
    let values: [ItemValue] = [
      .number(2), .null, .text("b"), .number(-1), .bool(true), .text("B"), .bool(false), .number(2),
    ]
    let items = try (0..<40).map { place in
      try DefinedItem([.text("\(place)"), values[place % 8]], start: isToday(place) ? "2026-11-22" : "2026-11-20")
    }
    func titles(_ show: DefinedKind.Show) throws -> [Substring] {
      let kind = DefinedKind(show) {
        $0.limit = 50
        $0.order = [.init("n", isDescending: isDescending), .init("n", isDescending: false)]
      }
      var feed = try feed(["title", "n"], kind, items)
      feed.definition.marks = ["n"]
      return try feed.titles(at: "2026-11-22T12:00:00Z").split(separator: " ")
    }
    let today = try titles(.today)
    #expect(today.count == count)
    #expect(try titles(.all).filter { Int($0).map(isToday) ?? false } == today)
    let ranks = values.map { value in values.filter { $0.order(value) < 0 }.count }
    let shown = today.compactMap { Int($0).map { $0 % 8 } }
    for (first, second) in zip(shown, shown.dropFirst()) where values[first] != .null && values[second] != .null {
      #expect(isDescending ? ranks[first] >= ranks[second] : ranks[first] <= ranks[second])
    }
  }

  @Test func equalTimesAreOrderedByPathThenPlace() throws {
    let kind = DefinedKind(.all) { $0.limit = 50 }
    let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind))
    func item(_ title: String, _ end: String) throws -> DefinedItem {
      try DefinedItem(title, start: "2026-11-22T08:00:00Z", end: "2026-11-22T\(end):00:00Z")
    }
    try feed.put([item("d", "09"), item("c", "09"), item("f", "10")], path: "x/b.json")
    try feed.put([item("e", "10"), item("b", "09")], path: "x/a.json")
    #expect(try feed.titles(at: "2026-11-22T12:00:00Z") == "b d c e f")
  }

  @Test func linksEncodeTheirValues() throws {
    let kind = DefinedKind(.all, items: ["deepLink": "app://item/{n}?at={start:HH:mm}&x={none}", "plain": "{n}/"]) {
      $0.content = templates(["deepLink": "app://all/{count}"])
    }
    let feed = try feed(["n"], kind, [DefinedItem([.text("a/b?c=é {x}")], start: "2026-11-22T08:00")])
    let content = try feed.content(at: "2026-11-22T12:00:00Z")
    #expect(content["deepLink"]?.string == "app://all/1")
    #expect(content["items"]?[0]?["deepLink"]?.string == "app://item/a%2Fb%3Fc%3D%C3%A9%20%7Bx%7D?at=08%3A00&x=")
    #expect(content["items"]?[0]?["plain"]?.string == "a/b?c=é {x}/")
    // A link that is cut off would lead elsewhere.
    try feed.put([DefinedItem([.text(String(repeating: "é", count: 1_000))])])
    #expect(try feed.content(at: "2026-11-22T12:00:00Z")["items"]?[0]?["deepLink"] == .null)
  }

  @Test func itemsBeyondTheContentLimitAreCut() throws {
    let long = ItemValue.list((0..<300).map { _ in .text(String(repeating: "x", count: 97)) })
    let kind = DefinedKind(.all, items: ["list": "{n}"]) {
      $0.limit = 20
      $0.content = templates(["text": "{more} more"])
    }
    let items = try (0..<20).map { _ in try DefinedItem([long]) }
    let feed = try feed(["n"], kind, items)
    // Each has 300 × 100 bytes and a few more.
    let content = try feed.content(at: "2026-11-22T12:00:00Z")
    #expect(content["items"]?.array?.count == 8)
    #expect(content["count"]?.int == 20)
    #expect(content["more"]?.int == 12)
    #expect(content["text"]?.string == "12 more")
    #expect(try text(feed).utf8.count <= DefinedProjection.maximumContent)
    let problems = feed.problems(at: try moment("2026-11-22T12:00:00Z"))
    #expect(
      problems.map(\.message) == [
        "the content of x has more than 262144 bytes and is cut; give the kind a smaller limit or shorter texts"
      ])
    try feed.put(Array(items.prefix(8)))
    #expect(feed.problems(at: try moment("2026-11-22T12:00:00Z")) == [])
  }

  @Test func textsThatDoNotFitAreNull() throws {
    let huge = ItemValue.list((0..<3_000).map { _ in .text(String(repeating: "\u{1}", count: 30)) })
    let kind = DefinedKind(.all, items: ["title": "{n}"]) {
      $0.values = [ValueRule("n", .first("n"))]
      $0.content = templates(["a": "{n}", "b": "here", "c": "{n}"])
    }
    let feed = try feed(["n"], kind, [DefinedItem([huge])])
    #expect(try text(feed) == #"{"a":null,"b":"here","c":null,"count":1,"items":[],"more":1}"#)
    let problems = feed.problems(at: try moment("2026-11-22T12:00:00Z"))
    #expect(problems.count == 1)
  }

  @Test func aContentOfEverySizeIsWithinTheLimit() throws {
    let kind = DefinedKind(.all, items: ["title": "{n}"]) {
      $0.limit = 50
      $0.values = [ValueRule("last", .last("n"))]
      $0.content = templates(["last": "{last}", "text": "{more} of {count}"])
    }
    for size in 2_600..<2_640 {
      let value = ItemValue.list((0..<2).map { _ in .text(String(repeating: "y", count: size)) })
      let feed = try feed(["n"], kind, (0..<50).map { _ in try DefinedItem([value]) })
      let bytes = try text(feed).utf8.count
      #expect(bytes <= DefinedProjection.maximumContent)
      // It is full: another item would not fit.
      let shown = try #require(try feed.content(at: "2026-11-22T12:00:00Z")["items"]?.array?.count)
      #expect(shown == 50 || bytes + 2 * size + 100 + 150 > DefinedProjection.maximumContent)
    }
  }

  @Test func aMarkComesFromIntentsThenTheFileAndIsOtherwiseFalse() throws {
    let kind = DefinedKind(.today, items: ["title": "{title}", "done": "{done}"]) {
      $0.condition = [.test(.field(1), .is, .bool(false))]
      $0.limit = 50
      $0.values = [ValueRule("share", .share([.test(.field(1), .is, .bool(true))]))]
      $0.content = templates(["share": "{share}"])
    }
    var definition = FeedDefinition(["title", "done"], kind)
    definition.marks = ["done"]
    var feed = try DefinedFeedHarness(definition)
    try feed.put([
      DefinedItem([.text("a"), .null], id: "a", start: "2026-11-22"),
      DefinedItem([.text("b"), .bool(true)], id: "b", start: "2026-11-22"),
      DefinedItem([.text("c")], id: "c", start: "2026-11-22"),
      DefinedItem([.text("daily"), .null], id: "d", start: "2026-11-01T10:00") {
        $0.rule = try? RecurrenceRule("FREQ=DAILY")
      },
    ])
    #expect(try feed.titles(at: "2026-11-22T12:00:00Z") == "a c daily")
    #expect(try feed.content(at: "2026-11-22T12:00:00Z")["items"]?[0]?["done"] == .bool(false))
    feed.marks = MarksInForce(["a": ["done": true, "other": true], "b": ["done": false], "d": ["done": true]])
    // The series of a repeating item has no id itself.
    #expect(try feed.titles(at: "2026-11-22T12:00:00Z") == "b c daily")
    feed.marks["d#20261122T090000Z", "done"] = true
    #expect(try feed.titles(at: "2026-11-22T12:00:00Z") == "b c")
    #expect(try feed.titles(at: "2026-11-23T12:00:00Z") == "daily")
    #expect(try feed.content(at: "2026-11-22T12:00:00Z")["share"]?.int == 0)
  }

  @Test func dayWordsAreRelativeToTheEntrysDay() throws {
    let kind = DefinedKind(.coming, items: ["title": "{start:relative}"]) { $0.within = 31 }
    let feed = try feed([], kind, [DefinedItem([], start: "2026-11-28T08:00")])
    #expect(
      try ["2026-11-20", "2026-11-22", "2026-11-26", "2026-11-27"].map { try feed.titles(at: $0 + "T23:00:00Z") }
        == ["28 Nov", "Saturday", "tomorrow", "today"])
  }
}
