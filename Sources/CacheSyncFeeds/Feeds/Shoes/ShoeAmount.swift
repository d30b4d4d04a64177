/// Sums of steps and kilometres.
///
/// They are fixed point for three reasons: sums do not depend on the order of the files, subtracting a part restores
/// the earlier sum, and decimals such as 0.0005 km are exact halves.
struct ShoeAmount: Equatable {
  /// Billionths of a thousandth of a step.
  private var steps: Int128 = 0
  /// Billionths of a millimetre.
  private var distance: Int128 = 0

  static let zero = ShoeAmount()

  private static let one: Int128 = 1_000_000_000_000
  private static let distanceUnitsPerKilometre = 1e15
  /// A hundred light years: sums of greater distances would not fit 128 bits.
  private static let furthestKilometres = 1e15
  /// Every share of time is rounded to a unit, so a sum of a thousand shares may be this much too small. A sum this
  /// close below a half counts as a half.
  private static let noise: Int128 = 1_000

  private init() {}

  init(steps: Int, kilometres: Double) {
    self.steps = Int128(steps) * Self.one
    let kilometres = min(max(kilometres, -Self.furthestKilometres), Self.furthestKilometres)
    distance = Int128((kilometres * Self.distanceUnitsPerKilometre).rounded())
  }

  /// The share of a part of the time, both in microseconds.
  func share(_ part: Int64, of whole: Int64) -> ShoeAmount {
    var share = ShoeAmount()
    share.steps = Self.share(steps, part, of: whole)
    share.distance = Self.share(distance, part, of: whole)
    return share
  }

  private static func share(_ amount: Int128, _ part: Int64, of whole: Int64) -> Int128 {
    let (product, isTooLarge) = amount.multipliedReportingOverflow(by: Int128(part))
    // For such large amounts sixteen digits are enough.
    if isTooLarge { return Int128((Double(amount) * (Double(part) / Double(whole))).rounded()) }
    return (product + Int128(whole / 2)).flooredQuotient(by: Int128(whole))
  }

  /// Rounded half up (feeds.md: shoes).
  var wholeSteps: Int { Self.rounded(steps) }

  /// Rounded half up (feeds.md: shoes).
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

extension ShoesSession.Wearing {
  /// The time of the session; nil if it is open or has no length.
  var span: Range<Instant>? {
    guard let end, start < end else { return nil }
    return start..<end
  }

  /// The time over which its steps were taken: an open session lasts until its file was written. Nil if it has no length.
  var duration: Range<Instant>? {
    guard let end = end ?? written, start < end else { return nil }
    return start..<end
  }

  /// The amount of the session that belongs to a period: the share by time. A session without length counts fully or not
  /// at all, by its start (feeds.md: shoes).
  func amount(within stretch: Range<Instant>) -> ShoeAmount {
    guard let span = duration else {
      return stretch.contains(start) ? ShoeAmount(steps: steps, kilometres: distance) : .zero
    }
    let common = span.clamped(to: stretch)
    if common.isEmpty { return .zero }
    let whole = ShoeAmount(steps: steps, kilometres: distance)
    return common == span ? whole : whole.share(common.microseconds, of: span.microseconds)
  }

  /// Whether a session belongs to a day at least in part (feeds.md: rules of shoes).
  func overlaps(_ stretch: Range<Instant>) -> Bool { duration?.overlaps(stretch) ?? stretch.contains(start) }

  /// The session as ended by an intent. If the end would be before its start, it has no length (feeds.md: intents).
  func ended(at moment: Instant) -> ShoesSession.Wearing {
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
