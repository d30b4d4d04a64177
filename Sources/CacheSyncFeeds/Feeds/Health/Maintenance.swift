/// How much energy a body uses in a day, estimated from intake and changes of weight (feeds.md: maintenance).
struct Maintenance {
  typealias Series = SortedList<HealthFeed.Day>

  /// kcal/day.
  var kcal: Double
  /// kg/week, clamped, before it is weighted by confidence.
  var slope: Double
  var isSlopeClamped: Bool
  /// Whether the energy density is that of a body with an unknown share of fat.
  var isDensityEstimated: Bool
  /// The greater of the confidences in weight and intake, 0...1.
  var confidence: Double
  /// Whether there are enough data.
  var isValid: Bool
  /// The last body mass within the window, in kg.
  var latestMass: Double?
}

extension Maintenance {
  /// Runs the model over its own window, and falls back to longer ones.
  init(intake: Series, bodyMass: Series, bodyFat: Series, today: LocalDay) {
    let model = MaintenanceModel(intake: intake, bodyMass: bodyMass, bodyFat: bodyFat, today: today)
    self = model.result(MaintenanceModel.window, fallback: model.fallback())
  }
}

/// The numbers are those of feeds.md: maintenance.
private struct MaintenanceModel {
  let intake: Maintenance.Series
  let bodyMass: Maintenance.Series
  let bodyFat: Maintenance.Series
  let today: LocalDay

  /// The window of the result itself, in days.
  static let window = 28
  /// The windows of the fallback in days, in the order of trying.
  static let fallbackWindows = [180, 365, 730, 1825, 3650]
  /// How many days with body mass, and with intake, give full confidence and make a fallback window valid.
  static let weightDays = 7
  static let intakeDays = 14
  /// kg/week; faster changes are water, not tissue.
  static let slopes = -1.0...0.75
  /// Forbes's constant, in kg: the share f / (f + 10.4) of a change in weight is fat, where f is the fat mass.
  static let forbesConstant = 10.4
  /// kcal/kg of fat tissue, of lean tissue, and of both for a body with an unknown share of fat.
  static let fatDensity = 9440.0
  static let leanDensity = 1816.0
  static let usualDensity = 7350.0
  /// kcal/day for each kg of a body of which only the weight is known, and for a body of which nothing is known.
  static let kcalPerKilogram = 30.0
  static let usualKcal = 2200.0

  /// 0.9 to the power of 0, 1, … days, as far as windows reach: the remaining weight of a day after that many days. The
  /// smoothing factor α = 0.1 is one minus the base.
  private static let decay: [Double] = (0...3650).map { power(0.9, Double($0)) }

  /// F: the result of the first longer window with enough days, or an estimate from the weight.
  func fallback() -> Double {
    let guess = bodyMass.latest(upTo: today).map { Self.kcalPerKilogram * $0.value } ?? Self.usualKcal
    for days in Self.fallbackWindows
    where bodyMass.count(in: withToday(days)) >= Self.weightDays && intake.count(in: fullDays(days)) >= Self.intakeDays
    {
      return result(days, fallback: guess).kcal
    }
    return guess
  }

  /// The full local days before today.
  private func fullDays(_ count: Int) -> ClosedRange<LocalDay> {
    today.advanced(by: -count)...today.advanced(by: -1)
  }

  /// The same days and today.
  private func withToday(_ count: Int) -> ClosedRange<LocalDay> { today.advanced(by: -count)...today }

