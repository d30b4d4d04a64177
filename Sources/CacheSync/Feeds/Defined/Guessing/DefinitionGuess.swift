import CacheSyncSystem

/// A first definition, guessed from a sample (commands.md: feed new).
///
/// It is valid, and reads the sample. Where the sample's values do not show what they mean, their names decide. So each
/// guess has a reason that a person can judge.
package struct DefinitionGuess: Sendable {
  /// The file's content.
  package let document: String
  /// What was guessed and why, one line for each guess.
  package let reasons: [String]

  /// A definition to use without a sample: a list of items with a title and a start.
  ///
  /// - Parameter reason: why nothing else was guessed.
  package static func withoutSample(named name: String, because reason: String = "no sample was given")
    -> DefinitionGuess
  {
    let sample = #"{"items":[{"title":"First","start":"2026-11-24T10:00"}]}"#
    guard let value = JSONValue(Array(sample.utf8)) else { return DefinitionGuess(document: "{}", reasons: []) }
    var guess = DefinitionDraft(name: name, value, zones: nil)
    guess.reasons = ["\(reason): the definition reads files such as \(sample)"]
    return DefinitionGuess(document: guess.document, reasons: guess.reasons)
  }

  /// Guesses a definition.
  ///
  /// - Parameters:
  ///   - name: the feed's name.
  ///   - isGood: whether the definition and the sample pass validation.
  /// - Returns: nil if the sample is not JSON.
  package static func of(
    _ sample: [UInt8], named name: String, zones: TimeZones, isGood: (FeedDefinition) -> Bool
  ) -> DefinitionGuess? {
    guard let document = JSONValue(sample) else { return nil }
    // Only the first items are tested, so a guess may be wrong for a later one. Guessing less may still read it.
    for care in [DefinitionDraft.Care.guessesTimes, .guessesPlace, .guessesNothing] {
      let draft = DefinitionDraft(name: name, document, zones: zones, care: care)
      let bytes = Array(draft.document.utf8)
      if let definition = DefinitionsFeed.read(bytes, named: name).definition, isGood(definition) {
        return DefinitionGuess(document: draft.document, reasons: draft.reasons)
      }
    }
    return DefinitionGuess.withoutSample(named: name, because: "nothing was found in the sample")
  }

  /// Guesses a definition that reads the sample.
  package static func of(_ sample: [UInt8], named name: String, zones: TimeZones) -> DefinitionGuess? {
    of(sample, named: name, zones: zones) { definition in
      let session = sample.withUnsafeBytes { definition.session(in: $0, zones: zones) }
      return session.defects.isEmpty
    }
  }
}

/// A definition being guessed.
struct DefinitionDraft {
  /// How much to guess.
  enum Care {
    case guessesTimes, guessesPlace, guessesNothing
  }

  var document: String {
    var json = JSONWriter(inAnyOrder: true)
    json.object { $0.members(members) }
    return (json.bytes.withUnsafeBytes { JSONTree.read($0).tree?.printed } ?? "") + "\n"
  }
  var reasons: [String] = []
  private var members = JSONWriter(inAnyOrder: true)

  private static let titleWords = [
    "title", "summary", "subject", "name", "label", "headline", "what", "product", "type", "direction", "destination",
    "station", "description", "text", "task", "line",
  ]
  private static let valueWords = ["price", "value", "marketprice", "temperature", "temp", "level", "amount", "power"]

