/// The intents on a feed over the moments of a timeline. They are in the order in which they act, and end in the same
/// order. So the ones in force at a moment are all from an index on.
struct IntentWindow {
  /// The intents that have not ended at the first moment.
  let intents: [IntentsFeed.InForce]
  /// The first index that is already among a projection's sources.
  private var named: Int
  /// The indices of intents that are the last good version of a file that is unusable now.
  private let unusable: [Int]

  init(_ intents: [IntentsFeed.InForce]) {
    self.intents = intents
    named = intents.count
    unusable = intents.indices.filter { intents[$0].isUnusable }
  }

  /// The index from which intents are in force; the number of intents if none is.
  func start(at moment: Instant) -> Int { intents.partitioningIndex { moment < $0.intent.end } }

  /// Reports to a projection the files of the intents in force that have an effect. Over time their number only falls,
  /// so a file that is already among the sources is not reported again.
  mutating func describe(from start: Int, in projection: inout Projection, where hasEffect: (Int) -> Bool) {
    for place in start..<max(start, named) where hasEffect(place) { projection.sources.insert(intents[place].path) }
    named = min(named, start)
    if unusable.contains(where: { $0 >= start && hasEffect($0) }) { projection.showsUnusable = true }
  }
}
