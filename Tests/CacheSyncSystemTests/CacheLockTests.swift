import CacheSyncSystem
import Foundation
import Glibc
import Testing

@Suite struct CacheLockTests {
  @Test(
    "A lock has one holder, which can be queried, and none after it is released",
    arguments: [CacheLock.Holder.agent, .bridge, .sync])
  func holders(holder: CacheLock.Holder) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let directory = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    #expect(CacheLock.holder(in: directory) == nil)
    do {
      let lock = try CacheLock(in: directory, as: holder)
      #expect(CacheLock.holder(in: directory) == holder)
      for other in [CacheLock.Holder.agent, .bridge, .sync] {
        #expect(throws: CacheLock.Failure.held(by: holder)) { _ = try CacheLock(in: directory, as: other) }
      }
      #expect(lock.isLinked)
      try FileManager.default.removeItem(at: folder.appendingPathComponent("lock"))
      #expect(!lock.isLinked)
    }
    #expect(CacheLock.holder(in: directory) == nil)
  }
}
