import CacheSyncSystem

// A calendar is a file of events and of tasks, in whichever of the two directories it is.

extension CacheLayout.Ending {
  /// Calendars (RFC 5545).
  static let calendar = Self(".ics", noun: "a calendar", firstLine: "begin:vcalendar")
}

extension FeedDescriptor {
  convenience init<F: BuiltInFeed>(_ feed: F.Type, withCalendarsIn zones: TimeZones) {
    let zones = CalendarZones(zones)
    self.init(
      feed, companions: [EventsFeed.name, TasksFeed.name].filter { $0 != F.name },
      document: { $0.decodeCalendar(for: F.name, zones) })
  }
}

extension FeedDescriptor.Document {
  /// Reads the document if it is a calendar; nil: it is not one.
  ///
  /// - Parameter feed: the feed of the document's directory.
  func decodeCalendar(for feed: FeedName, _ zones: CalendarZones) -> DecodedSession? {
    guard path.bytes.hasEnding(CacheLayout.Ending.calendar.text) else { return nil }
    do throws(CalendarDefect) {
      var limits = CalendarLimits()
      limits.keepsDetails = wanted == .exported
      limits.times = times
      let file = try CalendarFile.read(bytes.bindMemory(to: UInt8.self), path: path, zones: zones, limits: limits)
      var sessions: [FeedName: any Sendable] = [:]
      // Without any component it is an empty file of its directory's events.
      if file.hasEvents || (!file.hasToDos && feed == EventsFeed.name) {
        sessions[EventsFeed.name] = EventsFeed.Session.calendar(file)
      }
      if file.hasToDos { sessions[TasksFeed.name] = TasksFeed.Session.calendar(file) }
      return DecodedSession(
        session: sessions.removeValue(forKey: feed), others: sessions, defects: [], warnings: file.warnings,
        pruned: isPruning ? Array(bytes) : nil)
    } catch {
      return DecodedSession(defects: [JSONDefect(error)])
    }
  }
}
