import CacheSync
import CacheSyncSystem
import Foundation
import SystemPackage
import Synchronization
import Testing
import TestSupport

/// What readers of FUSE and network file systems meet while an agent renames a new file over an old one. The failures are
/// injected here; `ReadersTests` reads through bindfs.
@Suite("Reading again")
struct RereadingTests {
  let cache: TemporaryCache

  init() throws {
    cache = try TemporaryCache()
    try cache.write("tasks/a.json", "[]")
    try cache.sync()
  }

  /// What a look at a file finds instead of the file.
  enum Finding: Sendable, CaseIterable { case missing, stale, cut, empty }

  /// Counts the looks at each file, and falsifies the first of them.
  final class Disk: Sendable {
    let looks = Mutex<[String: Int]>([:])
    let falsified: String
    let findings: [Finding]

    /// - Parameter findings: what the first looks at the file find; then it is read.
    init(_ falsified: String, _ findings: [Finding]) { (self.falsified, self.findings) = (falsified, findings) }

    func read(_ path: FilePath) throws(Errno) -> [UInt8] {
      let name = path.lastComponent?.string ?? ""
      let look = looks.withLock { looks in
        looks[name, default: 0] += 1
        return (looks[name] ?? 0) - 1
      }
      func whole() throws(Errno) -> [UInt8] {
        do { return try FileDescriptor.readAll(at: path) } catch { throw error as? Errno ?? .ioError }
      }
      guard name == falsified, look < findings.count else { return try whole() }
      switch findings[look] {
      case .missing: throw .noSuchFileOrDirectory
      case .stale: throw .staleNFSFileHandle
      case .cut: return Array(try whole().dropLast(9))
      case .empty: return []
      }
    }
  }

  private func reader(_ disk: Disk) -> SnapshotReader {
    SnapshotReader(cache: cache.path) { path throws(Errno) in try disk.read(path) }
  }

  private static let mixed: [Finding] = [.missing, .stale, .cut, .empty, .missing]

  @Test("A file that is missing, stale or cut off for a moment is read again", arguments: Finding.allCases)
  func oneFile(finding: Finding) throws {
    let findings = [finding, finding, finding]
    #expect(try reader(Disk("task-count.json", findings)).snapshot("task-count").generation == 1)
    #expect(try reader(Disk("day-index.json", findings)).dayIndex()["generation"]?.int == 1)
    #expect(reader(Disk("manifest.json", findings)).kinds().contains("task-count"))
    #expect(try reader(Disk("task-count.json", findings)).published("task-count.json").last == 0x0A)
  }

  @Test(
    "A set that agrees is read again, by a thread and by an actor, whichever of its files fails",
    arguments: ["manifest.json", "task-count.json", "day-index.json"])
  func set(name: String) async throws {
    // By hand: the feed of tasks has five kinds, one of them shared with events.
    #expect(try reader(Disk(name, Self.mixed)).consistent().snapshots.count == 5)
    #expect(try await reader(Disk(name, Self.mixed)).consistentWithoutBlocking().snapshots.count == 5)
    let later = reader(Disk(name, [.cut]))
    #expect(try later.consistentNow() == nil && later.consistentNow()?.snapshots.count == 5)
  }

  @Test("One call meets different failures in a row")
  func differentFailures() throws {
    #expect(try reader(Disk("task-count.json", Self.mixed)).snapshot("task-count").generation == 1)
    #expect(try reader(Disk("manifest.json", Self.mixed)).consistent().generation == 1)
  }

  @Test("What is not published is missing at once, and is looked at once")
  func unpublished() throws {
    let disk = Disk("", [])
    #expect(throws: SnapshotError.missing("meal-plan.json")) { try reader(disk).snapshot("meal-plan") }
    #expect(disk.looks.withLock { $0 } == ["meal-plan.json": 1, "manifest.json": 1])
    let none = SnapshotReader(cache: cache.path.appending("none")) { path throws(Errno) in try disk.read(path) }
    #expect(throws: SnapshotError.missing("manifest.json")) { try none.consistent() }
    #expect(none.kinds().isEmpty)
    #expect(disk.looks.withLock { $0["manifest.json"] } == 3)
  }

