import CacheSync
@testable import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Glibc
import Testing
import TestSupport

/// Events that arrive when another directory is already watched at their path. The parent's events end its watch, so
/// the agent must watch it again; the directory's own events must not end it.
@Suite("Late events of directories")
struct LateEventsTests {
  private static let directories = ["tasks", "tasks/a", "tasks/a/b"]

  @Test(
    "If the events of a removed directory arrive after its successor is watched, every directory is still watched",
    arguments: directories, [IN_DELETE, IN_MOVED_FROM, IN_DELETE_SELF, IN_MOVE_SELF].map { UInt32($0) })
  func removal(of directory: String, flag: UInt32) throws {
    let files = Self.directories.map { "\($0)/x.json" }
    let served = try ServedTestCache(Dictionary(uniqueKeysWithValues: files.map { ($0, "[]") }))
    let watcher = try #require(served.served.open).watcher
    let path = CachePath(directory)
    let isAboutItself = flag == UInt32(IN_DELETE_SELF) || flag == UInt32(IN_MOVE_SELF)
    let name = isAboutItself ? [] : Array(path.components.last ?? [])
    let event = InotifyEvent(watch: 1, mask: flag | UInt32(IN_ISDIR), cookie: 1, name: name)
    let place = isAboutItself ? path : CachePath(directory.split(separator: "/").dropLast().joined(separator: "/"))
    LoopActor.performAndWait { watcher.receive(event, in: place) }
    served.pass()
    #expect(watcher.directories == Set(Self.directories.map { CachePath($0) } + [.root]))
    for file in files { try served.drop(file, "{") }
    served.pass()
    served.pass(after: .milliseconds(250))
    let problems = try SnapshotReader(cache: served.cache.path).snapshot("todays-tasks").problems
    #expect(problems.compactMap(\.path) == files.sorted())
  }
}
