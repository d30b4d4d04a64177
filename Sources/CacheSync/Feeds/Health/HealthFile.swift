import CacheSyncSystem

/// The content of one usable health file, and which of its samples count.
final class HealthFile {
  typealias SampleType = HealthSession.SampleType

  struct Sample {
    var id: RecordID?
    var type: SampleType
    var date: Instant
    var value: Double
    /// The local day of `date`.
    var day: LocalDay
    /// Whether a greater path has a sample with the same id, which counts instead of this one.
    var isShadowed = false
  }

  let path: CachePath
  /// By date, and for equal dates in the order of the file; of samples with the same id only the last in the file.
  private(set) var samples: [Sample] = []
  /// How many samples of each type count.
  private var counted = PerSampleType(repeating: 0)
  var isUnusable = false

  init(path: CachePath) { self.path = path }

  /// Replaces the file's content.
  func replace(_ samples: [HealthSession.Sample], in calendar: CivilCalendar) {
    var seen: Set<RecordID> = []
    var kept: [Sample] = []
    kept.reserveCapacity(samples.count)
    for sample in samples.reversed() {
      if let id = sample.id, !seen.insert(id).inserted { continue }
      kept.append(
        Sample(id: sample.id, type: sample.type, date: sample.date, value: sample.value, day: .first))
    }
    kept.reverse()
    // The sort is stable. A later moment is never on an earlier day, so this is the order of the days in every zone.
    kept.sort { $0.date < $1.date }
    self.samples = kept
    counted = PerSampleType(repeating: 0)
    for sample in kept { counted[sample.type] += 1 }
    assignDays(in: calendar)
  }

  /// Determines every sample's local day. It computes each day's end once, because samples are in the order of time.
  func assignDays(in calendar: CivilCalendar) {
    var day = LocalDay.first
    var end: Instant?
    for index in samples.indices {
      let date = samples[index].date
      if end.map({ date >= $0 }) ?? true {
        day = calendar.day(of: date)
        end = calendar.interval(of: day).upperBound
      }
      samples[index].day = day
    }
  }

  /// Records whether a sample counts, or that of a greater path instead.
  func setShadowed(_ isShadowed: Bool, at index: Int) {
    guard samples[index].isShadowed != isShadowed else { return }
    samples[index].isShadowed = isShadowed
    counted[samples[index].type] += isShadowed ? -1 : 1
  }

  /// Whether a sample of one of these types counts.
  func has(_ types: [SampleType]) -> Bool { types.contains { counted[$0] > 0 } }

  /// Whether a sample of one of these types counts on a day up to and including this one.
  func has(_ types: [SampleType], upTo day: LocalDay) -> Bool {
    // Sorted by date, so the first one decides.
    has(types) && samples.first { !$0.isShadowed && types.contains($0.type) }.map { $0.day <= day } ?? false
  }

  /// The samples of a day, in order.
  func samples(on day: LocalDay) -> ArraySlice<Sample> {
    samples[samples.partitioningIndex { $0.day >= day }...].prefix { $0.day == day }
  }

  /// The days with samples, ascending.
  var days: [LocalDay] {
    var days: [LocalDay] = []
    for sample in samples where days.last != sample.day { days.append(sample.day) }
    return days
  }
}

extension HealthFile: Comparable {
  /// In ascending precedence: by path (feeds.md: health).
  static func < (a: HealthFile, b: HealthFile) -> Bool { a.path < b.path }

  static func == (a: HealthFile, b: HealthFile) -> Bool { a === b }
}

/// One value for each type of sample.
struct PerSampleType<Value> {
  private var values: [Value]

  init(repeating value: Value) {
    values = Array(repeating: value, count: HealthSession.SampleType.allCases.count)
  }

  subscript(type: HealthSession.SampleType) -> Value {
    get { values[type.index] }
    _modify { yield &values[type.index] }
  }
}

extension HealthSession.SampleType {
  private static let indices = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

  /// The place among all types.
  fileprivate var index: Int { Self.indices[self] ?? 0 }
}
