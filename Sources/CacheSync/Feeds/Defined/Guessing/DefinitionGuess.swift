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

  /// Whether a title or a value was found.
  package let isUseful: Bool

  /// What to change if nothing of the sample shows.
  package let advice =
    "name the path of your list in items.each, such as \"$.bins[*]\", and of a time in items.start; then choose show"

  /// A definition to use without a sample: a list of items with a title and a start.
  ///
  /// - Parameter reason: why nothing else was guessed.
  package static func withoutSample(named name: String, because reason: String = "no sample was given")
    -> DefinitionGuess
  {
    let sample = #"{"items":[{"title":"First","start":"2026-11-24T10:00"}]}"#
    let choice = ShowChoice(show: .coming, reason: "what is on or starts within 7 days")
    let moment = Moment(Instant(seconds: 0), calendar: CivilCalendar(.utc), firstWeekday: .monday)
    let document = withDocument(Array(sample.utf8), zones: TimeZones(environment: nil), at: moment) { sample in
      sample.guesses.first.map { DefinitionDraft(named: name, $0, hasTimes: true, sample.frame).document(choice) }
    }
    return DefinitionGuess(
      document: document.flatMap(\.self) ?? "{}\n",
      reasons: ["\(reason): the definition reads files such as \(sample)"], isUseful: false)
  }

  /// Guesses a definition that reads the sample.
  ///
  /// - Parameters:
  ///   - name: the feed's name.
  ///   - moment: now, at which the sample is to show something.
  /// - Returns: nil if the sample is not JSON.
  package static func of(_ bytes: [UInt8], named name: String, zones: TimeZones, at moment: Moment) -> DefinitionGuess?
  {
    let guess = withDocument(bytes, zones: zones, at: moment) { sample -> DefinitionGuess? in
      // Only the first items were looked at, so a guess may be wrong for a later one. Another may still read it.
      let large = sample.guesses.first { $0.place.count > DefinedFileReading.mostItems }
      let fitting = sample.guesses.filter { $0.place.count <= DefinedFileReading.mostItems }
      for guess in fitting.prefix(mostGuesses) {
        for hasTimes in guess.times == nil ? [false] : [true, false] {
          let draft = DefinitionDraft(named: name, guess, hasTimes: hasTimes, sample.frame)
          if let found = tried(draft, guess, hasTimes: hasTimes, on: bytes, named: name, zones, moment) {
            guard let large, large.place.each != guess.place.each else { return found }
            let words =
              "\(large.place.each.joined(separator: ", ")) has \(large.place.count) items, and a file may have 10,000"
            return DefinitionGuess(
              document: found.document, reasons: found.reasons + ["left out: \(words)"], isUseful: found.isUseful)
          }
        }
      }
      let reason = large.map { "\($0.place.each[0]) has \($0.place.count) items, and a file may have 10,000" }
      return .withoutSample(named: name, because: reason ?? "nothing was found in the sample")
    }
    return guess ?? nil
  }

  /// How many places to try. Each is as much work as reading the sample.
  private static let mostGuesses = 4

  /// What was found in a sample.
  private struct Sample {
    let guesses: [PlaceGuess]
    let frame: SampleFrame
  }

  private static func withDocument<Result>(
    _ bytes: [UInt8], zones: TimeZones, at moment: Moment, _ body: (Sample) -> Result
  ) -> Result? {
    bytes.withUnsafeBytes { bytes in
      let (tree, defects) = JSONTree.read(bytes, strictly: true)
      guard let tree, defects.isEmpty else { return nil }
      let document = SampleDocument(tree: tree)
      let root = SampleItems.root(document, now: moment.instant)
      let frame = SampleFrame(root, zones: zones)
      let clock = SampleClock(
        now: moment.instant, cache: moment.calendar, file: frame.zoneRules.map { CivilCalendar($0) }, zones: zones)
      var guesses = PlaceGuess.all(in: document, root: root, clock)
      let all = SampleItems(all: document, now: moment.instant)
      guesses.append(PlaceGuess(all, root: root, document: document, clock))
      return body(Sample(guesses: guesses, frame: frame))
    }
  }

  /// The definition, if it is valid and reads at least one item of the sample.
  private static func tried(
    _ draft: DefinitionDraft, _ guess: PlaceGuess, hasTimes: Bool, on bytes: [UInt8], named name: String,
    _ zones: TimeZones, _ moment: Moment
  ) -> DefinitionGuess? {
    guard let items = items(of: draft.document(.all), in: bytes, named: name, zones, moment) else { return nil }
    // An empty list is read too, if it is all there is.
    if items.isEmpty, guess.place.count > 0 { return nil }
    var choice = ShowChoice.all
    if hasTimes, let times = guess.times {
      let timed = items.filter { $0.times != nil }
      if timed.isEmpty { return nil }
      choice = ShowChoice.of(
        times, timed.compactMap(\.times), titles: timed.map { $0.fields.first { $0.name == "title" }?.value.plainText },
        isValue: guess.labels.title == nil && guess.labels.value != nil, at: moment)
    } else if guess.times != nil {
      choice.reason = "all of them"
    }
    return DefinitionGuess(
      document: draft.document(choice), reasons: draft.reasons(choice),
      isUseful: guess.labels.title != nil || guess.labels.value != nil)
  }

  /// The items that a definition finds in the sample; nil if it or the sample has a defect.
  private static func items(
    of document: String, in bytes: [UInt8], named name: String, _ zones: TimeZones, _ moment: Moment
  ) -> [FoundItem]? {
    guard let definition = DefinitionsFeed.read(Array(document.utf8), named: name).definition,
      let session = bytes.withUnsafeBytes({ definition.session(in: $0, zones: zones).session })
    else { return nil }
    let items = DefinedItems(definition)
    items.put(
      session, path: CachePath("sample.json"), modified: moment.instant, isUnusable: false, in: moment.calendar)
    return items.found
  }

  /// Why a sample is not JSON.
  package static func problems(ofSample bytes: [UInt8]) -> [Problem] {
    bytes.withUnsafeBytes { bytes in
      let defects = JSONTree.read(bytes, strictly: true).defects
      return zip(defects, JSONPlace.of(defects, in: bytes)).map { Problem(path: .root, $0, at: $1) }
    }
  }
}
