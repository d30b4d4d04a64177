import CacheSyncSystem
import Foundation
import SystemPackage
import Testing

@Suite("Directories")
struct DirectoryTests {
  @Test("A rename without replacing moves a file to a free name, and leaves both files when the name is used")
  func renameWithoutReplacing() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    func content(_ name: String) -> String? {
      try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    let directory = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(directory) }
    try #require(directory >= 0)

    try write("first", "a")
    try Directory.renameWithoutReplacing("a", in: directory, to: Array("b".utf8), in: directory)
    #expect(content("a") == nil)
    #expect(content("b") == "first")

    try write("second", "a")
    #expect(throws: Errno.fileExists) {
      try Directory.renameWithoutReplacing("a", in: directory, to: Array("b".utf8), in: directory)
    }
    #expect(content("a") == "second")
    #expect(content("b") == "first")
  }
}
