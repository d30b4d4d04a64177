/// What one health file says: all of it, as the agent needs every documented field (FEEDS: health).
package struct StoredHealthLog: Sendable {
  package typealias SampleType = HealthSession.SampleType

  package struct Sample: Sendable {
    package var id: RecordID?
    package var type: SampleType
    package var date: Instant
    package var value: Double
  }

  package struct Goals: Sendable {
    /// kcal a day.
    package var adjustment = 0.0
    /// Percent of the energy; nil without that percent.
    package var protein: Double?
    package var carbs: Double?
    package var fat: Double?
    package var firstWeekday: Weekday?

    package init() {}
  }

  /// In the order of the file.
  package var samples: [Sample] = []
  package var goals: Goals?
}

extension HealthSession.SampleType: JSONKey {
  package static let table = JSONKeyTable<HealthSession.SampleType>()
}

extension StoredHealthLog {
  private enum Key: String, JSONKey {
    case samples, goals
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredHealthLog? {
    var log = StoredHealthLog()
    let isObject = json.object(Key.self) { json, key in
      switch key {
      case .samples: log.samples = json.records(nil) { Sample.decode(&$0) }
      case .goals: log.goals = Goals.decode(&json)
      }
    }
    return isObject ? log : nil
  }

  /// "Values are not negative."
  fileprivate static let values = 0...Double.greatestFiniteMagnitude
}

extension StoredHealthLog.Sample {
  private enum Key: String, JSONKey {
    case id, type, date, value
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredHealthLog.Sample? {
    var id: RecordID?
    var type: StoredHealthLog.SampleType?
    var date = Instant.referenceDate
    var value = 0.0
    var valueOffset = 0
    let isObject = json.object(Key.self, required: [.type, .date, .value]) { json, key in
      switch key {
      case .id: id = json.recordID()
      case .type:
        guard json.next == .string else { return json.mismatch("a text that is not empty") }
        type = json.word(StoredHealthLog.SampleType.self)
        // Of a type that no kind uses nothing else counts; but it must have a name.
        if type == nil, json.isEmptyString { json.refuseUnknownWord("a text that is not empty") }
      case .date: date = json.date() ?? .referenceDate
      case .value:
        valueOffset = json.valueOffset
        value = json.number(in: StoredHealthLog.values) ?? 0
      }
    }
    // Judged at the end, because the type may stand behind the value.
    if type == .bodyFatPercentage, value > 1 {
      json.fail("expected a number from 0 to 1 for bodyFatPercentage", at: valueOffset)
    }
    guard isObject, let type else { return nil }
    return StoredHealthLog.Sample(id: id, type: type, date: date, value: value)
  }
}

extension StoredHealthLog.Goals {
  private enum Key: String, JSONKey {
    case adjustment, macros, firstWeekday
    static let table = JSONKeyTable<Key>()
  }

  private enum MacroKey: String, JSONKey {
    case protein, carbs, fat
    static let table = JSONKeyTable<MacroKey>()
  }

  private enum Day: String, JSONKey {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    static let table = JSONKeyTable<Day>()
  }

  static func decode(_ json: inout JSONReader) -> StoredHealthLog.Goals? {
    var goals = StoredHealthLog.Goals()
    let isObject = json.object(Key.self) { json, key in
      switch key {
      case .adjustment: goals.adjustment = json.number() ?? 0
      case .macros: goals.decodeMacros(&json)
      case .firstWeekday:
        let day = json.word(Day.self, named: "firstWeekday", unknown: nil)
        goals.firstWeekday = day.flatMap { Weekday(word: $0.rawValue) }
      }
    }
    return isObject ? goals : nil
  }

  private mutating func decodeMacros(_ json: inout JSONReader) {
    _ = json.object(MacroKey.self) { json, key in
      let percent = json.number(in: StoredHealthLog.values)
      switch key {
      case .protein: protein = percent
      case .carbs: carbs = percent
      case .fat: fat = percent
      }
    }
  }
}
