import CacheSync
@testable import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

/// How a watcher reacts to events that a test scripts.
@Suite("A cache's watcher")
@LoopActor
struct CacheWatcherTests {
  private let watcher: CacheWatcher
  private let clock = ManualClock()
  private let notifications = Journal()

  init() {
    watcher = CacheWatcher(layout: FeedRegistry.builtIn.layout, uptime: clock) { [notifications] in
      notifications.add("news")
    }
  }

  /// Plays an event of the entry at a path, or of the cache itself.
  private func play(_ flag: some BinaryInteger, _ path: String, isDirectory: Bool = false, cookie: UInt32 = 0) {
    let mask = UInt32(truncatingIfNeeded: flag) | (isDirectory ? UInt32(IN_ISDIR) : 0)
    let slash = path.lastIndex(of: "/")
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    let event = InotifyEvent(watch: 1, mask: mask, cookie: cookie, name: Array(name.utf8))
    watcher.receive(event, in: slash.map { CachePath(String(path[..<$0])) } ?? .root)
  }

  /// Plays an event of a watched directory itself.
  private func play(_ flag: some BinaryInteger, aboutItself directory: CachePath) {
    let mask = UInt32(truncatingIfNeeded: flag)
    watcher.receive(InotifyEvent(watch: 1, mask: mask, cookie: 0, name: []), in: directory)
  }

  @Test(
    "Any event of a session file notes the file's name",
    arguments: [IN_CREATE, IN_CLOSE_WRITE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE].map { UInt32($0) })
  func files(flag: UInt32) {
    play(flag, "tasks/a.json")
    let news = watcher.claimNews()
    #expect(news.files == [CachePath("tasks/a.json")] && news.movedFiles.isEmpty && news.directories.isEmpty)
    #expect(notifications.lines.count == 1 && watcher.claimNews().isEmpty, "claimed once")
  }

  @Test("Every event is reported, and the news has the time of the first event since the last claim")
  func time() {
    play(IN_CLOSE_WRITE, "tasks/a.json")
    let first = clock.now()
    clock.advance(by: .milliseconds(5))
    play(IN_CLOSE_WRITE, "tasks/b.json")
    #expect(notifications.lines.count == 2)
    #expect(watcher.claimNews().receivedAt == first)
    watcher.overflowed()
    let news = watcher.claimNews()
    #expect(news.overflow && news.receivedAt == clock.now() && notifications.lines.count == 3)
  }

  @Test("Only renames between two paths of sessions are joined to a move")
  func renames() {
    play(IN_MOVED_FROM, "tasks/a.json", cookie: 1)
    play(IN_MOVED_TO, "events/b.json", cookie: 1)
    #expect(watcher.claimNews().movedFiles == [CachePath("tasks/a.json")])
    // An editor's backup: the file may come back.
    play(IN_MOVED_FROM, "tasks/a.json", cookie: 2)
    play(IN_MOVED_TO, "tasks/a.json~", cookie: 2)
    #expect(watcher.claimNews().movedFiles.isEmpty)
    play(IN_MOVED_FROM, "tasks/a.json", cookie: 3)
    play(IN_MOVED_TO, "tasks/b.json", cookie: 4)
    #expect(watcher.claimNews().movedFiles.isEmpty, "two renames")
    play(IN_MOVED_FROM, "tasks/a.json", cookie: 5)
    _ = watcher.claimNews()
    play(IN_MOVED_TO, "tasks/b.json", cookie: 5)
    #expect(watcher.claimNews().movedFiles.isEmpty, "the first half was claimed")
  }

  @Test("New directories are noted for a walk, and removed ones together with their contents")
  func directories() {
    watcher.poll(CachePath("tasks/a/b"), because: "a reason")
    play(IN_CREATE, "tasks/new", isDirectory: true)
    play(IN_DELETE, "tasks/old", isDirectory: true)
    play(IN_MOVED_FROM, "tasks/a", isDirectory: true, cookie: 1)
    play(IN_MOVED_TO, "events/a", isDirectory: true, cookie: 1)
    let news = watcher.claimNews()
    #expect(news.directories == [CachePath("tasks/new"), CachePath("events/a")])
    #expect(news.goneDirectories == [CachePath("tasks/old"), CachePath("tasks/a")])
    #expect(news.movedDirectories == [CachePath("tasks/a")])
    #expect(watcher.polled.isEmpty, "what was below a directory that moved is not polled there any more")
    play(IN_CREATE, "elsewhere", isDirectory: true)
    #expect(watcher.claimNews().isEmpty)
  }