  /// M over a window of that many days.
  func result(_ days: Int, fallback: Double) -> Maintenance {
    let eaten = Smoothing(intake, in: fullDays(days), decay: Self.decay)
    let weight = Trend(bodyMass, in: withToday(days), today: today, decay: Self.decay)
    let perWeek = weight.slope * 7
    let slope = min(max(perWeek, Self.slopes.lowerBound), Self.slopes.upperBound)
    let density = density(latestMass: weight.latest, in: withToday(days))

    let weightConfidence = confidence(weight.span, enough: Self.weightDays, window: days)
    let intakeConfidence = confidence(eaten.span, enough: Self.intakeDays, window: days)
    let stored = slope * weightConfidence * (density ?? Self.usualDensity) / 7
    let used = eaten.value.map { $0 * intakeConfidence + fallback * (1 - intakeConfidence) } ?? fallback
    return Maintenance(
      kcal: used - stored, slope: slope, isSlopeClamped: perWeek != slope, isDensityEstimated: density == nil,
      confidence: max(weightConfidence, intakeConfidence),
      isValid: weight.span.isEnough(Self.weightDays, window: days)
        || eaten.span.isEnough(Self.intakeDays, window: days),
      latestMass: weight.latest)
  }

  /// ρ: energy per kilogram of change, by the body's fat mass; nil without body fat (or without a body mass to apply it
  /// to).
  private func density(latestMass: Double?, in window: ClosedRange<LocalDay>) -> Double? {
    guard let latestMass, let fat = bodyFat.latest(upTo: today), fat.day >= window.lowerBound else { return nil }
    let fatMass = fat.value * latestMass
    let share = fatMass / (fatMass + Self.forbesConstant)
    return Self.fatDensity * share + Self.leanDensity * (1 - share)
  }

  private func confidence(_ span: DaySpan, enough: Int, window: Int) -> Double {
    min(1, Double(span.count) / Double(enough)) * min(1, Double(span.length) / Double(window))
  }
}

/// The days with data in a window: how many, the first and the last.
private struct DaySpan {
  private(set) var count = 0
  private var first: LocalDay?
  private(set) var last: LocalDay?

  mutating func append(_ day: LocalDay) {
    count += 1
    first = first ?? day
    last = day
  }

  /// The distance between the first and the last, in days.
  var length: Int { first.flatMap { first in last.map { first.distance(to: $0) } } ?? 0 }

  /// feeds.md: maintenance: "valid".
  func isEnough(_ days: Int, window: Int) -> Bool { count >= days && 2 * length >= window }
}

/// An exponentially weighted average for data with gaps: the longer the gap, the more the next value counts.
private struct Smoothing {
  /// Ĉ; nil without values.
  private(set) var value: Double?
  private(set) var span = DaySpan()

  init(_ series: Maintenance.Series, in window: ClosedRange<LocalDay>, decay: [Double]) {
    var value: Double?
    var span = DaySpan()
    for entry in series.days(in: window) {
      if let known = value, let last = span.last {
        let rest = decay[last.distance(to: entry.day)]
        value = (1 - rest) * entry.value + rest * known
      } else {
        value = entry.value
      }
      span.append(entry.day)
    }
    self.value = value
    self.span = span
  }
}

/// A straight line through a window's days by least squares, each day weighted 0.9^(days ago).
private struct Trend {
  /// Per day; 0 with fewer than two days.
  private(set) var slope = 0.0
  private(set) var latest: Double?
  private(set) var span = DaySpan()

  init(_ series: Maintenance.Series, in window: ClosedRange<LocalDay>, today: LocalDay, decay: [Double]) {
    guard let anchor = series.latest(upTo: today), anchor.day >= window.lowerBound else { return }
    latest = anchor.value
    // Measured from the last day, whose weight is set to 1 (a common factor changes nothing). Weights go down to
    // 1e-167, and with the usual means the rounding error of a heavy day would drown a light one.
    var sums = (w: 0.0, x: 0.0, y: 0.0, xx: 0.0, xy: 0.0)
    var span = DaySpan()
    for entry in series.days(in: window) {
      let age = entry.day.distance(to: anchor.day)
      let (w, x, y) = (decay[age], -Double(age), entry.value - anchor.value)
      sums = (sums.w + w, sums.x + w * x, sums.y + w * y, sums.xx + w * x * x, sums.xy + w * x * y)
      span.append(entry.day)
    }
    self.span = span
    guard span.count > 1 else { return }
    slope = (sums.w * sums.xy - sums.x * sums.y) / (sums.w * sums.xx - sums.x * sums.x)
  }
}
