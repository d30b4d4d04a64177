import CacheSync
import HTTPTypes

/// What other programs get as data: nothing but what is published, and what `cachesyncd` prints of it.
enum PublishedData: Equatable {
  case kinds
  case metrics
  case file(String)
  /// The entry of a kind that is in force.
  case entry(kind: String)
  case calendar(feed: String)

  /// The published files that are not of a kind.
  private static let others = ["/day-index.json", "/manifest.json"]

  /// - Returns: nil for another path.
  init?(path: String) {
    switch path {
    case "/kinds.json": self = .kinds
    case "/metrics": self = .metrics
    case let path where Self.others.contains(path): self = .file(String(path.dropFirst()))
    default:
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].isEmpty else { return nil }
      if parts[1] == "calendars", parts[2].hasSuffix(".ics") {
        let feed = String(parts[2].dropLast(".ics".count))
        guard KnownKind.isName(feed) else { return nil }
        self = .calendar(feed: feed)
        return
      }
      guard parts[2].hasSuffix(".json") else { return nil }
      let kind = String(parts[2].dropLast(".json".count))
      guard KnownKind.isName(kind), !Self.others.contains("/\(parts[2])") else { return nil }
      switch parts[1] {
      case "snapshots": self = .file("\(kind).json")
      case "entry": self = .entry(kind: kind)
      default: return nil
      }
    }
  }
}

extension Routes {
  func answer(_ data: PublishedData, _ query: Query) async throws(Refusal) -> Answer {
    switch data {
    case .kinds: return json(try await output(.kinds))
    case .metrics:
      // The format of Prometheus, version 0.0.4. Equal bytes at two moments are two measurements.
      let bytes = try await output(.metrics) + Array((await panels?.metrics ?? "").utf8)
      var answer = Answer(type: "text/plain; version=0.0.4; charset=utf-8", bytes: bytes)
      answer.hasTag = false
      return answer
    case .calendar(let feed):
      return Answer(type: "text/calendar; charset=utf-8", bytes: try await output(.calendar(feed: feed)))
    case .file(let name): return json(try read { reader throws(SnapshotError) in try reader.published(name) })
    case .entry(let kind):
      try query.check(only: ["at"])
      let moment = try query.value("at") { Instant($0) } ?? page.now()
      let bytes = try read { reader throws(SnapshotError) in
        try Snapshot(bytes: reader.published("\(kind).json")).encodedEntry(at: moment)
      }
      return json(bytes + [UInt8(ascii: "\n")])
    }
  }

  private func json(_ bytes: [UInt8]) -> Answer { Answer(type: "application/json", bytes: bytes) }

  private func output(_ printed: CacheQuestions.Printed) async throws(Refusal) -> [UInt8] {
    do {
      return try await page.questions.output(printed)
    } catch is CacheQuestions.NoSuch {
      throw .notFound
    } catch {
      throw Refusal(status: .serviceUnavailable, message: "\(error)")
    }
  }

  private func read(_ read: (SnapshotReader) throws(SnapshotError) -> [UInt8]) throws(Refusal) -> [UInt8] {
    do {
      return try read(page.reader)
    } catch {
      if case .missing(let name) = error {
        throw .absent(String(name.prefix { $0 != "." }), among: page.reader.kinds())
      }
      throw Refusal(status: .serviceUnavailable, message: "\(error)")
    }
  }
}
