import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Dispatch
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

@Suite("The log of last good versions")
struct LastGoodLogTests {
  private let cache: TemporaryCache
  private let state: StateDirectory
  private let log: LastGoodLog

  init() throws {
    cache = try TemporaryCache()
    state = try StateDirectory(root: try CacheRoot(resolved: cache.path))
    log = LastGoodLog(in: state.directory)
  }

  @discardableResult
  private func keep(_ name: String, _ document: [UInt8], replacing size: Int = 0) -> Int {
    log.keep(CachePath(name), identity: Self.identity, document: document, replacing: size)
  }

  private static let identity = FileIdentity(
    device: 1, inode: 2, size: 3, modifiedNanoseconds: 4, changedNanoseconds: 5)

  private func document(_ loaded: LastGoodLog.Loaded, _ name: String) -> [UInt8]? {
    loaded[CachePath(name)]?.withDocument { Array($0) }
  }

  /// The log file's size and its inode, which changes when the log is rewritten.
  private func file() throws -> FileIdentity {
    try Directory.identity(of: CachePath("sessions"), in: state.raw)
  }

  @Test("Loading returns the last version of each file that was not removed, and the greatest generation")
  func loads() throws {
    let first = keep("tasks/a.json", Array("first".utf8))
    let b = keep("tasks/b.json", Array("b".utf8))
    log.keep(present: "tasks")
    log.keep(generation: 7)
    try log.save()
    keep("tasks/a.json", Array("second".utf8), replacing: first)
    keep("tasks/c.json", [])
    log.remove(CachePath("tasks/b.json"), size: b)
    log.keep(generation: 3)
    try log.save()
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(document(loaded, "tasks/a.json") == Array("second".utf8))
    #expect(document(loaded, "tasks/b.json") == nil)
    #expect(document(loaded, "tasks/c.json") == [])
    #expect(loaded.records[CachePath("tasks/a.json")]?.identity == Self.identity)
    #expect(loaded.feeds == ["tasks"])
    #expect(loaded.generation == 7)
  }

  @Test("Opening creates an empty log, and the first save appends to it")
  func isCreatedWhenOpened() throws {
    log.open(after: LastGoodLog.load(from: state.raw))
    let before = try file()
    #expect(before.size == 21, "the header")
    #expect(LastGoodLog.load(from: state.raw).damage == nil)
    keep("tasks/a.json", Array("first".utf8))
    try log.save()
    #expect(try file().isSameFile(as: before))
    #expect(document(LastGoodLog.load(from: state.raw), "tasks/a.json") == Array("first".utf8))
    #expect(!log.claimLoss())
  }

  @Test(
    "Where inodes change by themselves, the log is known by what it says; elsewhere another inode is another log",
    arguments: [true, false], ["same", "damaged", "longer"])
  func changedInode(_ inodeMayChange: Bool, _ content: String) throws {
    let log = LastGoodLog(in: state.directory, inodeMayChange: inodeMayChange)
    log.open(after: LastGoodLog.load(from: state.raw))
    func keep(_ name: String) {
      _ = log.keep(CachePath(name), identity: Self.identity, document: Array(name.utf8), replacing: 0)
    }
    keep("tasks/a.json")
    try log.save()
    let before = try file()
    var bytes = try Data(contentsOf: cache.file(".cachesync/sessions"))
    if content == "damaged" { bytes[bytes.count - 1] ^= 1 }
    if content == "longer" { bytes.append(0) }
    // A new inode.
    try bytes.write(to: cache.file(".cachesync/sessions"), options: .atomic)
    try #require(try !file().isSameFile(as: before))
    keep("tasks/b.json")
    try log.save()
    let isKnown = inodeMayChange && content != "damaged"
    #expect(log.claimLoss() == !isKnown)
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(document(loaded, "tasks/b.json") == Array("tasks/b.json".utf8) && loaded.damage == nil)
    if isKnown { #expect(document(loaded, "tasks/a.json") == Array("tasks/a.json".utf8)) }
  }

  @Test("Saving continues after a record that a crash cut off")
  func continues() throws {
    keep("tasks/a.json", Array("whole".utf8))
    try log.save()
    let path = cache.file(".cachesync/sessions")
    var bytes = try Data(contentsOf: path)
    // The same record again, without its last byte.
    bytes.append(bytes.dropFirst("CacheSync sessions 1\n".utf8.count).dropLast())
    try bytes.write(to: path)
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(document(loaded, "tasks/a.json") == Array("whole".utf8))
    let next = LastGoodLog(in: state.directory)
    next.open(after: loaded)
    // By hand: 12 bytes of length and checksum, 5 of type and path length, 12 of path, 40 of identity, and the
    // document's.
    #expect(
      next.keep(CachePath("tasks/b.json"), identity: Self.identity, document: [1, 2, 3], replacing: 0)
        == 12 + 5 + 12 + 40 + 3)
    try next.save()
    let both = LastGoodLog.load(from: state.raw)
    #expect(document(both, "tasks/a.json") == Array("whole".utf8))
    #expect(document(both, "tasks/b.json") == [1, 2, 3])
  }

