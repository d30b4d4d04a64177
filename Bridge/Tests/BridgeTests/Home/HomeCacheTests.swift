import CacheSyncSystem
import Glibc
import Logging
import SystemPackage
import Testing

@testable import CacheSyncBridge

/// A home with one of its caches, without an engine.
@LoopActor
private final class HomeOfOneCache {
  let path: FilePath
  /// How often held changes were released.
  private(set) var releases = 0

  init(_ path: FilePath) { self.path = path }

  func cache() throws -> HomeCache {
    let name = try #require(CacheName("kitchen"))
    let cache = HomeCache(
      name: name, path: path, watch: try DirectoryWatch {}, troubles: Troubles(Logger(label: "test"))
    ) { [weak self] cache, news in
      guard case .released(let changes) = news else { return }
      self?.releases += 1
      _ = cache.apply(changes)
    }
    cache.look()
    return cache
  }

  func change(_ path: String, _ version: Int64, _ text: String) throws -> SessionFiles.Change {
    try change(Array(path.utf8), version, text)
  }

  func change(_ path: [UInt8], _ version: Int64, _ text: String) throws -> SessionFiles.Change {
    let name = try #require(CacheName("kitchen"))
    return SessionFiles.Change(
      key: try #require(SessionKey(cache: name, path: path)), version: version, isPutBack: false,
      content: .file(Array(text.utf8), modified: version))
  }

  func isPresent(_ name: [UInt8]) -> Bool {
    path.appending(bytes: name).withPlatformString { access($0, F_OK) } == 0
  }

  func content(_ name: String) -> String? {
    (try? FileDescriptor.readAll(at: path.appending(name))).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Checks until a condition is true, and gives up after this time.
  func wait(seconds: Int64, until condition: () -> Bool) async {
    let end = Uptime.now().nanoseconds + seconds * 1_000_000_000
    while !condition(), Uptime.now().nanoseconds < end { await LoopActor.sleep(.milliseconds(10)) }
  }
}

// Inside that suite, because the bridge has one thread and tests of two suites run at the same time.
extension SessionFilesTests {
  @Suite("Session files of a home while another program deletes files")
  struct HomeCacheTests {
    private let path: FilePath

    init() throws {
      var template = Array("/tmp/cachesync-XXXXXX".utf8CString)
      _ = try #require(mkdtemp(&template))
      path = FilePath(platformString: template)
    }

    @Test("Changes are written in the order in which they arrived, even those that were held back after a deletion")
    func order() throws {
      let found = try LoopActor.run { [path] in
        let home = HomeOfOneCache(path)
        let cache = try home.cache()
        _ = cache.apply([try home.change("tasks/gone.json", 1, "gone"), try home.change("tasks/a.json", 1, "one")])
        unlink(home.path.appending("tasks/gone.json").string)
        // Half a second after the deletion is between the next two changes. The older one is held for longer than that.
        await LoopActor.sleep(.milliseconds(400))
        _ = cache.apply([try home.change("tasks/a.json", 2, "older")])
        await LoopActor.sleep(.milliseconds(200))
        _ = cache.apply([try home.change("tasks/a.json", 3, "newer")])
        await home.wait(seconds: 5) { home.releases > 0 && home.content("tasks/a.json") != "one" }
        return home.content("tasks/a.json")
      }
      #expect(found == "newer")
    }

    @Test("Changes are held back after a deletion also in a directory whose name is not UTF-8")
    func anyBytes() throws {
      let releases = try LoopActor.run { [path] in
        let home = HomeOfOneCache(path)
        let cache = try home.cache()
        let directory = Array("tasks/".utf8) + [0xFF]
        let (gone, kept) = (directory + Array("/gone.json".utf8), directory + Array("/a.json".utf8))
        // A busy machine may need longer than the time for which a change is held; then another round shows it.
        for round in 1...20 where home.releases == 0 {
          _ = cache.apply([try home.change(gone, Int64(round), "gone")])
          await home.wait(seconds: 5) { home.isPresent(gone) || home.releases > 0 }
          _ = home.path.appending(bytes: gone).withPlatformString { unlink($0) }
          await LoopActor.sleep(.milliseconds(50))
          _ = cache.apply([try home.change(kept, Int64(round), "\(round)")])
          await home.wait(seconds: 1) { home.releases > 0 }
        }
        return home.releases
      }
      #expect(releases > 0)
    }

    @Test("Changes are written after some seconds, even while a program deletes files all the time")
    func deletions() throws {
      let found = try LoopActor.run { [path] in
        let home = HomeOfOneCache(path)
        let cache = try home.cache()
        _ = cache.apply([try home.change("tasks/a.json", 1, "one")])
        var isHeld = false
        let end = Uptime.now().nanoseconds + 20_000_000_000
        while home.content("tasks/a.json") != "two", Uptime.now().nanoseconds < end {
          close(open(home.path.appending("tasks/own.json").string, O_CREAT | O_WRONLY, 0o600))
          unlink(home.path.appending("tasks/own.json").string)
          if !isHeld { _ = cache.apply([try home.change("tasks/a.json", 2, "two")]) }
          isHeld = true
          await LoopActor.sleep(.milliseconds(100))
        }
        return home.content("tasks/a.json")
      }
      #expect(found == "two")
    }
  }
}
