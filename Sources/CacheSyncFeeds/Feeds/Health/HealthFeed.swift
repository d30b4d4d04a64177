package import CacheSyncSystem

/// A person's food intake and weight, as one series over all files (feeds.md: health).
///
/// A change in a file marks the local days on which it has samples. Only for these ``DaySamples`` decides again which
/// samples count, and only these are summed again before the next projection reads them. A day's samples are summed by
/// path, then date, then their order in the file. So the sums do not depend on the order in which files arrived.
package final class HealthFeed: BuiltInFeed {
  package static let name: FeedName = "health"
  package static let heading: Phrase? = .healthFeed
  package static let claims = CacheLayout.Claims(directories: ["health"])
  package static let kinds = [BudgetKind.kind, MacrosKind.kind, OverviewKind.kind, NutrientsKind.kind]

  package static let links = DeepLink.Form.health

  typealias SampleType = HealthSession.SampleType

  /// The result of a day's samples of one type; ordered by day.
  struct Day: Comparable {
    let day: LocalDay
    /// The sum; for body mass and body fat the mean.
    var value = 0.0
    var count = 0
    /// The date of the newest sample.
    var newest: Instant

    static func < (a: Day, b: Day) -> Bool { a.day < b.day }

    static func == (a: Day, b: Day) -> Bool { a.day == b.day }
  }

  private var files: [CachePath: HealthFile] = [:]
  /// For each day the files with samples on it, by path.
  private var contributors: [LocalDay: [HealthFile]] = [:]
  /// The days whose sums are out of date.
  private var changed: Set<LocalDay> = []
  private var totals = PerSampleType(repeating: SortedList<Day>())
  /// The days on which samples do not count because another source has more.
  private var contests = PerSampleType(repeating: KeyedHeap<DaySamples.Contest, LocalDay>())
  /// For each group of types the files with a sample of it.
  private var filesOfGroups = Array(repeating: SortedList<CachePath>(), count: SampleGroup.allCases.count)
  /// The files whose app may not read health data.
  private var unauthorized: Set<CachePath> = []
  private var goals: [CachePath: HealthSession.Goals] = [:]
  /// All goals have the same rank, so the greatest path decides.
  private var goalsByPath = Ranking<Int>()
  private var unusable: [CachePath: HealthFile] = [:]
  /// Of the last file or rebuild; nil: there were none.
  private var calendar: CivilCalendar?
  /// The model's results by the day that is today, because three kinds ask for the same two days.
  private var maintenances: [LocalDay: Maintenance] = [:]

  package init() {}

  // MARK: Files

  package func put(_ session: HealthSession, from file: SessionFile, in calendar: CivilCalendar) {
    self.calendar = calendar
    let held = files[file.path] ?? HealthFile(path: file.path)
    withdraw(held)
    let isAuthorized = session.authorized ?? true
    held.replace(isAuthorized ? session.samples ?? [] : [], in: calendar)
    files[file.path] = held
    contribute(held)
    updateSources(with: held)
    if isAuthorized { unauthorized.remove(file.path) } else { unauthorized.insert(file.path) }
    if let goals = session.goals, isAuthorized {
      self.goals[file.path] = goals
      goalsByPath.put(0, for: file.path)
    } else {
      removeGoals(of: file.path)
    }
    mark(file.path, unusable: file.isUnusable)
  }

  package func remove(_ path: CachePath) {
    guard let held = files.removeValue(forKey: path) else { return }
    withdraw(held)
    for group in filesOfGroups.indices { filesOfGroups[group].remove(path) }
    unauthorized.remove(path)
    removeGoals(of: path)
    unusable[path] = nil
  }

  package func mark(_ path: CachePath, unusable isUnusable: Bool) {
    guard let held = files[path] else { return }
    held.isUnusable = isUnusable
    unusable[path] = isUnusable ? held : nil
  }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    contributors = [:]
    changed = []
    maintenances = [:]
    totals = PerSampleType(repeating: SortedList<Day>())
    contests = PerSampleType(repeating: KeyedHeap())
    for file in files.values {
      file.assignDays(in: calendar)
      contribute(file)
    }
  }

  private func removeGoals(of path: CachePath) {
    goals[path] = nil
    goalsByPath.remove(path)
  }

  private func withdraw(_ file: HealthFile) {
    for day in file.days {
      changed.insert(day)
      guard let place = contributors[day]?.partitioningIndex(where: { $0.path >= file.path }) else { continue }
      contributors[day]?.remove(at: place)
      if contributors[day]?.isEmpty == true { contributors[day] = nil }
    }
  }

  private func contribute(_ file: HealthFile) {
    for day in file.days {
      changed.insert(day)
      let place = contributors[day]?.partitioningIndex { $0.path >= file.path } ?? 0
      contributors[day, default: []].insert(file, at: place)
    }
  }

  /// Lists a file under exactly those sources that have a counting sample of it.
  private func updateSources(with file: HealthFile) {
    for group in SampleGroup.allCases {
      if file.has(group.types) {
        filesOfGroups[group.rawValue].insert(file.path)
      } else {
        filesOfGroups[group.rawValue].remove(file.path)
      }
    }
  }

  // MARK: Days

  private func sumChangedDays() {
    guard let calendar, !changed.isEmpty else { return }
    for day in changed { sum(day, in: calendar) }
    changed.removeAll()
    maintenances.removeAll()
  }

  private func sum(_ day: LocalDay, in calendar: CivilCalendar) {
    var samples = PerSampleType(repeating: DaySamples())
    for file in contributors[day] ?? [] {
      for index in file.samples(on: day).indices {
        samples[file.samples[index].type].append(file.samples[index], at: index, of: file)
      }
    }
    for (type, samples) in zip(SampleType.allCases, samples.values) {
      let known = totals[type][day]
      if samples.members.isEmpty, known == nil { continue }
      var samples = samples
      samples.leaveOutRepeats()
      if let contest = samples.leaveOutSources(in: calendar) {
        contests[type].put(contest, for: day)
      } else {
        contests[type].remove(day)
      }
      var sum: Day?
      for member in samples.members {
        if member.file.setCounts(member.counts, at: member.index) { updateSources(with: member.file) }
        guard member.counts else { continue }
        var next = sum ?? Day(day: day, newest: member.sample.date)
        next.value += member.sample.value
        next.count += 1
        next.newest = max(next.newest, member.sample.date)
        sum = next
      }
      if type.isMean, let count = sum?.count { sum?.value /= Double(count) }
      if let known { totals[type].remove(known) }
      if let sum { totals[type].insert(sum) }
    }
  }

  /// A warning for each type of which samples do not count because another source has more in their hour.
  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    sumChangedDays()
    return SampleType.allCases.compactMap { type -> Problem? in
      guard let contest = contests[type].greatest?.value else { return nil }
      let sources = contest.sources.map { JSONMessage.quoted($0.wrappedValue) }.joined(separator: " and ")
      let message =
        "\(type.rawValue) has samples of \(sources) at the same time: in such an hour only the one with more samples counts"
      return Problem(.warning, path: contest.path, message: message)
    }
  }

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    sumChangedDays()
    let count = SampleType.allCases.reduce(0) { $0 + (totals[$1][moment.day]?.count ?? 0) }
    guard count > 0 else { return false }
    json.member("intake", totals[.dietaryCalories][moment.day]?.value.finite)
    json.member("samples", count)
    return true
  }

  // MARK: Queries of projections

  /// The types of samples that reach a kind (feeds.md: which samples reach which kind).
  enum SampleGroup: Int, CaseIterable {
    /// Those of the budget.
    case energy
    /// Those of macros and overview.
    case food
    case nutrients

    var types: [SampleType] {
      switch self {
      case .energy: [.dietaryCalories, .bodyMass, .bodyFatPercentage]
      case .food: [.dietaryCalories, .protein, .carbs, .fat, .bodyMass, .bodyFatPercentage]
      case .nutrients: Self.ofNutrients
      }
    }

    private static let ofNutrients = Nutrient.all.map(\.type)
  }

  /// Why there may be nothing to show, for people.
  var message: Phrase { unauthorized.isEmpty ? .noHealthData : .noHealthAccess }

  /// The value of a type on a day; nil if the day has no samples of it.
  func value(_ type: SampleType, on day: LocalDay) -> Double? {
    sumChangedDays()
    return totals[type][day]?.value
  }

  /// The model's result if a day is today.
  func maintenance(on today: LocalDay) -> Maintenance {
    sumChangedDays()
    if let known = maintenances[today] { return known }
    let result = Maintenance(
      intake: totals[.dietaryCalories], bodyMass: totals[.bodyMass], bodyFat: totals[.bodyFatPercentage], today: today)
    maintenances[today] = result
    return result
  }

  /// The goals in force: all of them come from the greatest path that has goals.
  var goalsInForce: HealthSession.Goals? { goalsByPath.greatest.flatMap { goals[$0.path] } }

  /// Reports sources, age and usability to a projection that reads these types; false if no sample of them counts.
  func describe(_ group: SampleGroup, at moment: Moment, to projection: inout Projection) -> Bool {
    sumChangedDays()
    let (paths, types) = (filesOfGroups[group.rawValue], group.types)
    projection.sources.insert(all: paths, of: Self.name)
    if let path = goalsByPath.greatest?.path, let file = files[path] {
      // A file with samples is already among these paths; inserting it again would count it twice.
      if !file.has(types) { projection.sources.insert(path) }
      if file.isUnusable { projection.showsUnusable = true }
    }
    for type in types { projection.shows(totals[type].latest(upTo: moment.day)?.newest) }
    if unusable.values.contains(where: { $0.has(types, upTo: moment.day) }) { projection.showsUnusable = true }
    return !paths.isEmpty
  }
}

extension SortedList<HealthFeed.Day> {
  subscript(day: LocalDay) -> HealthFeed.Day? { latest(upTo: day).flatMap { $0.day == day ? $0 : nil } }

  /// The latest day with samples, up to and including a day.
  func latest(upTo day: LocalDay) -> HealthFeed.Day? { last(before: position { $0.day <= day }) }

  /// The days with samples in a window, ascending.
  func days(in window: ClosedRange<LocalDay>) -> Elements {
    elements(from: position { $0.day < window.lowerBound }, to: position { $0.day <= window.upperBound })
  }

  /// How many days of a window have samples.
  func count(in window: ClosedRange<LocalDay>) -> Int {
    distance(from: position { $0.day < window.lowerBound }, to: position { $0.day <= window.upperBound })
  }
}

extension HealthSession.SampleType {
  /// "Per local day: intake is the sum of the day's samples, body mass and body fat the mean."
  fileprivate var isMean: Bool { self == .bodyMass || self == .bodyFatPercentage }
}
