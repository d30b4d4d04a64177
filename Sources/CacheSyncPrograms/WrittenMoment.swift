public import CacheSync
import CacheSyncSystem
import Glibc
public import SystemPackage

/// A moment as people write it, on the command line and in addresses.
///
/// A day is its first instant, and a time alone is today's. Both are of a zone, which only RFC 3339 with an offset does
/// not need.
public struct WrittenMoment: Sendable {
  /// What may be written, for help texts and messages.
  public static let forms =
    "2026-12-01, 09:00, 2026-12-01T09:00, today, tomorrow, yesterday, or RFC 3339 such as 2026-12-01T09:00:00Z"

  private enum Form {
    case instant(Instant)
    case wall(WallTime)
    case day(LocalDay)
    /// A time of today.
    case time(secondOfDay: Int)
    /// How many days after today.
    case relative(Int)
  }

  private static let words = ["today": 0, "tomorrow": 1, "yesterday": -1]

  private let form: Form

  /// Reads one of ``forms``; nil for anything else.
  public init?(_ text: String) {
    if let instant = Instant(text) {
      form = .instant(instant)
    } else if let days = Self.words[text.lowercased()] {
      form = .relative(days)
    } else if let day = LocalDay(text) {
      form = .day(day)
    } else if let wall = WallTime(withoutOffset: text) {
      form = .wall(wall)
    } else if let wall = WallTime(withoutOffset: "\(LocalDay.first)T\(text)") {
      form = .time(secondOfDay: wall.secondOfDay)
    } else {
      return nil
    }
  }

  /// What is wrong with a text that is not a moment, and what to write.
  public static func refusal(of text: String) -> String {
    let near = NearestName.of(text, among: words.keys.sorted()).map { "did you mean \($0)?" }
    return "invalid time '\(EscapedText.forPeople(text))': \(near ?? "use \(forms)")"
  }

  /// The moment in the zone of a cache.
  ///
  /// - Parameters:
  ///   - cache: nil: the system's zone counts.
  ///   - timeZone: the zone that counts in place of the cache's.
  public func instant(inCache cache: FilePath?, timeZone: String?, now: Instant = .now) -> Instant {
    if case .instant(let instant) = form { return instant }
    let zones = TimeZones(environment: getenv("TZ").map { FilePath(platformString: $0) })
    let zone = timeZone ?? cache.flatMap { CacheSettings.inForce(in: $0).timeZone }
    return instant(in: CivilCalendar(zone.flatMap { try? zones.rules(named: $0) } ?? zones.system()), now: now)
  }

  /// The moment in a zone as snapshots name it.
  public func instant(inPublished timeZone: String, now: Instant) -> Instant {
    let zones = TimeZones(environment: nil)
    return instant(in: CivilCalendar(zones.rules(published: timeZone) ?? zones.system()), now: now)
  }

  package func instant(in calendar: CivilCalendar, now: Instant) -> Instant {
    let today = calendar.day(of: now)
    return switch form {
    case .instant(let instant): instant
    case .wall(let wall): calendar.firstInstant(at: wall)
    case .day(let day): calendar.start(of: day)
    case .time(let second): calendar.firstInstant(at: WallTime(today, secondOfDay: second))
    case .relative(0): calendar.start(of: today)
    case .relative(let days): calendar.start(of: days < 0 ? calendar.day(before: today) : calendar.day(after: today))
    }
  }
}
