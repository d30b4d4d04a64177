import CacheSync
@testable import CacheSyncAgent
import CacheSyncSystem
import Foundation
import Glibc
import Testing
import TestSupport

@Suite("The table of watches and their listeners")
struct WatchTableTests {
  private final class Listener: InotifyListener {
    let received = Journal()

    func receive(_ event: InotifyEvent, in directory: CachePath) { received.add("\(directory)") }

    func overflowed() {}
  }

  private final class OpenFile {
    let raw: Int32

    init(_ raw: Int32) throws {
      try #require(raw >= 0)
      self.raw = raw
    }

    deinit { close(raw) }
  }

  private let cache: TemporaryCache
  private let table = WatchTable()
  private let instance: OpenFile
  private let a = CachePath("a")
  private let b = CachePath("b")

  init() throws {
    cache = try TemporaryCache()
    instance = try OpenFile(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
    table.use(instance.raw)
  }

  private func open(_ name: String) throws -> OpenFile {
    try FileManager.default.createDirectory(at: cache.file(name), withIntermediateDirectories: true)
    return try OpenFile(Glibc.open(cache.file(name).path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// How many watches the kernel has for the instance, independent of the table (proc_pid_fdinfo(5)).
  private func kernelWatches() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/fdinfo/\(instance.raw)", encoding: .utf8)
    return text.split(separator: "\n").count { $0.hasPrefix("inotify ") }
  }

  private func directories(of watch: Int32, mask: UInt32 = 0) -> [CachePath] {
    table.entries(for: InotifyEvent(watch: watch, mask: mask, cookie: 0, name: [])).map(\.directory)
  }

  @Test("Two paths of one directory share a watch, and each can be removed alone", arguments: [true, false])
  func sharedPaths(firstEndsFirst: Bool) throws {
    let listener = Listener()
    let directory = try open("d")
    let watch = try table.watch(directory.raw, as: a, for: listener)
    #expect(try table.watch(directory.raw, as: b, for: listener) == watch)
    #expect(try table.watch(directory.raw, as: a, for: listener) == watch)
    #expect(directories(of: watch) == [a, b], "each once")
    let (ended, left) = firstEndsFirst ? (a, b) : (b, a)
    table.unwatch(watch, of: ended, for: listener)
    #expect(try directories(of: watch) == [left] && kernelWatches() == 1)
    table.unwatch(watch, of: ended, for: listener)
    #expect(try directories(of: watch) == [left] && kernelWatches() == 1, "once more is nothing")
    table.unwatch(watch, of: left, for: listener)
    #expect(try directories(of: watch) == [] && kernelWatches() == 0 && table.watchCount == 0)
  }

  @Test("Two listeners of one directory share a watch, and each can be removed alone", arguments: [true, false])
  func sharedListeners(firstEndsFirst: Bool) throws {
    let listeners = [Listener(), Listener()]
    let directory = try open("d")
    let watch = try table.watch(directory.raw, as: a, for: listeners[0])
    #expect(try table.watch(directory.raw, as: a, for: listeners[1]) == watch)
    let (ended, left) = firstEndsFirst ? (listeners[0], listeners[1]) : (listeners[1], listeners[0])
    table.unwatch(watch, of: a, for: ended)
    let event = InotifyEvent(watch: watch, mask: 0, cookie: 0, name: [])
    #expect(table.entries(for: event).compactMap { $0.listener as? Listener }.map { $0 === left } == [true])
    #expect(try kernelWatches() == 1)
    table.unwatch(watch, of: a, for: left)
    #expect(try kernelWatches() == 0)
  }

  @Test("A released listener does not keep a watch after the last other listener is removed")
  func goneListener() throws {
    let directory = try open("d")
    let stays = Listener()
    var goes: Listener? = Listener()
    let watch = try table.watch(directory.raw, as: a, for: stays)
    if let goes { _ = try table.watch(directory.raw, as: b, for: goes) }
    goes = nil
    table.unwatch(watch, of: a, for: stays)
    #expect(try kernelWatches() == 0 && table.watchCount == 0)
  }

  @Test("The event that ends a watch is the last that its listener gets")
  func ignored() throws {
    let listener = Listener()
    let directory = try open("d")
    let watch = try table.watch(directory.raw, as: a, for: listener)
    #expect(directories(of: watch, mask: UInt32(IN_IGNORED)) == [a])
    #expect(directories(of: watch) == [] && table.watchCount == 0)
  }

  @Test("Watching without an inotify instance fails")
  func noInstance() throws {
    let directory = try open("d")
    #expect(throws: (any Error).self) { try WatchTable().watch(directory.raw, as: a, for: Listener()) }
  }
}
