import CacheSyncSystem

/// Reads the text of a rule (RFC 5545, section 3.3.10), part by part.
struct RecurrenceRuleReader {
  typealias Defect = RecurrenceRule.Defect

  /// A piece of the text, and the byte at which it begins.
  struct Piece {
    var offset: Int
    var bytes: ArraySlice<UInt8>

    /// In upper case, cut: names and words are short, so a longer text is not one of them.
    var word: String { String(decoding: bytes.prefix(64), as: UTF8.self).uppercased() }
    var quoted: String { "\"" + EscapedText.forPeople(Array(bytes.prefix(256))) + "\"" }
  }

  enum Part: String, CaseIterable {
    case FREQ, INTERVAL, COUNT, UNTIL, BYSECOND, BYMINUTE, BYHOUR, BYDAY, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYMONTH
    case BYSETPOS, WKST, RSCALE, SKIP

    /// A part that chooses, except BYSETPOS.
    var isChoice: Bool { rawValue.hasPrefix("BY") && self != .BYSETPOS }
  }

  private let bytes: [UInt8]
  private var parts: [(part: Part, name: Piece, value: Piece)] = []
  /// Whether parts and entries without a value are left out; otherwise each is a defect.
  private let leavesOutEmpty: Bool
  /// The parts that are left out, or of which an entry is, each once.
  private(set) var emptyParts: [Part] = []

  init(_ text: String, leavingOutEmpty: Bool = false) {
    bytes = Array(text.utf8)
    leavesOutEmpty = leavingOutEmpty
  }

  /// The rule, or the first defect: of a single part, then of parts that cannot be combined.
  mutating func read() throws(Defect) -> RecurrenceRule {
    try readParts()
    guard let frequency = value(of: .FREQ) else {
      let words = "SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY"
      throw Defect(offset: 0, message: "no FREQ in the rule; write FREQ= and one of \(words)")
    }
    var rule = RecurrenceRule(try Self.frequency(frequency))
    for (part, _, value) in parts { try Self.read(part, value, into: &rule) }
    try checkCombinations(rule)
    return rule
  }

  private func value(of part: Part) -> Piece? { parts.first { $0.part == part }?.value }

  /// Splits the text into names and values.
  private mutating func readParts() throws(Defect) {
    for piece in Self.split(bytes[...], at: UInt8(ascii: ";")) where !piece.bytes.isEmpty {
      guard let equals = piece.bytes.firstIndex(of: UInt8(ascii: "=")) else {
        if leavesOutEmpty, let part = Part(rawValue: piece.word) {
          leaveOut(part)
          continue
        }
        let message = "invalid part \(piece.quoted) of a rule: write NAME=VALUE, such as FREQ=DAILY"
        throw Defect(offset: piece.offset, message: message)
      }
      let name = Self.trimmed(piece.bytes[..<equals])
      var value = Self.trimmed(piece.bytes[(equals + 1)...])
      let word = name.word
      if word.hasPrefix("X-") { continue }
      if word.hasPrefix("RRULE:") {
        throw Defect(offset: name.offset, message: "leave out RRULE: here; a rule begins with its parts, as FREQ=DAILY")
      }
      guard let part = Part(rawValue: word) else {
        let advice = NearestName.advice(for: word, among: Part.allCases.map(\.rawValue))
        throw Defect(offset: name.offset, message: "a rule has no part \(name.quoted); \(advice)")
      }
      if leavesOutEmpty {
        let entries = Self.items(value).filter { !$0.bytes.isEmpty }
        if entries.count < Self.items(value).count {
          leaveOut(part)
          value.bytes = Array(entries.map(\.bytes).joined(separator: [UInt8(ascii: ",")]))[...]
        }
        if value.bytes.isEmpty { continue }
      }
      guard !parts.contains(where: { $0.part == part }) else {
        throw Defect(offset: name.offset, message: "\(part) comes twice; write it once")
      }
      guard !value.bytes.isEmpty else { throw Defect(offset: value.offset, message: "\(part) has no value") }
      // First, because the other parts may have values of that calendar, as BYMONTH=5L.
      if part == .RSCALE, value.word != "GREGORIAN" {
        let message = "RSCALE is \(value.quoted), and only GREGORIAN is known"
        throw Defect(offset: value.offset, message: message, isOtherCalendar: true)
      }
      parts.append((part, name, value))
    }
    // It has nothing to choose from if what it chose among is left out.
    if !emptyParts.isEmpty, !parts.contains(where: { $0.part.isChoice }), value(of: .BYSETPOS) != nil {
      parts.removeAll { $0.part == .BYSETPOS }
      leaveOut(.BYSETPOS)
    }
  }

