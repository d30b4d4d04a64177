import CacheSyncSystem
import Glibc
import Logging
import SystemPackage
import Testing

@testable import CacheSyncBridge

/// A home with one of its caches, without an engine, and with a clock that the test sets.
///
/// A test keeps the thread of the loop, so the cache's alarm does not ring meanwhile: the test releases held changes
/// itself. The kernel reports a deletion before it returns, and a cache reads all reports before it writes.
@LoopActor
private final class HomeOfOneCache {
  @LoopActor
  private final class Clock {
    var uptime = Uptime(nanoseconds: 1_000_000_000_000)
  }

  private let path: FilePath
  private let name: CacheName
  private let watch: DirectoryWatch
  private let clock = Clock()
  private lazy var cache = HomeCache(
    name: name, path: path, watch: watch, troubles: Troubles(Logger(label: "test")), now: { [clock] in clock.uptime }
  ) { cache, news in
    if case .released(let changes) = news { _ = cache.apply(changes) }
  }

  init(_ path: FilePath) throws {
    self.path = path
    name = try #require(CacheName("kitchen"))
    watch = try DirectoryWatch {}
    cache.look()
  }

  /// Makes changes that arrive now.
  func apply(_ changes: (path: [UInt8], version: Int64, text: String)...) throws {
    let changes = try changes.map { change in
      SessionFiles.Change(
        key: try #require(SessionKey(cache: name, path: change.path)), version: change.version, isPutBack: false,
        content: .file(Array(change.text.utf8), modified: change.version))
    }
    #expect(cache.apply(changes).isEmpty, "no change fails")
  }

  func advance(by duration: Duration) { clock.uptime = clock.uptime.advanced(by: duration) }

  /// Does what the alarm does half a second after a change was first held.
  func releaseHeld() { cache.releaseHeld() }

  /// Gives the thread to the cache's alarm until the file has this content, for at most a minute.
  func wait(for content: String, of file: [UInt8]) async {
    let end = Uptime.now().advanced(by: .seconds(60))
    while self.content(file) != content, Uptime.now() < end { await LoopActor.sleep(.milliseconds(10)) }
  }

  func delete(_ file: [UInt8]) {
    #expect(path.appending(bytes: file).withPlatformString { unlink($0) } == 0)
    watch.drain()
  }

  /// Creates and deletes a file, as a program does that keeps its own files in the cache.
  func createAndDelete(_ file: String) {
    let created = open(path.appending(file).string, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    #expect(created >= 0)
    close(created)
    delete(Array(file.utf8))
  }

  func content(_ file: [UInt8]) -> String? {
    (try? FileDescriptor.readAll(at: path.appending(bytes: file))).map { String(decoding: $0, as: UTF8.self) }
  }
}

// Inside that suite, because the bridge has one thread and tests of two suites run at the same time.
extension SessionFilesTests {
  @Suite("Session files of a home while another program deletes files")
  @LoopActor
  struct HomeCacheTests {
    private let home: HomeOfOneCache
    private let gone = Array("tasks/gone.json".utf8)
    private let file = Array("tasks/a.json".utf8)

    init() throws {
      var template = Array("/tmp/cachesync-XXXXXX".utf8CString)
      _ = try #require(mkdtemp(&template))
      home = try HomeOfOneCache(FilePath(platformString: template))
    }

    @Test("Changes are written in the order in which they arrived, even those that were held back after a deletion")
    func order() throws {
      try home.apply((gone, 1, "gone"), (file, 1, "one"))
      home.delete(gone)
      home.advance(by: .milliseconds(400))
      try home.apply((file, 2, "older"))
      #expect(home.content(file) == "one", "held for half a second")
      // The deletion is more than half a second ago now, but the older change is still held.
      home.advance(by: .milliseconds(200))
      try home.apply((file, 3, "newer"))
      #expect(home.content(file) == "one", "held behind the older one")
      home.advance(by: .milliseconds(300))
      home.releaseHeld()
      #expect(home.content(file) == "newer")
    }

    @Test("A change is held until half a second after the last deletion, and not a nanosecond longer")
    func stillness() throws {
      try home.apply((gone, 1, "gone"), (file, 1, "one"))
      home.delete(gone)
      home.advance(by: .milliseconds(500) - .nanoseconds(1))
      try home.apply((file, 2, "two"))
      home.releaseHeld()
      #expect(home.content(file) == "one")
      home.advance(by: .nanoseconds(1))
      home.releaseHeld()
      #expect(home.content(file) == "two")
    }

    @Test("Held changes are released by themselves")
    func alarm() async throws {
      try home.apply((gone, 1, "gone"), (file, 1, "one"))
      home.delete(gone)
      try home.apply((file, 2, "two"))
      home.advance(by: .milliseconds(500))
      #expect(home.content(file) == "one")
      await home.wait(for: "two", of: file)
      #expect(home.content(file) == "two")
    }

    @Test("Changes are held back after a deletion also in a directory whose name is not UTF-8")
    func anyBytes() throws {
      let directory = Array("tasks/".utf8) + [0xFF]
      let (gone, file) = (directory + Array("/gone.json".utf8), directory + Array("/a.json".utf8))
      try home.apply((gone, 1, "gone"), (file, 1, "one"))
      home.delete(gone)
      try home.apply((file, 2, "two"))
      #expect(home.content(file) == "one")
      home.advance(by: .milliseconds(500))
      home.releaseHeld()
      #expect(home.content(file) == "two")
    }

    @Test("Changes are written after ten seconds, even while a program deletes files all the time")
    func deletions() throws {
      try home.apply((file, 1, "one"))
      home.createAndDelete("tasks/own.json")
      try home.apply((file, 2, "two"))
      // Each half second, the held change is released, and a file was deleted a moment ago.
      for round in 1...20 {
        #expect(home.content(file) == "one", "\(round) half seconds")
        home.advance(by: .milliseconds(500))
        home.createAndDelete("tasks/own.json")
        home.releaseHeld()
      }
      #expect(home.content(file) == "two")
    }
  }
}
