import CacheSyncSystem

/// What only an exported calendar has of a VEVENT or VTODO (calendars.md). An agent does not keep it.
struct CalendarDetails: Sendable {
  /// The UID as written.
  var uid: String?
  /// With COUNT, where the entry's own rules end with their last occurrence instead.
  var rules: [RecurrenceRule] = []
  /// DURATION, unless a to-do has DUE.
  var duration: CalendarDuration?
  var alarms: [CalendarAlarm] = []
  /// The STATUS that shows nowhere else: of an event, or of a to-do that has been begun.
  private(set) var status: String?
  private var sequence: Int?
  private var transparency: String?
  private var priority: Int?
  private(set) var percent: Int?
  /// Each once.
  private(set) var categories: [String] = []

  private static let transparencies = ["OPAQUE", "TRANSPARENT"]

  /// Reads a line of a component. A value that is wrong is ignored, and of several the first counts.
  mutating func read(_ line: ContentLine, of component: CalendarComponent) {
    guard let value = line.value else { return }
    let name = line.name
    if name.isWord("STATUS") {
      let statuses = component == .event ? ["TENTATIVE", "CONFIRMED"] : ["IN-PROCESS"]
      status = status ?? statuses.first { value.trimmed.isWord(Array($0.utf8)) }
    } else if name.isWord("TRANSP") {
      transparency = transparency ?? Self.transparencies.first { value.trimmed.isWord(Array($0.utf8)) }
    } else if name.isWord("SEQUENCE") {
      sequence = sequence ?? Self.number(value, in: 1...Int(Int32.max))
    } else if name.isWord("PRIORITY") {
      priority = priority ?? Self.number(value, in: 0...9)
    } else if name.isWord("PERCENT-COMPLETE") {
      percent = percent ?? Self.number(value, in: 0...100)
    } else if name.isWord("CATEGORIES") {
      for item in value.textItems where !categories.contains(where: { isSameText($0, item) }) {
        categories.append(item)
      }
    }
  }

  /// A number, if it is in a range.
  static func number(_ text: UnsafeBufferPointer<UInt8>, in range: ClosedRange<Int>) -> Int? {
    Int(String(decoding: text.trimmed, as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
  }

  /// What events and to-dos have alike.
  var properties: [ExportedComponent.Property] {
    var properties: [ExportedComponent.Property] = []
    if let sequence { properties.append(.plain("SEQUENCE", "\(sequence)")) }
    if let transparency { properties.append(.plain("TRANSP", transparency)) }
    if let priority { properties.append(.plain("PRIORITY", "\(priority)")) }
    return properties
  }
}

/// A VALARM, of which anything may be missing or wrong.
struct CalendarAlarm: Sendable {
  private enum Trigger {
    case relative(CalendarDuration, isToEnd: Bool)
    case absolute(WallTime)
  }

  /// DISPLAY or AUDIO. Others need addresses or programs.
  private var action: String?
  private var trigger: Trigger?
  private var duration: CalendarDuration?
  private var repeats: Int?
  private var description: String?

  private static let actions = ["DISPLAY", "AUDIO"]

  mutating func read(_ line: ContentLine) {
    guard let value = line.value else { return }
    let name = line.name
    if name.isWord("ACTION") {
      action = Self.actions.first { value.trimmed.isWord(Array($0.utf8)) }
    } else if name.isWord("TRIGGER") {
      let isToEnd = line.parameter("RELATED")?.isWord("END") ?? false
      if let length = Self.duration(value) {
        trigger = .relative(length, isToEnd: isToEnd)
      } else if let time = try? CalendarText.time(value.trimmed, line), time.isUTC {
        trigger = .absolute(time.wall)
      }
    } else if name.isWord("DURATION") {
      duration = Self.duration(value)
    } else if name.isWord("REPEAT") {
      repeats = CalendarDetails.number(value, in: 1...1_000)
    } else if name.isWord("DESCRIPTION") {
      description = value.unescapedText
    }
  }

  private static func duration(_ text: UnsafeBufferPointer<UInt8>) -> CalendarDuration? {
    try? CalendarDuration(String(decoding: text.trimmed, as: UTF8.self))
  }

  /// - Parameter title: what an alarm shows that has no description.
  /// - Returns: nil if it cannot go off.
  func properties(titled title: String) -> [ExportedComponent.Property]? {
    guard let action, let trigger else { return nil }
    var properties: [ExportedComponent.Property] = [.plain("ACTION", action)]
    switch trigger {
    case .relative(let length, let isToEnd):
      properties.append(.plain(isToEnd ? "TRIGGER;RELATED=END" : "TRIGGER", length.description))
    case .absolute(let wall):
      properties.append(.date("TRIGGER;VALUE=DATE-TIME", CalendarMoment(wall, in: .utc)))
    }
    // Either both or neither (RFC 5545, 3.6.6).
    if let repeats, let duration {
      properties += [.plain("DURATION", duration.description), .plain("REPEAT", "\(repeats)")]
    }
    if action == "DISPLAY" { properties.append(.escaped("DESCRIPTION", description ?? title)) }
    return properties
  }
}
