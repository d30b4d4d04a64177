import CacheSyncValues

/// What the words of a member's name say about its meaning. Of other names the values decide.
///
/// The words are data of the languages (`Names.json`).
enum SampleWords: String, CaseIterable {
  case start, end, time, next, due, days, yearly, zone
  /// A producer's own times, at which nothing happens to an item, and times at which something happened last.
  case past
  /// What an item is that is done, that does not count, and that does.
  case done, off, cancelled, on
  /// What a status says of an item that is done. A bath that is closed is not.
  case finished
  /// Names of members that say one of these in their values, and words beside them that say nothing.
  case status, helping
  /// A time as planned, beside which there may be the time as expected.
  case plan, real
  /// These say how a time is written, not which time it is: `startDate` and `start.dateTime` are the same time.
  case notation
  /// Numbers under these names may be as large as a time without being one.
  case quantity
  /// Names of titles and of numbers to show, the clearest first.
  case titles, values
  /// Whose names are both the title of a match.
  case home, away
  /// Things around an item, whose names and ids are not the item's; and further ones whose ids are not.
  case others, foreign
  /// Texts under these names are not for reading, or only describe.
  case unreadable, describing
  case wrappers, id
  /// Numbers under these names may be titles.
  case lines
  /// Numbers under these names are not for reading.
  case counters
  /// Units at the ends of names, such as `power_w`, with their signs. One letter is a unit only behind another word.
  case units
  /// What an amount counts if not whole units, and currencies whose units do not have a hundred parts.
  case minor, small, sum, uneven
  /// Texts under these names are the units of numbers beside them. Amounts may be in cents, rates are for a unit.
  case unit, currency, sums, rates
  /// Rules for words that programs write. A rule itself is read as it is.
  case repetition, rules
  /// Numbers that may count days or weeks from a start that all items share.
  case steps, weeks
  /// Lists that belong to an item and are not items themselves, such as an event's guests.
  case subordinate

  /// The words of a name, in lower case: `collectionDate` gives "collection" and "date". Longer names are data.
  static func of(_ name: String) -> [String] {
    var words: [String] = []
    var last: Unicode.Scalar = " "
    for scalar in name.unicodeScalars.prefix(100) {
      let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if isWord, last == " " || last.properties.isLowercase && scalar.properties.isUppercase { words.append("") }
      if isWord { words[words.count - 1] += scalar.properties.lowercaseMapping }
      last = isWord ? scalar : " "
    }
    return words
  }

  /// The words; those of ``units`` and ``rules`` with `=` and what they stand for.
  var list: [String] { Self.lists[self] ?? [] }
  func contains(_ word: String) -> Bool { Self.sets[self]?.contains(word) ?? false }
  /// What a word stands for.
  func meaning(of word: String) -> String? {
    list.first { $0.hasPrefix(word + "=") }.map { String($0.dropFirst(word.count + 1)) }
  }

  private static let lists = Dictionary(
    uniqueKeysWithValues: allCases.map { words in
      let texts = (Language.memberNames[words.rawValue]?.array ?? []).compactMap(\.string)
      return (words, texts.flatMap { $0.split(separator: " ").map(String.init) })
    })
  private static let sets = lists.mapValues { Set($0) }
}

extension [String] {
  func hasAny(of meanings: [SampleWords]) -> Bool { contains { word in meanings.contains { $0.contains(word) } } }
}
