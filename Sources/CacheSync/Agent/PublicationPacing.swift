/// Says when publications are to keep a distance: while a producer writes one file after the other faster than they can be
/// published well.
///
/// Each file of such a storm would be a publication of its own, and each publication costs several times what its file costs
/// (measured on ext4 in a storm of 5,000: 300 to 500 us and 60), wakes every reader, and is outdated a moment later. Fifty in
/// a second cost little, and readers see a storm's last file as soon as anybody could tell.
///
/// Producers that wait until they see a file before they write the next look the same, and must not be kept waiting. So it is
/// tried out: in ten times the time a storm brings ten times as many files, and such producers bring one each. It is tried
/// ever more rarely as long as it is in vain, so that it is not felt, and again now and then while a storm goes on.
package struct PublicationPacing {
  /// How far publications of a storm begin from each other.
  package static let distance = Duration.milliseconds(20)
  /// How long the rest is that tells a storm by what comes in a ``distance``, in comparison.
  package static let trial = Duration.milliseconds(2)
  /// A publication that begins so soon after the last has ended is close to it.
  package static let closeness = Duration.milliseconds(1)
  /// By how much more a storm brings in a ``distance`` than in a ``trial``: less than ten, because a storm has gusts.
  package static let leastGrowth = 3
  /// After so many close publications it is tried first.
  package static let firstPatience = 32
  private static let longestPatience = 1 << 20
  /// After so long a pause it is as if nothing had been tried.
  private static let forgetting = Duration.seconds(1)
  /// So many publications of a storm keep their distance before it is tried again.
  private static let longestTrust = 64

  private enum State {
    /// So many publications were close to the one before.
    case calm(Int)
    case trying(until: Uptime)
    /// The next publication is due at `next`; so many kept their distance, and the trial brought so many writes.
    case storm(next: Uptime, count: Int, trialWrites: Int)
  }

  private var state = State.calm(0)
  private var patience = firstPatience
  private var lastEnd: Uptime?

  package init() {}

  /// To be called after every publication that finished writes gave rise to.
  ///
  /// - Parameter writeCount: how many it took in.
  /// - Returns: until when nothing should be taken in; nil: nothing new is to be waited for.
  package mutating func rest(after began: Uptime, until ended: Uptime, writeCount: Int) -> Uptime? {
    defer { lastEnd = ended }
    if let lastEnd, began > lastEnd.advanced(by: Self.forgetting) {
      // What was learned of one producer says nothing of the next.
      patience = Self.firstPatience
      state = .calm(0)
      return nil
    }
    switch state {
    case .calm(let count):
      guard let lastEnd, began <= lastEnd.advanced(by: Self.closeness) else {
        state = .calm(0)
        return nil
      }
      state = .calm(count + 1)
      return count + 1 >= patience ? rest(trying: ended) : nil
    case .trying(let end):
      // Somebody asked for what there is, which says nothing of how much there would have been.
      if began < end { return nil }
      guard began <= end.advanced(by: Self.closeness) else {
        state = .calm(0)
        return nil
      }
      return writeCount > 1 ? rest(in: began, ended, count: 0, trialWrites: writeCount) : endInVain()
    case .storm(let next, let count, let trialWrites):
      if began < next { return nil }
      guard began <= next.advanced(by: Self.distance) else {
        state = .calm(0)
        return nil
      }
      guard writeCount >= Self.leastGrowth * trialWrites else { return endInVain() }
      if count >= Self.longestTrust { return rest(trying: ended) }
      return rest(in: began, ended, count: count, trialWrites: trialWrites)
    }
  }

  private mutating func rest(trying ended: Uptime) -> Uptime {
    let end = ended.advanced(by: Self.trial)
    state = .trying(until: end)
    return end
  }

  private mutating func rest(in began: Uptime, _ ended: Uptime, count: Int, trialWrites: Int) -> Uptime? {
    let next = max(began.advanced(by: Self.distance), ended)
    state = .storm(next: next, count: count + 1, trialWrites: trialWrites)
    return next > ended ? next : nil
  }

  private mutating func endInVain() -> Uptime? {
    // A storm that ends or slackens teaches nothing of who waits.
    if case .storm(_, let count, _) = state, count > 1 {} else { patience = min(patience * 8, Self.longestPatience) }
    state = .calm(0)
    return nil
  }
}
