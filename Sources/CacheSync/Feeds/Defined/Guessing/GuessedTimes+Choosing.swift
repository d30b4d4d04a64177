extension GuessedTimes {
  /// The group that gives the start: the clearest name, and of several the later time.
  static func choice(of groups: [TimeGroup], in place: SampleItems, _ now: Instant) -> TimeGroup? {
    func covers(_ group: TimeGroup) -> Bool { TimeGroup.coverage(of: group.paths + group.others) >= 0.5 }
    let times = groups.filter { !$0.moments.isEmpty && isTime($0, in: place, now) }
    let best = choice(of: times.filter(covers), in: place)
    // Every item has a time at which it was made, and some are due.
    guard let best, best.rank == .past else { return best }
    let named = times.filter { $0.level == 0 && !$0.isKey && [.start, .end].contains($0.rank) }
    return choice(of: named, in: place) ?? best
  }

  private static func choice(of candidates: [TimeGroup], in place: SampleItems) -> TimeGroup? {
    let hasStart = candidates.contains { $0.rank == .start && $0.level == 0 }
    func order(_ group: TimeGroup) -> Double {
      if group.level > 0 || group.isKey {
        // A producer's own times around the items say nothing about them.
        if group.rank == .past { return -1 }
        // What is the same for all comes after what differs.
        let differs = place.count == 1 || Set(group.seconds.compactMap(\.self)).count > 1
        return (differs ? 50 : 20) + Double(group.rank.rawValue) - 0.1 * Double(group.level)
      }
      // Of a start and its end the start: an end alone comes after every other time.
      switch group.rank {
      case .start: return 103
      case .time: return 102
      case .other: return 101
      case .end: return group.hasAny(of: NameWords.arrival) && !hasStart ? 102.5 : 100
      case .past: return 1
      }
    }
    var best: TimeGroup?
    for group in candidates where order(group) >= 0 {
      guard let known = best else {
        best = group
        continue
      }
      if order(group) > order(known) || order(group) == order(known) && isLater(group, known) { best = group }
    }
    return best
  }

  /// Whether a group's times may be those of items. A past time of day that all items share is that of a measurement or of
  /// the file.
  private static func isTime(_ group: TimeGroup, in place: SampleItems, _ now: Instant) -> Bool {
    let hasTime = !group.paths.allSatisfy(\.isDay)
    let isConstant = Set(group.seconds.compactMap(\.self)).count == 1
    let areMidnights = group.seconds.allSatisfy { ($0 ?? 0) % Int(Gregorian.secondsPerDay) == 0 }
    if group.level > 0, isConstant, hasTime, !areMidnights { return false }
    guard place.count > 1, isConstant else { return group.rank != .past || group.level == 0 }
    if group.level > 0 {
      // A day around texts is theirs; around numbers it is when they were made.
      let hasTexts = place.fields.contains { field in
        if case .text = field.shape { field.level == 0 && !field.isKey } else { false }
      }
      return hasTexts
    }
    let isBefore = group.seconds.compactMap(\.self).allSatisfy { $0 <= Int(now.seconds) }
    return !hasTime || group.rank == .start || !isBefore
  }

  private static func isLater(_ group: TimeGroup, _ other: TimeGroup) -> Bool {
    let pairs = zip(group.seconds, other.seconds).compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }
    if pairs.isEmpty { return TimeGroup.coverage(of: group.paths) > TimeGroup.coverage(of: other.paths) }
    let later = pairs.count { $0.0 > $0.1 }
    let earlier = pairs.count { $0.0 < $0.1 }
    return later > earlier
  }

  /// The time of day of a start that is a day, or that has no day.
  static func clock(of groups: [TimeGroup], with day: TimeGroup?) -> SampleField? {
    if let day, !day.paths.allSatisfy(\.isDay) { return nil }
    let clocks = groups.filter { group in
      group.rank != .end && group.rank != .past && group.level == 0 && group.clocks.contains { $0.coverage >= 0.5 }
    }
    let best = clocks.max { a, b in
      let isSame = (a.base == day?.base, b.base == day?.base)
      return isSame.0 != isSame.1 ? isSame.1 : a.rank < b.rank
    }
    return best?.clocks.max { $0.coverage < $1.coverage }
  }
}