  init(name: String, _ document: JSONValue, zones: TimeZones?, care: Care = .guessesTimes) {
    members.member("version", 1)
    let root = SampleItems.fields(of: document.object != nil ? [document] : [], under: "$")
    let places = care == .guessesNothing ? [] : SampleItems.all(in: document)
    var best: (items: SampleItems, times: GuessedTimes?)?
    for items in places {
      let times = care == .guessesTimes ? GuessedTimes(items, root: root, document: document) : nil
      if let best, Self.rank(best.items, best.times) >= Self.rank(items, times) { continue }
      best = (items, times)
    }
    let items = best?.items ?? SampleItems(document.array == nil ? "$" : "$[*]", .document, [])
    let times = best?.times
    let each = times?.each ?? items.each
    reasons.append("items: \(each), \(items.words)")

    var body = JSONWriter(inAnyOrder: true)
    body.member("each", each)
    if items.kind == .columns { body.member("columns", true) }
    // Each element of the list of times becomes an item. The former item is then the object around it.
    let isMoved = times?.each != nil
    func moved(_ path: String) -> String { isMoved ? "^" + path.dropFirst() : path }

    let free = items.fields.filter { !(times?.used.contains($0.path) ?? false) }
    let texts = free.filter { $0.shape == .text && !$0.hasAny(of: ["id", "uid", "uuid", "guid", "url", "link"]) }
    let title = Self.title(texts)
    let number = title == nil ? Self.number(free) : nil
    var fields = times?.fields ?? JSONWriter(inAnyOrder: true)
    if let title {
      fields.member("title", moved(title.path))
      reasons.append("title: \(title.path)")
    } else if items.kind == .members {
      // A member's key names it.
      fields.member("title", "#key")
      reasons.append("title: the members' names, because no text is in all of them")
    } else if let number {
      fields.member("value", moved(number.path))
      reasons.append("value: \(number.path), because no text is a title")
    }
    let detail = texts.first { $0.path != title?.path && $0.isEverywhere }
    if title != nil, let detail {
      fields.member("detail", moved(detail.path))
      reasons.append("detail: \(detail.path)")
    }
    let id = isMoved ? nil : Self.id(items)
    if let id, items.kind != .members { fields.member("identifier", id.path) }
    if !fields.bytes.isEmpty { body.member("fields", object: { $0.members(fields) }) }
    if items.kind == .members, !isMoved {
      body.member("id", "{key}")
    } else if let id {
      body.member("id", "{identifier}")
      reasons.append("id: \(id.path), which is different in each")
    } else {
      members.member("use", "newest")
      reasons.append("use: only the newest file counts, because items have no id")
    }
    if let times { body.members(times.members) }
    reasons += times?.reasons ?? ["times: none that every item has, so all items are shown always"]
    frame(root, zones, hasLocalTimes: times != nil, itemsAreDocument: items.kind == .document)
    members.member("items", object: { $0.members(body) })
    let style = KindDraft(
      title: title != nil || items.kind == .members, hasValue: number != nil, hasDetail: title != nil && detail != nil,
      times: times)
    members.member(
      "kinds",
      object: { json in
        json.key(named: name)
        style.write(to: &json)
      })
    reasons.append(style.reason)
  }

  /// Ranks a place for items: by whether it has times, then by its kind, then by its size. A greater rank is better.
  private static func rank(_ items: SampleItems, _ times: GuessedTimes?) -> (Int, Int, Int) {
    let kind =
      switch items.kind {
      case .document: 0
      case .texts: 1
      case .objects, .members, .columns: items.parents.isEmpty ? 2 : 3
      }
    return (times != nil ? 1 : 0, kind, items.rows.count)
  }

  private static func title(_ texts: [SampleField]) -> SampleField? {
    for word in titleWords {
      if let field = texts.first(where: { $0.isEverywhere && $0.words.last == word })
        ?? texts.first(where: { $0.isEverywhere && $0.words.contains(word) })
      {
        return field
      }
    }
    func count(_ field: SampleField) -> Int { Set(field.values.compactMap(\.string)).count }
    return texts.filter(\.isEverywhere).max { count($0) < count($1) }
  }

  private static func number(_ fields: [SampleField]) -> SampleField? {
    let numbers = fields.filter { $0.shape == .number && $0.isEverywhere }
    for word in valueWords {
      if let field = numbers.first(where: { $0.words.contains(word) }) { return field }
    }
    return numbers.first { !$0.hasAny(of: ["id", "code", "index", "number", "version"]) } ?? numbers.first
  }

  private static func id(_ items: SampleItems) -> SampleField? {
    items.fields.first { field in
      guard field.isEverywhere, field.path.hasPrefix("@"), items.kind == .objects,
        ["id", "uid", "uuid", "guid"].contains(field.words.last ?? "")
      else { return false }
      let texts = field.values.map { $0.string ?? $0.int.map { "\($0)" } ?? "" }
      return !texts.contains("") && Set(texts.map { ExactText($0) }).count == texts.count
    }
  }

  /// Adds the definition's `timeZone` and `updated`, if the document has them.
  private mutating func frame(
    _ root: [SampleField], _ zones: TimeZones?, hasLocalTimes: Bool, itemsAreDocument: Bool
  ) {
    if hasLocalTimes, let zones,
      let field = root.first(where: { field in
        field.hasAny(of: ["timezone", "zone", "tz"])
          && field.values.first?.string.map { (try? zones.rules(named: $0)) != nil } == true
      })
    {
      members.member("timeZone", field.path)
      reasons.append("timeZone: \(field.path)")
    }
    let words = SampleField.updateWords.union(["timestamp"])
    if !itemsAreDocument, let field = root.first(where: { $0.isMoment && $0.hasAny(of: words) }),
      case .moment(let form, _) = field.shape
    {
      if let form {
        members.member(
          "updated",
          object: { json in
            json.member("at", field.path)
            json.member("as", form)
          })
      } else {
        members.member("updated", field.path)
      }
      reasons.append("updated: \(field.path), from which age counts")
    }
  }
}

extension SampleItems.Kind: Equatable {}

extension DefinitionGuess {
  /// Why a sample is not JSON.
  package static func problems(ofSample bytes: [UInt8]) -> [Problem] {
    bytes.withUnsafeBytes { bytes in
      let defects = JSONTree.read(bytes, strictly: true).defects
      return zip(defects, JSONPlace.of(defects, in: bytes)).map { Problem(path: .root, $0, at: $1) }
    }
  }
}
