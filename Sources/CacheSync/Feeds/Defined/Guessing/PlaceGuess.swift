/// A place where the items may be, with what was guessed of them.
struct PlaceGuess {
  let place: SampleItems
  private(set) var labels: GuessedLabels
  let times: GuessedTimes?

  init(_ place: SampleItems, root: [SampleField], document: SampleDocument, _ clock: SampleClock) {
    self.place = place
    var labels = GuessedLabels(place)
    // A forecast has a text for each hour, such as "rain", but people look at its values.
    if labels.valueIsClear, !labels.titleIsClear, labels.title != nil, GuessedTimes.areEven(in: place) {
      labels.preferValue()
    }
    self.labels = labels
    // A document as a whole has the time at which it was made.
    let isSeries = labels.value != nil && (labels.title == nil || place.kind == .columns)
    var times = GuessedTimes(place, isSeries: isSeries, root: root, document: document, clock)
    if place.kind == .document, let found = times, found.rank == .past || labels.value != nil && found.isOver {
      times = nil
    }
    self.times = times
  }

  /// All places of a sample, the best first.
  static func all(in document: SampleDocument, root: [SampleField], _ clock: SampleClock) -> [PlaceGuess] {
    let places = SampleWalk(document, now: clock.now).places
    let guesses = places.map { PlaceGuess($0, root: root, document: document, clock) }
    var kept = guesses.filter { guess in !guesses.contains { guess.belongs(to: $0) } && guess.place.count > 0 }
    let tables = kept.filter { guess in guess.times == nil && kept.contains { $0.refers(to: guess) } }
    for table in tables {
      for index in kept.indices where kept[index].refers(to: table) {
        kept[index].labels.take(namesFrom: table.place, titled: table.labels.title, of: kept[index].place)
      }
    }
    func rank(_ guess: PlaceGuess) -> (Int, Double, Int) {
      // A list of names for other lists' ids comes after what happens at a time.
      tables.contains { $0.place.position === guess.place.position } ? (1, guess.rank.1, guess.rank.2) : guess.rank
    }
    // The sort is stable: of equal places the first counts, which is the one nearest to the top.
    return kept.sorted { rank($0) > rank($1) }
  }

  /// Whether items have a time of their own and, by its id, an item of another list.
  private func refers(to other: PlaceGuess) -> Bool {
    guard times?.isOwn == true, place.kind == .objects, !place.position.isInside(other.place.position) else {
      return false
    }
    return !place.references(to: other.place).isEmpty
  }

  // MARK: Ranking

  /// By whether items have a time and a label, then by how many have both.
  private var rank: (Int, Double, Int) {
    let count = Double(place.count)
    let isLabelled = labels.title != nil || labels.value != nil
    let kind = place.kind == .scalars ? 0 : 1
    switch place.kind {
    case .document:
      // Of an envelope and the object in it, the object.
      let size = Double(place.informativeCount) - (place.ownInformativeCount == 0 ? 0.5 : 0)
      return (times != nil && isLabelled ? 2 : size > 0.5 ? 1 : 0, size, kind)
    case .times: return (times != nil ? 4 : 0, count, kind)
    case .scalars where labels.value != nil && labels.title == nil && times == nil: return (0, count, kind)
    default:
      if let times, isLabelled { return (5, count * times.coverage, kind) }
      let isBoth = labels.title != nil && labels.value != nil
      if isLabelled { return (place.kind == .scalars && !place.isKeyed ? 2 : 3, count, isBoth ? 2 : kind) }
      return (times != nil ? 2 : 0, count, kind)
    }
  }

  /// Whether these items only describe those of another place, such as an event's guests.
  private func belongs(to other: PlaceGuess) -> Bool {
    let position = place.position
    if other.place.kind == .document {
      if place.kind == .document {
        return position.isInside(other.place.position) && other.place.ownInformativeCount > 0
      }
      // A reading with the day's sunrise beside it is still a reading.
      if place.kind == .times {
        return other.labels.valueIsClear
          && (position === other.place.position || position.isInside(other.place.position))
      }
      return isNote(of: other)
    }
    if other.place.kind == .columns { return position.isInside(other.place.position) }
    guard other.place.kind == .objects, position.isInside(other.place.position) else { return false }
    let isTitled = other.labels.title != nil && other.labels.titleDiffers
    let names = position.names.dropFirst(other.place.position.names.count)
    if isTitled, names.contains(where: { NameWords.words(of: $0).contains(where: NameWords.subordinate.contains) }) {
      return true
    }
    // The same text in all, or the other's name, does not make it an item. A time or a value that the other lacks makes it
    // an item all the same.
    let hasMore = times?.isOwn == true && other.times == nil || labels.value != nil && other.labels.value == nil
    if !labels.titleDiffers, labels.title != nil, other.labels.title != nil, !hasMore { return true }
    // Numbers by code in a row that has a title are the row's values.
    if isTitled, place.kind == .scalars, place.isKeyed, times == nil { return true }
    // Items that have the other's time need not be shown apart from it, unless the other has no name.
    guard let outer = other.times, outer.isOwn, times.map({ !$0.isOwn }) ?? true else { return false }
    if isTitled { return other.place.count > 1 }
    guard other.labels.value != nil else { return false }
    return place.count <= other.place.count || labels.title == nil || place.kind != .objects || place.isKeyed
  }

