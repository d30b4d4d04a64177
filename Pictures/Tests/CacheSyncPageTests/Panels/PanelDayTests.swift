import CacheSync
import Foundation
import Logging
import SystemPackage
import Testing

@testable import CacheSyncPage

/// A panel as its firmware behaves: it asks, fetches a picture with a new name, sleeps for the seconds that it was told, and
/// asks again. Its time is a number, so a day takes as long as its pictures take to draw.
@Suite("A panel's day")
struct PanelDayTests {
  /// What happened when it asked.
  struct Wake: Equatable {
    var moment: Instant
    var name: String
    /// What its picture was drawn from.
    var shown: String
    var isNew: Bool
  }

  /// A cache, and what an agent would have published of it: after each drop, and at each midnight.
  final class World {
    static let project = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    static let address = PanelAddress("94:A9:90:8C:6D:18")
    static let calendar = SnapshotCalendar(timeZone: "Europe/Berlin")

    private let folder: URL
    private let panels: Panels
    private var drops: [(moment: Instant, title: String)] = []
    private var published: [Instant: CacheView] = [:]

    init(awake: String?, hours: String = "PT15M") throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("panel-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: Self.project.appendingPathComponent("sample-cache"), to: folder.appendingPathComponent("cache"))
      // The tasks feed uses a file's time if the app's file has no date: all are from an earlier year.
      let earlier = Date(timeIntervalSince1970: 1_761_339_600)
      for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)! {
        try FileManager.default.setAttributes([.modificationDate: earlier], ofItemAtPath: file.path)
      }
      let file = folder.appendingPathComponent("panels.json")
      let window = awake.map { #""awake": "\#($0)","# } ?? ""
      try #"""
      {"panels": {"94:A9:90:8C:6D:18": {\#(window) "every": "\#(hours)", "widgets": ["meal-plan:medium", "calendar:medium", "todays-tasks:large"]}}}
      """#.write(to: file, atomically: true, encoding: .utf8)
      // The entries themselves stand for pictures, which are functions of them.
      let painter = Painter { (request, snapshots, moment) throws(Painter.Failure) in
        request.kinds.flatMap { kind in
          snapshots.filter { $0.kind == kind }.flatMap { snapshot -> [UInt8] in
            let entry = snapshot.entry(at: moment)
            return Array("\(kind) \(entry.state.rawValue) ".utf8) + entry.content.bytes + [UInt8(ascii: "\n")]
          }
        }
      } check: { (_) throws(Painter.Failure) in
      }
      panels = try Panels(
        file: PanelFile(path: FilePath(file.path), painter: painter), key: String(repeating: "0", count: 32),
        pictures: PictureQueue(painter: painter, now: ManualClock().now),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func drop(_ title: String, at moment: Instant) { drops.append((moment, title)) }

    /// What readers see at a moment.
    private func view(at moment: Instant) throws -> CacheView {
      let today = Self.calendar.day(of: moment)
      let midnight = Self.calendar.moment(on: today, hour: 0, minute: 0)
      let publication = drops.map(\.moment).filter { $0 <= moment && $0 > midnight }.max() ?? midnight
      if var view = published[publication] {
        view.moment = moment
        return view
      }
      for (number, drop) in drops.enumerated() where drop.moment <= moment {
        let task =
          #"{"lastUpdated": "\#(drop.moment)", "tasks": [{"id": "drop-\#(number)", "title": "\#(drop.title)", "completed": false, "dueDate": "2026-11-01", "createdAt": "\#(drop.moment)"}]}"#
        try task.write(
          to: folder.appendingPathComponent("cache/tasks/drop-\(number).json"), atomically: true, encoding: .utf8)
      }
      let program = Process()
      program.executableURL = Self.project.appendingPathComponent(".build/debug/cachesyncd")
      program.arguments = [
        "show", "--json", "--cache", folder.appendingPathComponent("cache").path, "--at", "\(publication)",
        "--time-zone",
        "Europe/Berlin",
      ]
      let output = Pipe()
      program.standardOutput = output
      try program.run()
      let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
      program.waitUntilExit()
      let view = CacheView(generation: 1, snapshots: try Snapshot.computed(bytes), dayIndex: .null, moment: moment)
      published[publication] = view
      return view
    }

    /// The wakes from a moment until another.
    ///
    /// - Parameter drift: how fast the panel's timer is: 1.03 wakes 3 % early.
    func wakes(from begin: String, to end: String, drift: Double = 1) async throws -> [Wake] {
      let (begin, end) = (try #require(Instant(begin)), try #require(Instant(end)))
      let asking = Panels.Asking(address: try #require(Self.address))
      var (now, wakes) = (begin, [Wake]())
      while now < end {
        let display = try await panels.display(asking, view: try view(at: now))
        let isNew = wakes.last?.name != display.name
        wakes.append(
          Wake(moment: now, name: display.name, shown: String(decoding: display.picture, as: UTF8.self), isNew: isNew))
        now = now + .milliseconds(Int(Double(display.pause) * 1_000 / drift))
      }
      return wakes
    }

    func clock(_ moment: Instant) -> String { Self.calendar.clock(at: moment) }
  }

  /// The figures of docs/recipes/e-ink-display.md. By hand, without drift: 66 quarters of an hour from 06:30 to 23:00, one wake
  /// at 23:00, and two midnights; all boundaries of the sample are at quarters. They are at 07:00, 17:00, 19:00 and 21:00.
  @Test(
    "Through a day it shows each drop at its next wake, sleeps at night, and turns at midnight",
    arguments: [(1, 69), (1.03, 81)])
  func day(drift: Double, count: Int) async throws {
    let world = try World(awake: "06:30-23:00")
    let drops = [("First drop", "2026-11-21T10:07:00+01:00"), ("Second drop", "2026-11-21T18:31:30+01:00")]
    for (title, moment) in drops { world.drop(title, at: try #require(Instant(moment))) }
    let wakes = try await world.wakes(from: "2026-11-21T00:00:02+01:00", to: "2026-11-22T06:00:00+01:00", drift: drift)
    #expect(wakes.count == count)
    for (title, moment) in drops {
      let dropped = try #require(Instant(moment))
      let next = try #require(wakes.first { $0.moment >= dropped })
      #expect(next.isNew && next.shown.contains(title) && next.moment - dropped <= .seconds(15 * 60))
    }
    // Both midnights, the four boundaries and the two drops; every other wake fetches no picture.
    let new = wakes.filter(\.isNew).map { world.clock($0.moment) }
    let dropped = drift == 1 ? ["10:15", "18:45"] : ["10:09", "18:42"]
    #expect(new == ["00:00", "07:00", dropped[0], "17:00", dropped[1], "19:00", "21:00", "00:00"])
    // At midnight it shows the new day, a few seconds after it began at most.
    let last = try #require(wakes.last)
    #expect(last.moment - (try #require(Instant("2026-11-22T00:00:00+01:00"))) < .seconds(5))
    #expect(last.shown.contains(#""weekday":"Sunday""#) && wakes[0].shown.contains(#""weekday":"Saturday""#))
    // Between its hours and midnight it sleeps.
    let night = wakes.filter { $0.moment >= Instant("2026-11-21T23:15:00+01:00")! && $0 != last }
    #expect(night.count == (drift == 1 ? 0 : 1))
  }

  /// By hand: the night to 2026-10-25 has an hour more, that to 2026-03-29 one less.
  @Test(
    "Through a night with a change of the clocks it wakes at midnight and when its hours begin",
    arguments: [
      ("2026-10-24T22:50:00+02:00", "2026-10-25T06:40:00+01:00", "Sunday"),
      ("2026-03-28T22:50:00+01:00", "2026-03-29T06:40:00+02:00", "Sunday"),
      ("2026-11-21T22:50:00+01:00", "2026-11-22T06:40:00+01:00", "Sunday"),
    ])
  func night(begin: String, end: String, weekday: String) async throws {
    let world = try World(awake: "06:30-23:00")
    let wakes = try await world.wakes(from: begin, to: end)
    #expect(wakes.map { world.clock($0.moment) } == ["22:50", "23:05", "00:00", "06:30"])
    #expect(wakes.map(\.isNew) == [true, false, true, false])
    #expect(wakes[2].shown.contains(#""weekday":"\#(weekday)""#))
    // A timer that is 3 % fast wakes it early, at most twice before each.
    let early = try await world.wakes(from: begin, to: end, drift: 1.03)
    #expect(early.count == 8, "\(early.map { world.clock($0.moment) })")
  }

  @Test("Without hours it asks all night, and its picture still changes at midnight only")
  func allDay() async throws {
    let world = try World(awake: nil)
    let wakes = try await world.wakes(from: "2026-11-21T22:00:00+01:00", to: "2026-11-22T02:00:00+01:00")
    #expect(wakes.filter(\.isNew).map { world.clock($0.moment) } == ["22:00", "00:00"])
  }
}
