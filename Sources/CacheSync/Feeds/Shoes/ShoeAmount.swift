/// Steps and kilometres as they are summed.
///
/// Fixed point, so that sums do not depend on the order in which files came, a sum from which a part is taken again is
/// what it was, and decimals such as 0.0005 km are halves exactly.
struct ShoeAmount: Equatable {
  /// Billionths of a step.
  private var steps: Int128 = 0
  /// Billionths of a metre.
  private var distance: Int128 = 0

  static let zero = ShoeAmount()

  private static let one: Int128 = 1_000_000_000
  private static let distanceUnitsPerKilometre = 1e12
  /// A hundred light years. Beyond it sums would leave 128 bits; it is a judgement that nobody walks so far.
  private static let furthestKilometres = 1e15
  /// A share of time is rounded to a billionth, so sums of a thousand shares are exact to this.
  private static let noise: Int128 = 1_000

  private init() {}

  init(steps: Int, kilometres: Double) {
    self.steps = Int128(steps) * Self.one
    distance = Self.units(kilometres)
  }

  /// The part of a session's steps and kilometres that falls into a fraction, 0...1, of its time.
  init(steps: Int, kilometres: Double, fraction: Double) {
    // At most 2^63 times a billion: far inside what Int128 holds.
    self.steps = Int128((Double(steps) * fraction * 1e9).rounded())
    distance = Self.units(kilometres * fraction)
  }

  private static func units(_ kilometres: Double) -> Int128 {
    Int128((min(max(kilometres, -furthestKilometres), furthestKilometres) * distanceUnitsPerKilometre).rounded())
  }

  /// Rounded half up (FEEDS: shoes).
  var wholeSteps: Int { Self.rounded(steps) }

  /// Rounded half up (FEEDS: shoes).
  var wholeMetres: Int { Self.rounded(distance) }

  private static func rounded(_ value: Int128) -> Int {
    Int(clamping: (value + one / 2 + noise).flooredQuotient(by: one))
  }

  static func += (a: inout ShoeAmount, b: ShoeAmount) {
    a.steps += b.steps
    a.distance += b.distance
  }

  static func -= (a: inout ShoeAmount, b: ShoeAmount) {
    a.steps -= b.steps
    a.distance -= b.distance
  }
}

extension StoredShoes.Session {
  /// The time that the session covers; nil when it is open or has no length.
  var span: Range<Instant>? {
    guard let end, start < end else { return nil }
    return start..<end
  }

  /// What of the session belongs to a stretch of time: the share by time, or all or nothing, by its start, of one that is
  /// open or has no length (FEEDS: shoes).
  func amount(within stretch: Range<Instant>) -> ShoeAmount {
    guard let span else {
      return stretch.contains(start) ? ShoeAmount(steps: steps, kilometres: distance) : .zero
    }
    let common = span.clamped(to: stretch)
    if common == span { return ShoeAmount(steps: steps, kilometres: distance) }
    if common.isEmpty { return .zero }
    return ShoeAmount(
      steps: steps, kilometres: distance, fraction: Double(common.microseconds) / Double(span.microseconds))
  }

  /// Whether a day has anything of the session (FEEDS: shoes, the day index).
  func overlaps(_ stretch: Range<Instant>) -> Bool { span?.overlaps(stretch) ?? stretch.contains(start) }

  /// The session as an intent ends it; one that it ends before its own start has no length (FEEDS: intents).
  func ended(at moment: Instant) -> StoredShoes.Session {
    var session = self
    session.end = max(start, moment)
    return session
  }
}

extension Range<Instant> {
  var microseconds: Int64 { upperBound.microseconds - lowerBound.microseconds }
}

extension Int128 {
  /// The greatest whole number not above the quotient.
  func flooredQuotient(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
