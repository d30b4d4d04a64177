import CacheSync
@testable import CacheSyncValues

/// Definitions, and the small languages in them.
enum DefinitionTargets {
  /// The input: a definition and, after 0xFF, a file that it reads. Each entry of a timeline equals what is computed at
  /// its date.
  static func definitions(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    let read = parts[0].withUnsafeBytes { FeedDefinition.read($0, named: "bins", reserved: ReservedNames()) }
    JSONTargets.places(read.defects, in: parts[0])
    JSONTargets.places(read.warnings, in: parts[0])
    guard let definition = read.definition, parts.count > 1 else { return }
    let trial = DefinitionTrial(definition, zones: TimeZones(environment: nil), calendar: FeedTargets.calendar)
    let moment = Moment(
      Instant(seconds: 1_795_255_200), calendar: FeedTargets.calendar, firstWeekday: .monday)
    let file = SessionFile(path: trial.path(ofFile: Array("a.json".utf8)), modified: moment.instant)
    let problems = trial.read(parts[1], from: file)
    guard problems.allSatisfy({ $0.severity == .warning }) else { return }
    for (kind, document) in trial.snapshots(at: moment) {
      require(
        (try? Snapshot(bytes: document.bytes(generation: 1, publishedAt: moment.instant))) != nil,
        "\(kind.name) is not a snapshot that its readers accept")
    }
  }

  static func texts(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let isInside = { (defect: TextDefect) in (0...text.utf8.count).contains(defect.offset) }
    for allowance in [ItemPath.Allowance.file, .each, .item, .except] {
      do throws(TextDefect) {
        _ = try ItemPath.parse(text, allowing: allowance)
      } catch {
        require(isInside(error), "a defect of a path outside of it")
      }
    }
    let template = TextTemplate.parse(text)
    require(template.defects.allSatisfy(isInside), "a defect of a text outside of it")
    _ = template.template.rendered(words: [:], calendar: FeedTargets.calendar, today: LocalDay(ordinal: 20_778)) {
      $0.utf8.count % 2 == 0 ? .number(1.5) : .text($0)
    }
    for purpose in [TimePattern.Purpose.day, .time] {
      guard let pattern = try? TimePattern.parse(text, for: purpose) else { continue }
      _ = pattern.match("2026-11-21 09:30")
      _ = pattern.match(digits: "20261121")
    }
  }
}
