import CacheSyncSystem

/// The content of one usable health file, and which of its samples count.
final class HealthFile {
  typealias SampleType = HealthSession.SampleType

  struct Sample {
    var id: RecordID?
    var type: SampleType
    var date: Instant
    /// After `date`; nil: the sample has no length.
    var end: Instant?
    var value: Double
    /// The name of the device or program that measured it; nil: it has none.
    var source: ExactText?
    /// The local day of `date`.
    var day = LocalDay.first
    /// Whether it counts (``DaySamples``).
    var counts = true

    init(_ sample: HealthSession.Sample) {
      (id, type, date, value) = (sample.id, sample.type, sample.date, sample.value)
      end = sample.end.flatMap { $0 > sample.date ? $0 : nil }
      source = sample.source.flatMap { $0.isEmpty ? nil : ExactText($0) }
    }
  }

  /// What versions of one sample have in common.
  private struct Version: Hashable {
    let id: RecordID
    let type: SampleType
    let date: Instant
  }

  let path: CachePath
  /// By date, and for equal dates in the order of the file; of several versions of a sample only the last.
  private(set) var samples: [Sample] = []
  /// How many samples of each type count.
  private var counted = PerSampleType(repeating: 0)
  var isUnusable = false

  init(path: CachePath) { self.path = path }

  /// Replaces the file's content.
  func replace(_ samples: [HealthSession.Sample], in calendar: CivilCalendar) {
    var seen: Set<Version> = []
    var kept: [Sample] = []
    kept.reserveCapacity(samples.count)
    for sample in samples.reversed() {
      if let id = sample.id, !seen.insert(Version(id: id, type: sample.type, date: sample.date)).inserted { continue }
      kept.append(Sample(sample))
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

  /// Records whether a sample counts; returns whether that changed.
  func setCounts(_ counts: Bool, at index: Int) -> Bool {
    guard samples[index].counts != counts else { return false }
    samples[index].counts = counts
    counted[samples[index].type] += counts ? 1 : -1
    return true
  }

  /// Whether a sample of one of these types counts.
  func has(_ types: [SampleType]) -> Bool { types.contains { counted[$0] > 0 } }

  /// Whether a sample of one of these types counts on a day up to and including this one.
  func has(_ types: [SampleType], upTo day: LocalDay) -> Bool {
    // Sorted by date, so the first one decides.
    has(types) && samples.first { $0.counts && types.contains($0.type) }.map { $0.day <= day } ?? false
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

struct PerSampleType<Value> {
  /// In the order of the types.
  private(set) var values: [Value]

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
