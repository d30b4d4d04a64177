/// The local days and wall times of the zone that an agent published for, as the contract counts them.
///
///     let calendar = SnapshotCalendar(timeZone: snapshot.timeZone)
///     print(calendar.day(of: .now), calendar.clock(at: .now))
public struct SnapshotCalendar: Sendable {
  private static let zones = TimeZones(environment: nil)

  let civil: CivilCalendar

  /// - Parameter timeZone: a zone's name, `GMT+03:37` or a POSIX rule string, as in a snapshot or the day index. If
  ///   this system does not know the zone, its own zone is used.
  public init(timeZone: String) {
    Self.zones.refresh()
    civil = CivilCalendar(Self.zones.rules(published: timeZone) ?? Self.zones.system())
  }

  /// The local day that contains the moment.
  public func day(of moment: Instant) -> LocalDay { civil.day(of: moment) }

  /// The moment at which the next local day begins.
  public func end(of day: LocalDay) -> Instant { civil.start(of: civil.day(after: day)) }

  /// The first moment at which clocks show this time on this day, or have gone past it. 24:00 is the end of the day.
  public func moment(on day: LocalDay, hour: Int, minute: Int) -> Instant {
    civil.firstInstant(of: day, hour: hour, minute: minute)
  }

  /// The wall time, such as "09:30".
  public func clock(at moment: Instant) -> String { civil.clock(at: moment) }

  /// The wall time as people there write it: "09:30", "9:30 AM".
  public func clock(at moment: Instant, in locale: CacheLocale) -> String { locale.clock(moment, in: civil) }
}
