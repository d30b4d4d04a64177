import CacheSyncSystem
import Foundation
import TestSupport
import Testing

import CacheSync

/// What every feed must keep, whatever it is about: the built-in ones and those with a definition. A new feed is tested as
/// soon as the registry has it and `sample-cache` or `DocumentedFields` a file of it.
@Suite("Laws of feeds")
struct FeedLawsTests {
  /// A feed's files, and a moment at which they show something.
  struct Subject: Sendable, CustomTestStringConvertible {
    var feed: FeedName
    var registry: FeedRegistry
    var files: [(path: CachePath, text: [UInt8])]
    var moment: String

    var testDescription: String { "\(feed), \(files.count) files" }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardized

  /// The files of the sample cache and every documented form, and Examples/feeds with two copies of each sample.
  static let subjects: [Subject] = builtIn + own

  private static let builtIn: [Subject] = {
    let registry = FeedRegistry.builtIn
    let sample = root.appendingPathComponent("sample-cache")
    var files: [FeedName: [(CachePath, [UInt8])]] = [:]
    let found = FileManager.default.enumerator(atPath: sample.path)?.compactMap { $0 as? String } ?? []
    for path in found.sorted() {
      guard case .session(let feed) = registry.layout.role(of: CachePath(path)),
        let text = try? Data(contentsOf: sample.appendingPathComponent(path))
      else { continue }
      files[feed, default: []].append((CachePath(path), Array(text)))
    }
    for (index, format) in DocumentedFields.all.enumerated() {
      guard let name = format.feed.map({ FeedName($0) }),
        let directory = registry.feed(named: name)?.claims.directories.first
      else { continue }
      files[name, default: []].append((CachePath("\(directory)/documented-\(index).json"), Array(format.whole.utf8)))
    }
    return registry.feeds.map { feed in
      Subject(feed: feed.name, registry: registry, files: files[feed.name] ?? [], moment: "2026-11-21T09:30:00Z")
    }
  }()

  private static let own: [Subject] = {
    let directory = root.appendingPathComponent("Examples/feeds")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { file in
      let name = String(file.dropLast(".json".count))
      guard let document = try? Data(contentsOf: directory.appendingPathComponent(file)),
        let sample = try? Data(contentsOf: directory.appendingPathComponent("samples/\(file)")),
        let definition = DefinitionsFeed.read(Array(document), named: name).definition
      else { return nil }
      let registry = FeedRegistry([definition], zones: TimeZones(environment: nil))
      let files = ["a", "b"].map { (CachePath("\(name)/\($0).json"), Array(sample)) }
      return Subject(feed: FeedName(name), registry: registry, files: files, moment: "2026-11-24T09:30:00Z")
    }
  }()

  private let calendar: CivilCalendar