  /// Whether a list only belongs to an object with members of its own: the log of a device, the tags of an event.
  private func isNote(of other: PlaceGuess) -> Bool {
    guard !place.isKeyed, place.position.isEvery, times.map({ !$0.isOwn }) ?? true,
      place.position.outer?.outer === other.place.position
    else { return false }
    let name = place.position.names.last ?? ""
    if NameWords.words(of: name).contains(where: NameWords.subordinate.contains) { return other.labels.title != nil }
    if place.count == 1, times == nil { return other.labels.value != nil && other.place.informativeCount > 2 }
    return place.kind == .scalars && times == nil && other.place.informativeCount > 2
  }
}

extension SampleItems {
  /// The members that are ids of another list's items. All their values are such ids.
  func references(to other: SampleItems) -> [SampleField] {
    guard other.kind == .objects,
      let id = other.fields.first(where: {
        $0.level == 0 && $0.depth == 0 && NameWords.id.contains($0.name.lowercased())
      })
    else { return [] }
    let ids = Set(id.values.compactMap { $0?.identity })
    guard ids.count == other.fields[0].values.count else { return [] }
    let names = other.position.names.last.map { NameWords.words(of: $0) } ?? []
    return fields.filter { field in
      guard field.level == 0, !field.isKey, field.path != "@.id", field.distinctCount > 0 else { return false }
      let isNamed = field.ownWords.contains(where: NameWords.id.contains) || field.isNamed(like: names)
      return isNamed && field.values.allSatisfy { $0.map { ids.contains($0.identity) } ?? true }
    }
  }

  /// How many members of a single object are for reading, those of the objects in it too.
  var informativeCount: Int { informativeCount(depth: 1) }

  /// How many members of its own a single object has for reading.
  var ownInformativeCount: Int { informativeCount(depth: 0) }

  private func informativeCount(depth: Int) -> Int {
    fields.count { field in
      guard field.level == 0, !field.isKey, field.depth <= depth else { return false }
      switch field.shape {
      case .text: return !field.ownWords.contains(where: NameWords.meta.union(NameWords.unreadable).contains)
      case .number, .numberText:
        return !field.ownWords.contains(where: NameWords.meta.union(NameWords.counters).contains)
      default: return false
      }
    }
  }

  /// A description of the place for a person.
  func words(hasTimes: Bool, hasTitle: Bool) -> String {
    let items = counted(count, "item")
    switch kind {
    case .objects where position.nodes.contains { $0.key != nil }: return "an object whose members are alike, \(items)"
    case .objects where hasTimes:
      return "the longest list whose items have a \(hasTitle ? "title" : "value") and a time, \(items)"
    case .objects: return "the largest list of objects, \(items)"
    case .tuples: return "a list of rows that are equally long, \(items)"
    case .columns: return "an object of columns that are equally long, \(items)"
    case .scalars where isKeyed: return "an object with a value for each key, \(items)"
    case .scalars: return "a list of plain values, \(items)"
    case .times: return "the times in \(position.path), \(items)"
    case .document:
      let name =
        each == ["$[*]"]
        ? "each element of the document is an item"
        : each == ["$"] ? "the document is one item" : "it has the most to show, so it is one item"
      return each == ["$"] || each == ["$[*]"] ? "no list of items was found, so \(name)" : name
    }
  }
}

extension SampleField {
  /// Whether its own name begins as one of a list's names does: `fraktionId` and `fraktionen`.
  func isNamed(like names: [String]) -> Bool {
    ownWords.contains { own in
      names.contains { name in
        let length = zip(own.unicodeScalars, name.unicodeScalars).prefix { $0 == $1 }.count
        return length >= 3 && length + 2 >= own.unicodeScalars.count
      }
    }
  }
}
