/// The intents on a feed over the moments of a timeline. They are in the order in which they act and end in the same order,
/// so those in force at a moment are all from a place on.
struct IntentWindow {
  /// Those that have not ended at the first moment.
  let intents: [IntentsFeed.InForce]
  /// Where those begin that are among a projection's sources already.
  private var named: Int
  /// The places of those that are the last good version of a file that is unusable now.
  private let unusable: [Int]

  init(_ intents: [IntentsFeed.InForce]) {
    self.intents = intents
    named = intents.count
    unusable = intents.indices.filter { intents[$0].isUnusable }
  }

  /// The place from which on intents are in force; their number when none is.
  func start(at moment: Instant) -> Int { intents.partitioningIndex { moment < $0.intent.end } }

  /// Tells a projection of the files of the intents in force that have an effect. As time goes on these only grow fewer, so
  /// one that is among the sources is not named again.
  mutating func describe(
    from start: Int, in projection: inout Projection, where hasEffect: (Int) -> Bool = { _ in true }
  ) {
    for place in start..<max(start, named) where hasEffect(place) { projection.sources.insert(intents[place].path) }
    named = min(named, start)
    if unusable.contains(where: { $0 >= start && hasEffect($0) }) { projection.showsUnusable = true }
  }
}
