import CacheSync

/// When a panel asks again. It sleeps until what it shows changes.
struct WakingHours: Sendable, Equatable {
  /// A part of each day, by local clocks, in minutes after midnight. It may pass midnight.
  struct Window: Sendable, Equatable {
    var begin: Int
    /// Excluded; up to 24:00.
    var end: Int

    /// Reads "06:30-23:00"; nil for anything else, and for a window without a length.
    init?(_ text: String) {
      let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
      guard times.count == 2, let begin = times[0], let end = times[1], begin < Self.day, begin != end else {
        return nil
      }
      (self.begin, self.end) = (begin, end)
    }

    private static let day = 24 * 60

    private static func minutes(_ text: Substring) -> Int? {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2,
        parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), minute < 60, hour < 24 || hour == 24 && minute == 0
      else { return nil }
      return Int(hour) * 60 + Int(minute)
    }
  }

  /// nil: all day.
  var awake: Window?
  /// The longest sleep while it is awake.
  var every: Duration

  static let standardPause = Duration.seconds(900)

  /// Panels need some seconds of radio for each request, which their batteries feel.
  static let shortestPause = 60
  /// Panels wake early by some seconds of drift, and the agent publishes shortly after a boundary.
  private static let margin = Duration.seconds(2)

  /// The seconds until the panel should ask again.
  ///
  /// - Parameter change: the next moment at which what it shows changes by time alone; nil: none is known.
  func seconds(at now: Instant, until change: Instant?, in calendar: SnapshotCalendar) -> Int {
    let latest = nextBegin(after: now, in: calendar).map { $0 - now } ?? every
    let pause = change.map { min($0 - now + Self.margin, latest) } ?? latest
    return max(Self.shortestPause, pause.wholeSeconds)
  }

  /// When the panel's hours begin; nil: they have begun.
  private func nextBegin(after now: Instant, in calendar: SnapshotCalendar) -> Instant? {
    guard let awake else { return nil }
    let today = calendar.day(of: now)
    // The hours of yesterday may reach into today.
    let windows = (-1...1).map { offset -> Range<Instant> in
      let day = today.advanced(by: offset)
      let last = awake.end > awake.begin ? day : day.advanced(by: 1)
      let begin = calendar.moment(on: day, hour: awake.begin / 60, minute: awake.begin % 60)
      let end = calendar.moment(on: last, hour: awake.end / 60, minute: awake.end % 60)
      return begin..<max(begin, end)
    }
    if windows.contains(where: { $0.contains(now) }) { return nil }
    return windows.map(\.lowerBound).filter { $0 > now }.min()
  }
}

extension Duration {
  /// Rounded up.
  fileprivate var wholeSeconds: Int { Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0) }
}

extension Snapshot {
  /// The next moment after this one at which the content or the state changes; nil: none that is known.
  func nextChange(after moment: Instant) -> Instant? {
    let shown = entry(at: moment)
    return entries.first { $0.date > moment && ($0.content != shown.content || $0.state != shown.state) }?.date
  }
}