  @Test("Another error of the system is reported at once")
  func otherErrors() throws {
    let reader = SnapshotReader(cache: cache.path) { _ throws(Errno) in throw .permissionDenied }
    #expect(throws: SnapshotError.self) { try reader.consistentNow() }
  }

  @Test("A finding that lasts is believed after a second, with the last reason")
  func believed() throws {
    for (finding, error) in [
      (.missing, .missing("task-count.json")), (.cut, .damaged("task-count.json")),
    ] as [(Finding, SnapshotError)] {
      let disk = Disk("task-count.json", Array(repeating: finding, count: 1000))
      #expect(throws: error) { try reader(disk).snapshot("task-count") }
    }
  }

  @Test("The pauses grow from 2 ms to 100 ms, and are a second in total")
  func pauses() {
    var rereading = Rereading()
    var pauses: [Int] = []
    while let pause = rereading.pause() { pauses.append(Int(pause / .milliseconds(1))) }
    // By hand: 2 + 4 + … + 64 = 126, then eight times 100, and 74 are left of 1,000.
    #expect(pauses == [2, 4, 8, 16, 32, 64] + Array(repeating: 100, count: 8) + [74])
  }

  @Test("A listener looks again at a file that was cut off, though no event follows")
  func listener() throws {
    let listener = SnapshotListener(cache: cache.path, kinds: ["task-count"], startingWithCurrent: false)
    let text = try cache.text("snapshots/task-count.json")
    let file = cache.file("snapshots/task-count.json")
    let other = cache.file("snapshots/.other")
    try Data(text.replacingOccurrences(of: #""generation":1"#, with: #""generation":2"#).dropLast(9).utf8).write(
      to: other)
    try #require(rename(other.path, file.path) == 0)
    #expect(listener.nextChanged() == nil)
    #expect(listener.milliseconds != nil, "it has a time to look again")
    // In place: the listener gets no event of this.
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data(text.replacingOccurrences(of: #""generation":1"#, with: #""generation":2"#).utf8))
    try handle.close()
    var found: Snapshot?
    while found == nil, let milliseconds = listener.milliseconds {
      SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(milliseconds)))
      found = listener.nextChanged()
    }
    #expect(found?.generation == 2)
    #expect(listener.milliseconds == nil, "nothing is in doubt any more")
  }

  @Test("While the manifest is in doubt, a listener gives each kind first once in order, and then what has changed")
  func order() throws {
    try FileManager.default.removeItem(at: cache.file("snapshots/manifest.json"))
    func listener() -> SnapshotListener {
      SnapshotListener(cache: cache.path, kinds: nil, startingWithCurrent: true)
    }
    let still = listener()
    var kinds: [String] = []
    while let snapshot = still.nextChanged() { kinds.append(snapshot.kind) }
    try #require(kinds.count > 2)
    let listening = listener()
    #expect(listening.nextChanged()?.kind == kinds[0])
    let text = try cache.text("snapshots/\(kinds[0]).json").replacing(#""generation":1"#, with: #""generation":2"#)
    try Data(text.utf8).write(to: cache.file("snapshots/.other"))
    let file = cache.file("snapshots/\(kinds[0]).json")
    try #require(rename(cache.file("snapshots/.other").path, file.path) == 0)
    var found: [String] = []
    for _ in kinds {
      // The doubt is due now.
      SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(listening.milliseconds ?? 0)))
      if let snapshot = listening.nextChanged() { found.append(snapshot.kind) }
    }
    #expect(found == kinds.dropFirst() + [kinds[0]])
  }

  @Test("A listener believes after a second that a file is damaged, and waits for events")
  func listenerBelieves() throws {
    let listener = SnapshotListener(cache: cache.path, kinds: ["task-count", "of-tomorrow"], startingWithCurrent: true)
    #expect(listener.nextChanged()?.kind == "task-count")
    #expect(listener.nextChanged() == nil && listener.milliseconds == nil, "what is not published is not in doubt")
    try Data("{".utf8).write(to: cache.file("snapshots/.other"))
    try #require(rename(cache.file("snapshots/.other").path, cache.file("snapshots/task-count.json").path) == 0)
    repeat {
      #expect(listener.nextChanged() == nil)
      SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(listener.milliseconds ?? 0)))
    } while listener.milliseconds != nil
  }
}
