/// The member that says that an item is done, such as a task. What is done is left out.
struct GuessedDone {
  private enum Sign {
    /// A flag, or a number that is 1.
    case flag, one
    /// A time at which it was done, which other items do not have.
    case time
    /// One of these texts.
    case texts([String])
  }

  let path: String
  private let sign: Sign

  /// Nil if no member says it, or if all items are done.
  init?(_ place: SampleItems) {
    guard place.kind == .objects, !place.fields.contains(where: { $0.hasAny(of: NameWords.home) }) else { return nil }
    for field in place.fields where field.level == 0 && !field.isKey {
      if let sign = Self.sign(of: field) {
        path = field.path
        self.sign = sign
        return
      }
    }
    return nil
  }

  private static func sign(of field: SampleField) -> Sign? {
    let values = field.values
    let isNamed = field.hasAny(of: NameWords.done) && !field.hasAny(of: NameWords.end)
    switch field.shape {
    case .flag: return isNamed && values.contains { $0 != .flag(true) } ? .flag : nil
    case .number:
      let numbers = values.compactMap { $0?.number }
      return isNamed && numbers.allSatisfy { $0 == 0 || $0 == 1 } && numbers.contains(0) ? .one : nil
    case .moment: return isNamed && field.coverage < 1 ? .time : nil
    case .text:
      guard field.ownWords.contains(where: NameWords.states.contains) else { return nil }
      func isDone(_ text: String) -> Bool { NameWords.doneStates.contains(text.lowercased()) }
      let texts = Set(values.compactMap { $0?.text })
      let done = texts.filter(isDone).sorted()
      return done.isEmpty || done.count == texts.count ? nil : .texts(done)
    case .clock, .weekday, .numberText, .other: return nil
    }
  }

  /// Adds the conditions for the items that are not done.
  func write(_ field: String, to json: inout JSONWriter) {
    func condition(_ json: inout JSONWriter, _ write: (inout JSONWriter) -> Void) {
      json.object { json in
        json.member("field", field)
        write(&json)
      }
    }
    switch sign {
    case .flag: condition(&json) { $0.member("isNot", true) }
    case .one: condition(&json) { $0.member("isNot", 1) }
    case .time:
      condition(&json) { json in
        json.key("is")
        json.null()
      }
    case .texts(let texts):
      for text in texts { condition(&json) { $0.member("isNot", text) } }
    }
  }
}