  @Test("Settings, conflict copies, possible links and other files are noted separately")
  func otherNames() {
    play(IN_CLOSE_WRITE, "cachesync.json")
    #expect(watcher.claimNews().settings)
    let copy = "tasks/a.sync-conflict-20261121-120000-ABCDEFG.json"
    play(IN_CREATE, copy)
    let copies = watcher.claimNews()
    #expect(copies.possibleCopies == [CachePath(copy)] && copies.files.isEmpty)
    // A link may lead to a directory of sessions; an event that a file was written is never a link's.
    play(IN_CREATE, "tasks/sub")
    #expect(watcher.claimNews().possibleLinks == [CachePath("tasks/sub")])
    notifications.clear()
    play(IN_CLOSE_WRITE, "tasks/sub")
    play(IN_CLOSE_WRITE, "note.txt")
    #expect(watcher.claimNews().isEmpty && notifications.lines.isEmpty)
    #expect(watcher.reportOtherFiles(true) && !watcher.reportOtherFiles(true), "a change, and none")
    play(IN_CLOSE_WRITE, "note.txt")
    #expect(watcher.claimNews().otherFiles)
  }

  @Test(
    "Touches of the agent's own directory are counted, others' are questions, and its loss and the cache's are noted")
  func ownDirectory() {
    watcher.expectsTouch(true)
    play(IN_ATTRIB, ".cachesync", isDirectory: true)
    #expect(watcher.touchCount == 1 && watcher.claimNews().isEmpty && notifications.lines.isEmpty)
    watcher.expectsTouch(false)
    play(IN_ATTRIB, ".cachesync", isDirectory: true)
    #expect(watcher.touchCount == 2 && watcher.claimNews().isAsked && !watcher.claimNews().isAsked)
    play(IN_DELETE, ".cachesync", isDirectory: true)
    #expect(watcher.claimNews().stateIsGone)
    play(IN_MOVED_FROM, ".cachesync", isDirectory: true)
    #expect(watcher.claimNews().stateIsGone)
    play(IN_MOVE_SELF, aboutItself: .root)
    #expect(watcher.claimNews().rootMayBeLost)
    play(IN_DELETE_SELF, aboutItself: CachePath("tasks"))
    let news = watcher.claimNews()
    #expect(!news.rootMayBeLost && news.goneDirectories == [CachePath("tasks")])
  }

  @Test("Directories that can be watched are watched, others are polled with a reason, and both can be removed")
  func watches() throws {
    let cache = try TemporaryCache()
    try cache.write("tasks/a.json", "")
    let directory = open(cache.file("tasks").path, O_RDONLY | O_CLOEXEC)
    let file = open(cache.file("tasks/a.json").path, O_RDONLY | O_CLOEXEC)
    defer { for descriptor in [directory, file] { close(descriptor) } }
    let (tasks, events) = (CachePath("tasks"), CachePath("events"))
    watcher.watch(tasks, directory)
    watcher.watch(events, file)
    #expect(watcher.watchCount == 1 && watcher.directories == [tasks, events])
    #expect(watcher.polled == [events: "it cannot be watched: \(Errno.notDirectory)"])
    watcher.watch(events, directory)
    #expect(watcher.watchCount == 2 && watcher.polled.isEmpty, "it can be watched after all")
    watcher.remove([events])
    #expect(watcher.directories == [tasks])
    watcher.stop()
    #expect(watcher.directories.isEmpty)
  }

  @Test("Only what leaves snapshots is news there")
  func outputs() {
    play(IN_MOVED_TO, "snapshots/a.json")
    #expect(watcher.claimNews().isEmpty && notifications.lines.isEmpty)
    for flag in [IN_DELETE, IN_MOVED_FROM].map({ UInt32($0) }) {
      play(flag, "snapshots/a.json")
      let news = watcher.claimNews()
      #expect(news.outputsRemoved && news.hasRemovals && news.goneDirectories.isEmpty && news.files.isEmpty)
    }
    play(IN_DELETE_SELF, aboutItself: CachePath("snapshots"))
    let news = watcher.claimNews()
    #expect(news.outputsRemoved && news.goneDirectories.isEmpty && !watcher.watchesOutputs)
    play(IN_DELETE, "tasks/a.json")
    #expect(watcher.claimNews().hasRemovals)
    play(IN_CLOSE_WRITE, "tasks/a.json")
    #expect(!watcher.claimNews().hasRemovals)
  }
}