  @Test("A record that is cut off after the log was loaded yields nothing")
  func cutAfterLoading() throws {
    keep("tasks/a.json", Array("whole".utf8))
    try log.save()
    let size = try file().size
    keep("tasks/b.json", [UInt8](repeating: 0x62, count: 100_000))
    try log.save()
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(document(loaded, "tasks/b.json")?.count == 100_000)
    #expect(truncate(cache.file(".cachesync/sessions").path, off_t(size)) == 0)
    #expect(document(loaded, "tasks/a.json") == Array("whole".utf8))
    #expect(document(loaded, "tasks/b.json") == nil)
  }

  @Test("Records of any size are read correctly in pieces")
  func pieces() throws {
    let sizes = [0, 1, 262_000, 262_144, 262_145, 3_000_000] + (0..<3000).map { $0 % 400 }
    for (number, size) in sizes.enumerated() {
      keep("tasks/\(number).json", [UInt8](repeating: UInt8(number % 251), count: size))
    }
    try log.save()
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(loaded.records.count == sizes.count)
    for (number, size) in sizes.enumerated() {
      #expect(document(loaded, "tasks/\(number).json") == [UInt8](repeating: UInt8(number % 251), count: size))
    }
  }

  enum Accident: CaseIterable {
    case deleted, emptied, replaced, cut, grown, linked
  }