  init() throws { calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "Europe/Berlin")) }

  /// A cache that has these files, put one after another. Every file is older than the one after it in the subject.
  private func feeds(_ subject: Subject, _ order: [Int]) -> FeedSet {
    let feeds = FeedSet(subject.registry)
    for index in order { put(index, of: subject, into: feeds) }
    return feeds
  }

  private func put(_ index: Int, of subject: Subject, into feeds: FeedSet) {
    let (path, text) = subject.files[index]
    let file = SessionFile(path: path, modified: Instant(seconds: 1_767_225_600 + Int64(index)))  // 2026-01-01
    let defects = text.withUnsafeBytes { feeds.read($0, of: subject.feed, from: file, in: calendar) }
    #expect(defects.isEmpty, "\(path)")
  }

  /// What readers see: the snapshots of the kinds that the feed is in, and the day index.
  private func outputs(_ feeds: FeedSet, of subject: Subject, at instant: Instant) -> [String: String] {
    let moment = Moment(instant, calendar: calendar, firstWeekday: .monday)
    let projector = CacheProjector(feeds: feeds, kinds: subject.registry.kinds, problems: [:])
    var outputs: [String: String] = [:]
    for kind in subject.registry.kinds where kind.feeds.contains(subject.feed) {
      let bytes = projector.snapshot(of: kind, at: moment).encoded().bytes(generation: 1, publishedAt: instant)
      outputs["\(kind.name)"] = String(decoding: bytes, as: UTF8.self)
    }
    outputs["day index"] = String(
      decoding: projector.dayIndex(at: moment).bytes(generation: 1, publishedAt: instant), as: UTF8.self)
    return outputs
  }

  private func expectSame(_ found: [String: String], _ expected: [String: String], _ law: String) {
    #expect(found.keys.sorted() == expected.keys.sorted())
    for (name, text) in expected { #expect(found[name] == text, "\(name): \(law)") }
  }

  @Test("Every feed with files has two or more")
  func enough() {
    #expect(Self.subjects.filter { $0.files.count < 2 }.map(\.feed).isEmpty)
    #expect(Self.subjects.count == FeedRegistry.builtIn.feeds.count + 11)
  }

  @Test("The order in which files are read does not matter, nor that some came later", arguments: subjects)
  func order(_ subject: Subject) throws {
    let moment = try #require(Instant(subject.moment))
    let all = Array(subject.files.indices)
    let expected = outputs(feeds(subject, all), of: subject, at: moment)
    expectSame(outputs(feeds(subject, all.reversed()), of: subject, at: moment), expected, "in reverse")
    // Shown in between, so that what was computed for fewer files must be dropped.
    let growing = FeedSet(subject.registry)
    for index in all.reversed() {
      put(index, of: subject, into: growing)
      _ = outputs(growing, of: subject, at: moment)
    }
    expectSame(outputs(growing, of: subject, at: moment), expected, "one by one")
  }

  @Test(
    "Removing what was added restores what was there, and a file that is read again changes nothing",
    arguments: subjects)
  func removing(_ subject: Subject) throws {
    let moment = try #require(Instant(subject.moment))
    let all = Array(subject.files.indices)
    let set = feeds(subject, all)
    for index in all.prefix(8) {
      put(index, of: subject, into: set)
      let rest = outputs(feeds(subject, all.filter { $0 != index }), of: subject, at: moment)
      _ = outputs(set, of: subject, at: moment)
      set.remove(subject.files[index].path, of: subject.feed)
      expectSame(outputs(set, of: subject, at: moment), rest, "without \(subject.files[index].path)")
      put(index, of: subject, into: set)
    }
    expectSame(
      outputs(set, of: subject, at: moment), outputs(feeds(subject, all), of: subject, at: moment), "all again")
  }

  @Test("The copy for the log means the same as the file, and its copy is itself", arguments: subjects)
  func copies(_ subject: Subject) throws {
    let descriptor = try #require(subject.registry.feed(named: subject.feed))
    var pruned = subject
    for (index, file) in subject.files.enumerated() {
      let first = file.text.withUnsafeBytes { descriptor.decode($0, at: file.path, pruning: true) }
      let copy = first.pruned ?? file.text
      let again = copy.withUnsafeBytes { descriptor.decode($0, at: file.path, pruning: true) }
      #expect(again.defects.isEmpty && (again.pruned ?? copy) == copy, "\(file.path)")
      pruned.files[index].text = copy
    }
    let moment = try #require(Instant(subject.moment))
    let all = Array(subject.files.indices)
    expectSame(
      outputs(feeds(pruned, all), of: subject, at: moment), outputs(feeds(subject, all), of: subject, at: moment),
      "from the log")
  }

  @Test("Nothing but files, settings and moment decides, so the same again is the same", arguments: subjects)
  func again(_ subject: Subject) throws {
    let moment = try #require(Instant(subject.moment))
    let set = feeds(subject, Array(subject.files.indices))
    let expected = outputs(set, of: subject, at: moment)
    _ = outputs(set, of: subject, at: moment.advanced(by: .seconds(40 * 86_400)))
    expectSame(outputs(set, of: subject, at: moment), expected, "after a look at another day")
  }

  @Test("An entry is what is computed at its date, and until the next one nothing changes", arguments: subjects)
  func entries(_ subject: Subject) throws {
    let set = feeds(subject, Array(subject.files.indices))
    func timeline(_ kind: Kind, at instant: Instant) -> Timeline {
      let moment = Moment(instant, calendar: calendar, firstWeekday: .monday)
      return TimelineProjector(feeds: set, moment: moment, staleAfter: StaleAges(nil)).timeline(of: kind)
    }
    for kind in subject.registry.kinds where kind.feeds.contains(subject.feed) {
      let whole = timeline(kind, at: try #require(Instant(subject.moment)))
      for (entry, next) in zip(whole.entries, whole.entries.dropFirst()).prefix(12) {
        let now = try #require(timeline(kind, at: next.date).entries.first)
        #expect(now.content == next.content && now.state == next.state, "\(kind.name) at \(next.date)")
        let before = try #require(timeline(kind, at: next.date.advanced(by: .microseconds(-1))).entries.first)
        #expect(
          before.content == entry.content && before.state == entry.state, "\(kind.name) just before \(next.date)")
      }
    }
  }
}
