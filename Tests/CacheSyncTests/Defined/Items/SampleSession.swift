import Testing

import CacheSync

/// A definition's items and a session file that was read with them.
struct SampleSession {
  var session: DefinedSession?
  var defects: [JSONDefect]
  var warnings: [JSONDefect]
  private let json: String

  static let zones = TimeZones(environment: nil)

  /// - Parameters:
  ///   - items: the definition's `items`, as JSON.
  ///   - rest: other members of the definition, with a comma at their end.
  init(_ items: String, _ json: String, rest: String = "") throws {
    try self.init(
      definition: #"{"version":1,"#
        + rest + #""items":"# + items + #","kinds":{"sample":{"show":"all","items":{"title":"x"}}}}"#, json)
  }

  init(definition: String, named name: String = "sample", _ json: String) throws {
    self.init(try Self.definition(definition, named: name), json)
  }

  init(_ definition: FeedDefinition, _ json: String) {
    self.json = json
    (session, defects, warnings) = definition.read(json)
  }

  static func definition(_ json: String, named name: String = "sample") throws -> FeedDefinition {
    let read = GoodDefinitions.read(json, named: name)
    #expect(read.defects == [])
    return try #require(read.definition)
  }

  /// `line:column: message [pointer]` of each defect.
  var places: [String] { places(of: defects) }

  /// The same of each warning.
  var warningPlaces: [String] { places(of: warnings) }

  private func places(of defects: [JSONDefect]) -> [String] {
    var json = json
    return json.withUTF8 { bytes in
      zip(defects, JSONPlace.of(defects, in: UnsafeRawBufferPointer(bytes)))
        .map { "\($1.line):\($1.column): \($0.message) [\($1.pointer)]" }
    }
  }

  var items: [DefinedItem] { session?.items ?? [] }

  /// The values of a field, by its index.
  func values(_ field: Int = 0) -> [ItemValue] { items.map { $0.values[field] } }

  var starts: [String] { items.map { $0.start.map { $0.words } ?? "-" } }

  var ends: [String] {
    items.map { item in
      switch item.end {
      case .time(let time): time.words
      case .lasts(let days, let seconds): "\(days) d \(seconds) s"
      case .next: "next"
      case .unstated: "-"
      }
    }
  }
}

extension FeedDefinition {
  func read(_ json: String) -> (session: DefinedSession?, defects: [JSONDefect], warnings: [JSONDefect]) {
    var json = json
    return json.withUTF8 { session(in: UnsafeRawBufferPointer($0), zones: SampleSession.zones) }
  }
}

extension DefinedItem.Time {
  /// "2026-11-24", "2026-11-24 10:00:00" on the wall, "2026-11-24T10:00:00Z", or "day of 2026-11-24T10:00:00Z +1 36000".
  var words: String {
    switch point {
    case .instant(let instant):
      if let shift { return "day of \(instant) +\(shift.days)" + (hasTime ? " \(shift.secondOfDay)" : "") }
      return instant.rfc3339()
    case .wall(let wall):
      guard hasTime else { return wall.day.description }
      var bytes: [UInt8] = []
      ASCIIDigits.appendTime(secondOfDay: wall.secondOfDay, to: &bytes)
      return "\(wall.day) \(String(decoding: bytes, as: UTF8.self))"
    }
  }
}
