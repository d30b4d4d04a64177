/// Steps and kilometres as they are summed.
///
/// Fixed point, so that sums do not depend on the order in which files came, a sum from which a part is taken again is
/// what it was, and decimals such as 0.0005 km are halves exactly.
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
  /// Every share of time is rounded to a unit, so a sum of a thousand shares may be this much too small. A sum that lies
  /// this near below a half counts as a half.
  private static let noise: Int128 = 1_000

  private init() {}

  init(steps: Int, kilometres: Double) {
    self.steps = Int128(steps) * Self.one
    let kilometres = min(max(kilometres, -Self.furthestKilometres), Self.furthestKilometres)
    distance = Int128((kilometres * Self.distanceUnitsPerKilometre).rounded())
  }

  /// The part that falls into some of so many microseconds.
  func share(_ part: Int64, of whole: Int64) -> ShoeAmount {
    var share = ShoeAmount()
    share.steps = Self.share(steps, part, of: whole)
    share.distance = Self.share(distance, part, of: whole)
    return share
  }

  private static func share(_ amount: Int128, _ part: Int64, of whole: Int64) -> Int128 {
    let (product, isTooLarge) = amount.multipliedReportingOverflow(by: Int128(part))
    // Of what is as much as that, sixteen digits are enough.
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
  /// The time that the session covers; nil when it is open or has no length.
  var span: Range<Instant>? {
    guard let end, start < end else { return nil }
    return start..<end
  }

  /// What of the session belongs to a stretch of time: the share by time, or all or nothing, by its start, of one that is
  /// open or has no length (feeds.md: shoes).
  func amount(within stretch: Range<Instant>) -> ShoeAmount {
    guard let span else {
      return stretch.contains(start) ? ShoeAmount(steps: steps, kilometres: distance) : .zero
    }
    let common = span.clamped(to: stretch)
    if common.isEmpty { return .zero }
    let whole = ShoeAmount(steps: steps, kilometres: distance)
    return common == span ? whole : whole.share(common.microseconds, of: span.microseconds)
  }

  /// Whether a day has anything of the session (feeds.md: rules of shoes).
  func overlaps(_ stretch: Range<Instant>) -> Bool { span?.overlaps(stretch) ?? stretch.contains(start) }

  /// The session as an intent ends it; one that it ends before its own start has no length (feeds.md: intents).
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
