import Testing

import CacheSync

/// A sample, and how a person would define it.
struct GuessCase: Sendable, CustomTestStringConvertible {
  let name: String
  let sample: String
  /// The paths of `each`, separated by blanks.
  let each: String
  /// The path of the title; nil for none.
  let title: String?
  /// The path of the value; nil for none.
  let value: String?
  /// The start as JSON, with sorted keys; nil for none.
  let start: String?
  /// The path of the id; nil for none.
  let id: String?
  let show: DefinedKind.Show
  /// The first line that readers see at ``GuessCase/now``.
  let reads: String

  init(
    _ name: String, _ sample: String, each: String, title: String? = nil, value: String? = nil, start: String? = nil,
    id: String? = nil, show: DefinedKind.Show, reads: String
  ) {
    self.name = name
    self.sample = sample
    self.each = each
    self.title = title
    self.value = value
    self.start = start
    self.id = id
    self.show = show
    self.reads = reads
  }

  var testDescription: String { name }

  /// The samples are of this day: 09:10 in Berlin.
  static let now = "2026-11-24T08:10:00Z"

  /// Guesses, reads the sample, and compares.
  func check() throws {
    let guessed = try Guessed(sample)
    let items = guessed.items
    #expect(guessed.each == each, "\(guessed.document)")
    #expect(guessed.path(ofField: "title") == title, "\(guessed.document)")
    #expect(guessed.path(ofField: "value") == value, "\(guessed.document)")
    #expect(items["start"].map { String(decoding: $0.bytes, as: UTF8.self) } == start, "\(guessed.document)")
    #expect(items["id"] == (id == nil ? nil : .string("{identifier}")), "\(guessed.document)")
    #expect(guessed.path(ofField: "identifier") == id, "\(guessed.document)")
    #expect(guessed.trial.definition.kinds[0].show == show, "\(guessed.document)")
    #expect(try guessed.firstLine() == reads, "\(guessed.document)")
  }
}

/// The guess for a sample in Berlin, and the sample read with it.
struct Guessed {
  let document: String
  let reasons: [String]
  let cautions: [String]
  let trial: DefinitionTrial
  private let moment: Moment

  static let zones = TimeZones(environment: nil)

  static func moment(_ now: String) throws -> Moment {
    let calendar = CivilCalendar(try zones.rules(named: "Europe/Berlin"))
    return Moment(try #require(Instant(now)), calendar: calendar, firstWeekday: .monday)
  }

  /// - Parameter hasGaps: whether items without a readable time are expected; each is a warning.
  init(_ sample: String, at now: String = GuessCase.now, hasGaps: Bool = false) throws {
    moment = try Self.moment(now)
    let bytes = Array(sample.utf8)
    let guess = try #require(DefinitionGuess.of(bytes, named: "x", zones: Self.zones, at: moment))
    document = guess.document
    (reasons, cautions) = (guess.reasons, guess.cautions)
    let read = DefinitionsFeed.read(Array(guess.document.utf8), named: "x")
    let definition = try #require(read.definition, "\(read.problems) \(guess.document)")
    #expect(read.problems.isEmpty, "\(read.problems) \(guess.document)")
    trial = DefinitionTrial(definition, zones: Self.zones, calendar: moment.calendar)
    let problems = trial.read(
      bytes, from: SessionFile(path: trial.path(ofFile: Array("a.json".utf8)), modified: moment.instant))
    #expect(!problems.contains { $0.severity == .error }, "\(problems) \(guess.document)")
    if !hasGaps { #expect(problems.isEmpty, "\(problems) \(guess.document)") }
  }

  /// The definition's `items`.
  var items: JSONValue { JSONValue(Array(document.utf8))?["items"] ?? .null }

  var comment: [String] { (JSONValue(Array(document.utf8))?["comment"]?.array ?? []).compactMap(\.string) }

  var each: String {
    items["each"]?.string ?? (items["each"]?.array ?? []).compactMap(\.string).joined(separator: " ")
  }

  func path(ofField name: String) -> String? {
    let field = items["fields"]?[name]
    return field?.string ?? field?["from"]?.string
  }

  /// The first line that readers see now. Fails if nothing is shown.
  func firstLine() throws -> String {
    let document = try #require(trial.snapshots(at: moment).first).document
    let snapshot = try Snapshot(bytes: document.bytes(generation: 0, publishedAt: moment.instant))
    #expect(snapshot.entries.first?.content["count"]?.int ?? 0 > 0, "nothing shows now: \(self.document)")
    return KindText(snapshot, at: moment.instant, in: moment.calendar).lines.first ?? ""
  }

  /// Each item as "start…end title".
  var lines: [String] {
    trial.foundItems.map { item in
      let times = item.times.map { "\($0.lowerBound)…\($0.upperBound)" } ?? "no time"
      let repeats = item.rule != nil ? " repeats" : ""
      let title = item.fields.first { ["title", "value"].contains($0.name) }?.value.plainText ?? "no title"
      return "\(times)\(repeats) \(title)"
    }
  }
}
