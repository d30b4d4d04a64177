extension MealPlanFeed {
  /// The meals of the days around today as events of whole days (calendars.md).
  package static let calendar: FeedCalendar? = { feeds, moment in
    guard let feed = feeds[MealPlanFeed.self] else { return [] }
    return (-7...28).flatMap { offset -> [ExportedComponent] in
      let day = moment.day.advanced(by: offset)
      guard let session = feed.session(on: day)?.session else { return [] }
      let meals = session.meals(on: day.weekday)
      return MealSlot.allCases.compactMap { slot in
        guard let name = meals[slot]?.mealName else { return nil }
        let title = "\(moment.language(slot.meal.label)): \(name)"
        var event = ExportedComponent(
          form: .event, id: "\(day)-\(slot.track.rawValue)-\(slot.meal.rawValue)",
          order: moment.calendar.start(of: day), stamp: session.updatedAt, properties: [.escaped("SUMMARY", title)])
        event.properties += [
          .day("DTSTART", day), .day("DTEND", day.advanced(by: 1)), .list("CATEGORIES", [slot.track.rawValue]),
        ]
        return event
      }
    }
  }
}