  private mutating func leaveOut(_ part: Part) {
    if !emptyParts.contains(part) { emptyParts.append(part) }
  }

  private static func read(_ part: Part, _ value: Piece, into rule: inout RecurrenceRule) throws(Defect) {
    switch part {
    case .FREQ, .RSCALE: break
    case .INTERVAL: rule.interval = try wholeNumber(value, part)
    case .COUNT: rule.end = .count(try wholeNumber(value, part))
    case .UNTIL: rule.end = try until(value)
    case .BYSECOND: rule.seconds = NumberSet(try numbers(value, part, 0...60).map { min($0, 59) })
    case .BYMINUTE: rule.minutes = NumberSet(try numbers(value, part, 0...59))
    case .BYHOUR: rule.hours = NumberSet(try numbers(value, part, 0...23))
    case .BYDAY: try readWeekdays(value, into: &rule)
    case .BYMONTHDAY: rule.monthDays = SignedNumberSet(try signedNumbers(value, part, upTo: 31))
    case .BYYEARDAY: rule.yearDays = try signedNumbers(value, part, upTo: 366)
    case .BYWEEKNO: rule.weekNumbers = SignedNumberSet(try signedNumbers(value, part, upTo: 53))
    case .BYMONTH: rule.months = NumberSet(try numbers(value, part, 1...12))
    case .BYSETPOS: rule.positions = try signedNumbers(value, part, upTo: 366)
    case .WKST: rule.firstWeekday = try weekday(value, of: value)
    case .SKIP: rule.skip = try skip(value)
    }
  }

  /// The combinations that section 3.3.10 forbids, because their meaning would be a guess.
  private func checkCombinations(_ rule: RecurrenceRule) throws(Defect) {
    let frequency = rule.frequency
    for (part, name, value) in parts {
      let message: String? =
        switch part {
        case .UNTIL where self.value(of: .COUNT) != nil: "COUNT and UNTIL exclude each other; keep one"
        case .BYWEEKNO where frequency != .yearly: "BYWEEKNO goes with FREQ=YEARLY only"
        case .BYYEARDAY where (.daily ... .monthly).contains(frequency):
          "BYYEARDAY does not go with FREQ=\(frequency.word)"
        case .BYMONTHDAY where frequency == .weekly: "BYMONTHDAY does not go with FREQ=WEEKLY; FREQ=MONTHLY?"
        case .BYSETPOS where !parts.contains(where: { $0.part.isChoice }):
          "BYSETPOS chooses among what another BY part gives; add one, or leave it out"
        default: nil
        }
      if let message { throw Defect(offset: name.offset, message: message) }
      guard part == .BYDAY, !rule.weekdayOrdinals.isEmpty else { continue }
      guard frequency >= .monthly, rule.weekNumbers.isEmpty else {
        let ordinal = Self.items(value).first { !Self.isLetter($0.bytes.first) } ?? value
        let reason = frequency >= .monthly ? "BYWEEKNO" : "FREQ=\(frequency.word)"
        let message = "\(ordinal.quoted): a weekday with a number does not go with \(reason)"
        throw Defect(offset: ordinal.offset, message: message)
      }
    }
  }
}
