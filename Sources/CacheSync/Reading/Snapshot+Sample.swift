import CacheSyncSystem

extension Snapshot {
  /// The moment for which samples are computed, in UTC: a Tuesday morning.
  public static let sampleMoment = Instant("2026-11-24T10:15:00Z") ?? .referenceDate

  /// A kind's snapshot of sample data that the library has with it, for people who choose a widget.
  ///
  ///     let sample = try Snapshot.sample(of: "macros", options: ["macro": "carbs"])
  ///     print(sample.entry(at: Snapshot.sampleMoment).content)
  ///
  /// The feeds read the samples as they read session files, so a sample shows nothing that a cache could not show. The
  /// moment is always the same, and so is the snapshot.
  ///
  /// - Parameters:
  ///   - kind: a built-in kind.
  ///   - options: values of the kind's options as a person types them: a flag is `true` or `false`, and a list has
  ///     commas between its ids.
  ///   - locale: how its texts are written.
  /// - Throws: ``SampleError``.
  public static func sample(
    of kind: String, options: [String: String] = [:], in locale: CacheLocale = .english
  ) throws -> Snapshot {
    guard let known = FeedRegistry.builtIn.kind(named: KindName(kind)) else {
      let names = FeedRegistry.builtIn.kinds.map(\.name.description)
      throw SampleError(
        description: "unknown kind \(JSONMessage.quoted(kind)): \(NearestName.advice(for: kind, among: names))")
    }
    let shown = options.isEmpty ? known : try known.configured(by: widget(of: known, options))
    let calendar = CivilCalendar(try FeedRegistry.builtInZones.rules(named: "UTC"))
    let feeds = FeedSet(.builtIn)
    for feed in FeedRegistry.builtIn.feeds {
      for (path, text) in feed.samples {
        let file = SessionFile(path: CachePath(path), modified: sampleMoment)
        _ = Array(text.utf8).withUnsafeBytes { feeds.read($0, of: feed.name, from: file, in: calendar) }
      }
    }
    let projector = CacheProjector(feeds: feeds, kinds: [shown], problems: [:])
    let moment = Moment(sampleMoment, calendar: calendar, firstWeekday: nil, locale: locale)
    let document = projector.snapshot(of: shown, at: moment).encoded()
    return try Snapshot(bytes: document.bytes(generation: 0, publishedAt: sampleMoment))
  }

  private static func widget(of kind: Kind, _ options: [String: String]) throws -> WidgetConfiguration {
    var values = TextMap(kind.options.map { ($0.name, $0.standard) })
    for (name, text) in options.sorted(by: { $0.key < $1.key }) {
      guard let option = kind.options.first(where: { isSameText($0.name, name) }) else {
        let names = kind.options.map(\.name)
        let advice = names.isEmpty ? "\(kind.name) has none" : NearestName.advice(for: name, among: names)
        throw SampleError(description: "unknown option \(JSONMessage.quoted(name)): \(advice)")
      }
      guard let value = option.value(typed: text) else {
        throw SampleError(
          description: "expected \(option.expectation) for \(name), found \(JSONMessage.quoted(text))")
      }
      values[name] = value
    }
    // Its name is the kind's, so that the sample is a snapshot of the kind.
    return WidgetConfiguration(name: kind.name, kind: kind.name, options: values)
  }
}

/// Why there is no such sample.
public struct SampleError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, and what to write instead, on one line.
  public let description: String
}