  @Test("After another program damaged the log, the next save makes it valid again", arguments: Accident.allCases)
  func accident(_ accident: Accident) throws {
    keep("tasks/a.json", Array("first".utf8))
    log.keep(generation: 7)
    try log.save()
    let whole = try file().size
    keep("tasks/b.json", Array("second".utf8))
    try log.save()
    #expect(!log.claimLoss())
    let path = cache.file(".cachesync/sessions").path
    switch accident {
    case .deleted: #expect(unlink(path) == 0)
    case .emptied: #expect(truncate(path, 0) == 0)
    case .replaced:
      try cache.write("other", "CacheSync sessions 1\nsomething else")
      #expect(rename(cache.file("other").path, path) == 0)
    // In the middle of the second record.
    case .cut: #expect(truncate(path, off_t(whole) + 20) == 0)
    case .grown: #expect(truncate(path, off_t(whole) + 10_000) == 0)
    case .linked:
      try cache.write("mine", "mine")
      #expect(unlink(path) == 0 && symlink(cache.file("mine").path, path) == 0)
    }
    keep("tasks/c.json", Array("third".utf8))
    if accident == .deleted {
      // The first save does not restore a deleted log, because another program may be deleting the cache.
      #expect(throws: Errno.noSuchFileOrDirectory) { try log.save() }
      #expect(!cache.exists(".cachesync/sessions"))
    }
    try log.save()
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(document(loaded, "tasks/c.json") == Array("third".utf8))
    #expect(document(loaded, "tasks/a.json") == ([.cut, .grown].contains(accident) ? Array("first".utf8) : nil))
    #expect(document(loaded, "tasks/b.json") == (accident == .grown ? Array("second".utf8) : nil))
    #expect(loaded.generation == 7 && loaded.damage == nil)
    #expect(log.claimLoss() == (accident != .grown))
    #expect(!log.claimLoss())
    if accident == .linked { #expect(try cache.text("mine") == "mine") }
    // The next save appends to the same file again.
    let after = try file()
    keep("tasks/d.json", Array("fourth".utf8))
    try log.save()
    #expect(try file().isSameFile(as: after))
    #expect(document(LastGoodLog.load(from: state.raw), "tasks/d.json") == Array("fourth".utf8))
    #expect(!log.claimLoss())
  }

  @Test("A deleted log is not restored immediately, even if it is due to be rewritten")
  func deletedWhenWasteful() throws {
    let size = keep("tasks/a.json", [UInt8](repeating: 0x61, count: 2 << 20))
    try log.save()
    log.remove(CachePath("tasks/a.json"), size: size)
    try cache.remove(".cachesync/sessions")
    #expect(throws: Errno.noSuchFileOrDirectory) { try log.save() }
    #expect(!cache.exists(".cachesync/sessions"))
    try log.save()
    #expect(try file().size < 100)
  }

  @Test("A save only appends while all records are live, whether they are saved together or in parts")
  func isOnlyAddedTo() throws {
    let document = [UInt8](repeating: 0x61, count: 10_000)
    keep("tasks/0.json", document)
    try log.save()
    let first = try file()
    for number in 1..<500 {
      keep("tasks/\(number).json", document)
      if number % 100 == 0 { try log.save() }
    }
    try log.save()
    let last = try file()
    #expect(last.isSameFile(as: first))
    #expect(last.size > 500 * 10_000)
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(loaded.records.count == 500)
    #expect((0..<500).allSatisfy { self.document(loaded, "tasks/\($0).json") == document })
  }

  @Test("The log is rewritten once more than half of it, and more than 1 MiB, is obsolete", arguments: [true, false])
  func isWrittenAnew(byReplacing: Bool) throws {
    let document = [UInt8](repeating: 0x61, count: 10_000)
    keep("tasks/stays.json", document)
    var size = 0
    for number in 0..<1000 {
      size = keep("tasks/changes.json", document + [UInt8(number % 251)], replacing: byReplacing ? size : 0)
      try log.save()
      if !byReplacing { log.remove(CachePath("tasks/changes.json"), size: size) }
      // Two live documents, as much obsolete data, 1 MiB, and the records of one round.
      #expect(try file().size < 2 * 20_000 + 1 << 20 + 20_000)
    }
    try log.save()
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(self.document(loaded, "tasks/stays.json") == document)
    #expect(self.document(loaded, "tasks/changes.json") == (byReplacing ? document + [UInt8(999 % 251)] : nil))
  }

  @Test("After a restart, the log knows how much of it is obsolete")
  func knowsItsWaste() throws {
    let document = [UInt8](repeating: 0x61, count: 100_000)
    var size = 0
    for _ in 0..<10 {
      size = keep("tasks/a.json", document, replacing: size)
      try log.save()
    }
    let before = try file()
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(loaded[CachePath("tasks/a.json")]?.size == size)
    let next = LastGoodLog(in: state.directory)
    next.open(after: loaded)
    // The log has 1.0 MB, of which 0.9 are obsolete. Three more make 1.2, more than the 0.1 that are live and 1 MiB.
    for _ in 0..<3 {
      size = next.keep(CachePath("tasks/a.json"), identity: Self.identity, document: document, replacing: size)
      try next.save()
    }
    let after = try file()
    #expect(!after.isSameFile(as: before))
    #expect(after.size < 2 * 100_000)
  }

  @Test("The old log stays until the new one is on disk, and the new one includes what is kept meanwhile")
  func rewritesInTheBackground() throws {
    let queue = BackgroundQueue()
    let log = LastGoodLog(in: state.directory, flushingOn: queue)
    let document = [UInt8](repeating: 0x61, count: 700_000)
    var size = 0
    for _ in 0..<2 {
      size = log.keep(CachePath("tasks/a.json"), identity: Self.identity, document: document, replacing: size)
      try log.save()
    }
    let before = try file()
    // The disk does not respond for a while.
    let isAnswering = DispatchSemaphore(value: 0)
    queue.async { isAnswering.wait() }
    // After a third version the log has 2.1 MB, 0.7 of them live. To exceed twice these and 1 MiB, 2.4, it needs a
    // fourth.
    for _ in 0..<2 {
      size = log.keep(CachePath("tasks/a.json"), identity: Self.identity, document: document, replacing: size)
      try log.save(isFlushing: true, waits: false)
    }
    #expect(log.hasPending)
    #expect(try file().isSameFile(as: before))
    _ = log.keep(CachePath("tasks/b.json"), identity: Self.identity, document: [0x62], replacing: 0)
    try log.save(isFlushing: true, waits: false)
    #expect(self.document(LastGoodLog.load(from: state.raw), "tasks/b.json") == nil)
    isAnswering.signal()
    try log.save(isFlushing: true)
    #expect(!log.hasPending && !log.needsFlush && !log.claimLoss())
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(try !file().isSameFile(as: before) && file().size < 2 * 700_000)
    #expect(self.document(loaded, "tasks/a.json") == document && self.document(loaded, "tasks/b.json") == [0x62])
    #expect(try cache.names(in: ".cachesync") == ["holder", "lock", "sessions"])
  }

  @Test("Versions that are replaced before they are saved take no space in the log")
  func deadBacklog() throws {
    let document = [UInt8](repeating: 0x61, count: 10_000)
    let first = keep("tasks/a.json", document)
    keep("tasks/b.json", document)
    try log.save()
    log.keep(present: "tasks")
    var size = first
    for number in 0..<1000 { size = keep("tasks/a.json", document + [UInt8(number % 251)], replacing: size) }
    log.remove(CachePath("tasks/b.json"), size: first)
    keep("tasks/c.json", document)
    try log.save()
    #expect(try file().size < 3 * 10_000)
    let loaded = LastGoodLog.load(from: state.raw)
    #expect(self.document(loaded, "tasks/a.json") == document + [UInt8(999 % 251)])
    #expect(self.document(loaded, "tasks/b.json") == nil)
    #expect(self.document(loaded, "tasks/c.json") == document)
    #expect(loaded.feeds == ["tasks"])
  }

  @Test("After large files come and go, the log has at most the size of the small files plus 1 MiB")
  func largeAmongSmall() throws {
    for number in 0..<2000 { keep("tasks/\(number).json", [0x5b, 0x5d]) }
    try log.save()
    let live = try file().size
    let document = [UInt8](repeating: 0x61, count: 600_000)
    for _ in 0..<20 {
      let size = keep("health/large.json", document)
      try log.save()
      log.remove(CachePath("health/large.json"), size: size)
      try log.save()
      #expect(try file().size < 2 * live + 1 << 20 + 2 * 600_100)
    }
    #expect(LastGoodLog.load(from: state.raw).records.count == 2000)
  }
}
