import CacheSync
import Foundation
import Logging
import Synchronization
import SystemPackage
import Testing

@testable import CacheSyncPage

@Suite("Pictures that are requested")
struct PictureQueueTests {
  /// A painter that counts, and can wait.
  private final class Work: Sendable {
    let count = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    let clock = ManualClock()

    func painter(waits: Bool = false) -> Painter {
      Painter { [self] (request, snapshots, moment) throws(Painter.Failure) in
        count.withLock { $0 += 1 }
        if waits { gate.wait() }
        guard !request.words.contains("broken:medium") else { throw .cannot("it is broken") }
        return snapshots.flatMap { $0.entry(at: moment).content.bytes }
      } check: { (_) throws(Painter.Failure) in
      }
    }

    var painted: Int { count.withLock { $0 } }
  }

  private static func request(_ widget: String = "calendar:medium", size: String = "800x480") throws -> PictureRequest {
    try #require(
      try PictureRequest(path: "/screen.png", Query(form: "size=\(size)&bits=1&widget=\(widget)")))
  }

  private static func view(generation: Int = 1) throws -> CacheView {
    var snapshots = try ["calendar", "task-count"].map { try Snapshot.sample(of: $0, options: [:]) }
    for index in snapshots.indices { snapshots[index].generation = generation }
    return CacheView(
      generation: generation, snapshots: snapshots, dayIndex: .null, moment: Snapshot.sampleMoment)
  }

  @Test("A hundred requests for one screen draw it once, until one of its entries changes")
  func once() async throws {
    let work = Work()
    let queue = PictureQueue(painter: work.painter(), now: work.clock.now)
    let (request, view) = (try Self.request(), try Self.view())
    let pictures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<100 { group.addTask { try await queue.picture(request, of: view) } }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(pictures.count == 1 && work.painted == 1)
    // Another publication without a change of this screen.
    var later = try Self.view(generation: 2)
    let other = try #require(later.snapshots.firstIndex { $0.kind == "task-count" })
    later.snapshots[other].entries[0].content = .object(["count": .integer(99)])
    _ = try await queue.picture(request, of: later)
    #expect(work.painted == 1)
    let own = try #require(later.snapshots.firstIndex { $0.kind == "calendar" })
    later.snapshots[own].entries[0].content = .object(["day": .integer(99)])
    let changed = try await queue.picture(request, of: later)
    #expect(work.painted == 2 && !pictures.contains(changed))
    // Of another size.
    _ = try await queue.picture(try Self.request(size: "1872x1404"), of: later)
    #expect(work.painted == 3)
  }

  @Test("What cannot be drawn is tried at each request")
  func failure() async throws {
    let work = Work()
    let queue = PictureQueue(painter: work.painter(), now: work.clock.now)
    for count in 1...2 {
      await #expect(throws: Painter.Failure.cannot("it is broken")) {
        try await queue.picture(try Self.request("broken:medium"), of: try Self.view())
      }
      #expect(work.painted == count)
    }
  }

  @Test("A request that would wait too long is refused at once, and one that has waited too long is not drawn")
  func busy() async throws {
    let work = Work()
    let queue = PictureQueue(painter: work.painter(waits: true), now: work.clock.now)
    let view = try Self.view()
    func ask(_ width: Int) throws -> Task<[UInt8], any Error> {
      let request = try Self.request(size: "\(width)x480")
      return Task { try await queue.picture(request, of: view) }
    }
    func waiting(_ count: Int) async { while await queue.waiting < count { await Task.yield() } }
    // The first drawing of a server also loads the fonts, and does not count.
    work.gate.signal()
    _ = try await ask(800).value
    let first = try ask(801)
    await waiting(1)
    let second = try ask(802)
    await waiting(2)
    // The first takes longer than a request may wait, which is 4 seconds.
    work.clock.advance(.seconds(5))
    work.gate.signal()
    #expect(try await !first.value.isEmpty)
    await #expect(throws: Painter.Failure.busy(seconds: 1)) { try await second.value }
    #expect(work.painted == 2)
    let third = try ask(803)
    await waiting(1)
    // The third is still being drawn.
    await #expect(throws: Painter.Failure.busy(seconds: 6)) { try await ask(804).value }
    let same = try ask(803)
    work.gate.signal()
    #expect(try await third.value == same.value)
  }

  /// Read in the firmware 1.8.14: boards with larger displays have memory for 750,000 bytes, others for 90,000.
  @Test(
    "A panel gets as many greys as its memory takes",
    arguments: [
      ("800x480", 4, [4: 90_000], 4), ("800x480", 4, [4: 90_001, 2: 90_000], 2),
      ("800x480", 4, [4: 200_000, 2: 100_000, 1: 50_000], 1), ("1872x1404", 4, [4: 90_001], 4),
      ("1872x1404", 4, [4: 750_000], 4), ("1872x1404", 2, [4: 1, 2: 750_001, 1: 90_001], 1),
    ])
  func greys(screen: String, bits: Int, sizes: [Int: Int], drawn: Int) async throws {
    let painter = Painter { (request, _, _) throws(Painter.Failure) in
      let bits = request.words.firstNonNil { Int($0.trimmingPrefix("--bits=")) } ?? 0
      return [UInt8](repeating: UInt8(bits), count: sizes[bits] ?? 0)
    } check: { (_) throws(Painter.Failure) in
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("panels-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try
      #"{"panels": {"94:A9:90:8C:6D:18": {"screen": "\#(screen)", "bits": \#(bits), "widgets": ["calendar:medium"]}}}"#
      .write(to: file, atomically: true, encoding: .utf8)
    let panels = try Panels(
      file: PanelFile(path: FilePath(file.path), painter: painter), key: String(repeating: "0", count: 32),
      pictures: PictureQueue(painter: painter, now: ManualClock().now),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let asking = Panels.Asking(address: try #require(PanelAddress("94:A9:90:8C:6D:18")))
    let picture = try await panels.display(asking, view: try Self.view()).picture
    #expect(picture == [UInt8](repeating: UInt8(drawn), count: sizes[drawn] ?? 0))
  }
}

/// A clock that stands still until it is advanced, so that no request waits long on a busy machine.
final class ManualClock: Sendable {
  private let time = Mutex(ContinuousClock.now)

  var now: @Sendable () -> ContinuousClock.Instant { { self.time.withLock { $0 } } }

  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}

extension Sequence {
  fileprivate func firstNonNil<Value>(_ value: (Element) -> Value?) -> Value? { lazy.compactMap(value).first }
}
