/// Says when publications are to keep a distance: while a producer writes one file after the other faster than they can be
/// published well.
///
/// Each file of such a storm would be a publication of its own, and each publication costs several times what its file costs
/// (measured on ext4 in a storm of 5,000: 300 to 500 us and 60), wakes every reader, and is outdated a moment later. As far
/// apart as a display's frames they cost little, and readers see a storm's last file as soon as anybody could tell.
///
/// A producer that waits until it sees a file before it writes the next looks the same, and must not be kept waiting. So it is
/// tried out: a storm goes on during a short rest, and such a producer does not. It is tried ever more rarely as long as that
/// shows nothing, so that it is not felt.
package struct PublicationPacing {
  /// How far publications of a storm begin from each other.
  package static let distance = Duration.milliseconds(20)
  /// How long a rest is that tries whether there is a storm.
  package static let trial = Duration.milliseconds(2)
  /// A publication that begins so soon after the last has ended is close to it.
  package static let closeness = Duration.milliseconds(1)
  /// A storm writes at least so many files in a ``distance``.
  package static let leastWrites = 8
  /// After so many close publications it is tried first.
  package static let firstPatience = 32
  private static let longestPatience = 1 << 20
  /// After so long a pause it is as if nothing had been tried.
  private static let forgetting = Duration.seconds(1)

  private enum State {
    /// So many publications were close to the one before.
    case calm(Int)
    case trying(until: Uptime)
    /// The next publication is due at `next`; so many kept their distance.
    case storm(next: Uptime, count: Int)
  }

  private var state = State.calm(0)
  private var patience = firstPatience
  private var lastEnd: Uptime?

  package init() {}

  /// To be called after every publication that files gave rise to.
  ///
  /// - Parameter writeCount: how many finished writes it took in.
  /// - Returns: until when nothing should be taken in; nil: nothing new is to be waited for.
  package mutating func rest(after began: Uptime, until ended: Uptime, writeCount: Int) -> Uptime? {
    defer { lastEnd = ended }
    switch state {
    case .calm(let count):
      guard let lastEnd, began <= lastEnd.advanced(by: Self.closeness) else {
        // What was learned of one producer says nothing of the next.
        if let lastEnd, began > lastEnd.advanced(by: Self.forgetting) { patience = Self.firstPatience }
        state = .calm(0)
        return nil
      }
      state = .calm(count + 1)
      guard count + 1 >= patience else { return nil }
      let end = ended.advanced(by: Self.trial)
      state = .trying(until: end)
      return end
    case .trying(let end):
      // Somebody asked for what there is, which says nothing of how much there would have been.
      if began < end { return nil }
      guard writeCount > 1 else { return endInVain() }
      return keepDistance(began, ended, count: 0)
    case .storm(let next, let count):
      if began < next { return nil }
      guard began <= next.advanced(by: Self.distance) else {
        state = .calm(0)
        return nil
      }
      guard writeCount >= Self.leastWrites else {
        if count == 1 { return endInVain() }
        state = .calm(0)
        return nil
      }
      return keepDistance(began, ended, count: count)
    }
  }

  private mutating func keepDistance(_ began: Uptime, _ ended: Uptime, count: Int) -> Uptime? {
    let next = max(began.advanced(by: Self.distance), ended)
    state = .storm(next: next, count: count + 1)
    return next > ended ? next : nil
  }

  private mutating func endInVain() -> Uptime? {
    state = .calm(0)
    patience = min(patience * 8, Self.longestPatience)
    return nil
  }
}
