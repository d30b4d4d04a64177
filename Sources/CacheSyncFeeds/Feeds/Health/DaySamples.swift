import CacheSyncSystem

/// A local day's samples of one type in all files, and which of them count (feeds.md: which samples count).
///
/// Samples with equal dates are always of one day, so the rules need no other day's samples.
struct DaySamples {
  struct Member {
    let file: HealthFile
    /// The sample's place in its file.
    let index: Int
    let sample: HealthFile.Sample
    var counts = true
  }

  /// Two sources with samples at the same time, of which one does not count. The greatest is the one to report.
  struct Contest: Comparable {
    /// The first file by path with a sample that does not count.
    let path: CachePath
    /// The source of that sample and the one that counts instead, by name.
    let sources: [ExactText]

    static func < (a: Contest, b: Contest) -> Bool { b.path < a.path }

    static func == (a: Contest, b: Contest) -> Bool { a.path == b.path }
  }

  /// By path, then date, then their order in the file.
  private(set) var members: [Member] = []

  mutating func append(_ sample: HealthFile.Sample, at index: Int, of file: HealthFile) {
    members.append(Member(file: file, index: index, sample: sample))
  }

  // MARK: Repeated samples

  /// Leaves out the older versions of samples, and equal samples beyond those of the file that has most of them.
  mutating func leaveOutRepeats() {
    guard members.first?.file !== members.last?.file else { return }
    var rest = byDate(members.indices)[...]
    while let first = rest.first {
      let run = rest.prefix { members[$0].sample.date == members[first].sample.date }
      rest = rest.dropFirst(run.count)
      if run.count > 1 { leaveOutRepeats(run) }
    }
  }

  /// - Parameter run: all members with one date, in ascending order.
  private mutating func leaveOutRepeats(_ run: ArraySlice<Int>) {
    var newest: [RecordID: Int] = [:]
    for place in run { if let id = members[place].sample.id { newest[id] = place } }
    var tallies: [Amount: Tally] = [:]
    for place in run {
      let (id, amount) = (members[place].sample.id, Amount(members[place].sample))
      // A version with the same amount is a repetition, which counts beside other samples of its file.
      members[place].counts = id.flatMap { newest[$0] }.map { Amount(members[$0].sample) == amount } ?? true
      if members[place].counts { tallies[amount, default: Tally()].add(members[place].file) }
    }
    for place in run where members[place].counts {
      members[place].counts = tallies[Amount(members[place].sample)]?.most.file === members[place].file
    }
  }

  /// What makes two samples of a type and a date equal.
  private struct Amount: Hashable {
    let end: Instant?
    let value: Double

    init(_ sample: HealthFile.Sample) { (end, value) = (sample.end, sample.value) }
  }

  /// Which file has most equal samples; of equals the greatest path.
  private struct Tally {
    private var current: (file: HealthFile?, count: Int) = (nil, 0)
    private(set) var most: (file: HealthFile?, count: Int) = (nil, 0)

    /// Counts a sample. Files come by path.
    mutating func add(_ file: HealthFile) {
      current = (file, current.file === file ? current.count + 1 : 1)
      if current.count >= most.count { most = current }
    }
  }

  // MARK: Sources

  /// In each hour in which named sources overlap, leaves out all of them but the one with most samples; of equals the
  /// one with the least name counts.
  mutating func leaveOutSources(in calendar: CivilCalendar) -> Contest? {
    let contested = contestedHours(in: calendar)
    if contested.isEmpty { return nil }
    let hours = members.map { $0.namedSource == nil ? nil : calendar.startOfHour(of: $0.sample.date) }
    var counts: [Instant: [ExactText: Int]] = [:]
    for (member, hour) in zip(members, hours) {
      if let hour, let source = member.namedSource { counts[hour, default: [:]][source, default: 0] += 1 }
    }
    let chosen = counts.filter { contested.contains($0.key) }.mapValues { counts in
      counts.max { a, b in a.value == b.value ? b.key < a.key : a.value < b.value }?.key
    }
    var contest: Contest?
    for (place, hour) in hours.enumerated() {
      guard let hour, let chosen = chosen[hour] ?? nil, let source = members[place].namedSource, source != chosen
      else { continue }
      members[place].counts = false
      contest = contest ?? Contest(path: members[place].file.path, sources: [chosen, source].sorted())
    }
    return contest
  }

  /// The hours in which samples of different named sources begin to overlap: in that of the later sample's date.
  private func contestedHours(in calendar: CivilCalendar) -> Set<Instant> {
    let named = members.indices.filter { members[$0].namedSource != nil }
    let first = named.first.flatMap { members[$0].namedSource }
    guard named.contains(where: { members[$0].namedSource != first }) else { return [] }
    var hours: Set<Instant> = []
    // The source that reaches furthest so far, and how far the others reach.
    var furthest: (source: ExactText?, end: Instant?)
    var others: Instant?
    for place in byDate(named) {
      let (sample, source) = (members[place].sample, members[place].namedSource)
      if let end = source == furthest.source ? others : furthest.end, end > sample.date {
        hours.insert(calendar.startOfHour(of: sample.date))
      }
      if source == furthest.source {
        furthest.end = max(furthest.end ?? sample.reach, sample.reach)
      } else if furthest.end.map({ sample.reach > $0 }) ?? true {
        (others, furthest) = (furthest.end, (source, sample.reach))
      } else {
        others = max(others ?? sample.reach, sample.reach)
      }
    }
    return hours
  }

  /// The stable order by date.
  private func byDate(_ places: some Sequence<Int>) -> [Int] {
    places.sorted { members[$0].sample.date < members[$1].sample.date }
  }
}

extension DaySamples.Member {
  /// The source of a sample that counts; nil: it does not count, or its source is not named.
  fileprivate var namedSource: ExactText? { counts ? sample.source : nil }
}

extension HealthFile.Sample {
  /// Where it ends for comparisons. A moment without a length has its own microsecond, which equal dates share.
  fileprivate var reach: Instant { end ?? Instant(microseconds: date.microseconds + 1) }
}

extension CivilCalendar {
  /// When the hour on the wall that contains a moment began. An hour that the clock repeats is two.
  fileprivate func startOfHour(of moment: Instant) -> Instant {
    Instant(seconds: moment.seconds - Int64(wallTime(of: moment).secondOfDay % 3_600))
  }
}
