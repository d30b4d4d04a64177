/// The local days and wall times of the zone that an agent published for, as the contract counts them.
public struct SnapshotCalendar: Sendable {
  private static let zones = TimeZones(environment: nil)

  let civil: CivilCalendar

  /// - Parameter timeZone: as a snapshot or the day index has it: a zone's name, `GMT+03:37` or a POSIX rule string. Where this
  ///   system does not know that zone, the system's own counts.
  public init(timeZone: String) {
    Self.zones.refresh()
    civil = CivilCalendar(Self.zones.rules(published: timeZone) ?? Self.zones.system())
  }

  /// The local day that holds the moment.
  public func day(of moment: Instant) -> LocalDay { civil.day(of: moment) }

  /// The moment at which the next local day begins.
  public func end(of day: LocalDay) -> Instant { civil.start(of: civil.day(after: day)) }

  /// What the clock on the wall shows: "09:30".
  public func clock(at moment: Instant) -> String { civil.clock(at: moment) }
}
