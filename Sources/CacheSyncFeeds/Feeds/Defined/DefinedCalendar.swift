extension DefinedFeed {
  /// The items with a start, and the occurrences of those that repeat, as events (calendars.md).
  func exported(at moment: Moment) -> [ExportedComponent] {
    let window = ExportedDays.window(around: moment)
    let rules = items.definition.items
    let events = items.counting.flatMap { item -> [(item: ResolvedItem, times: Range<Instant>)] in
      let (expansion, _) = item.occurrences(overlapping: window, atMost: 5_000)
      guard case .occurrences(let found) = expansion else { return [] }
      return found.map { (item, $0) }
    }
    return ExportedDays.nearest(events, to: moment) { ($0.times.lowerBound, $0.times.upperBound) }.map { item, times in
      let start = times.lowerBound
      let id = item.id(ofOccurrenceAt: start) ?? "\(item.path):\(item.place)#\(start)"
      return .event(
        id, title: rules.name(of: item.item.values), from: start, to: times.upperBound, isOfDays: item.item.isOfDays,
        stamp: nil, in: item.calendar)
    }
  }
}

extension DefinedItem {
  /// Whether start and end are days.
  fileprivate var isOfDays: Bool {
    guard let start, !start.hasTime else { return false }
    return switch end {
    case .time(let end): !end.hasTime
    case .lasts(_, let seconds): seconds == 0
    case .unstated: true
    case .next: false
    }
  }
}
