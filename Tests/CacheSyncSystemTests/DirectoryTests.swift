import Foundation
import Glibc
import SystemPackage
import Testing

@testable import CacheSyncSystem

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

/// "A listing can leave out a name that another program replaces meanwhile" (Directory.list).
@Suite("Listings of directories")
struct ListingTests {
  /// Lists a directory, of which a single listing has the given names in turn.
  ///
  /// - Parameter touches: whether the directory changes during each listing.
  private static func names(_ listings: [[String]], touches: Bool, age: Int) throws -> (names: [String], count: Int) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let directory = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(directory) }
    try #require(directory >= 0)
    // The change time cannot be set, so an old directory is one that was made a while ago.
    usleep(UInt32(age) * 1_000)
    var count = 0
    let found = try Directory.list(directory) { _, position throws(Errno) in
      let names = listings[min(count, listings.count - 1)]
      count += 1
      // Longer than a tick of the kernel's clock, so that the change time moves.
      if touches {
        usleep(12_000)
        mkdirat(directory, "\(count)", 0o700)
      }
      // First the whole directory, twice; then what comes after the latest position.
      #expect(count <= 2 ? position == 0 : position == Int64(count - 1))
      return (names.map { Directory.Entry(name: Array($0.utf8), type: .regular) }, Int64(count))
    }
    return (found.map { String(decoding: $0.name, as: UTF8.self) }.sorted(), count)
  }

  @Test("A directory that does not change is listed once")
  func still() throws {
    let listing = try Self.names([["a"], ["b"]], touches: false, age: 60)
    #expect(listing.names == ["a"] && listing.count == 1)
  }

  @Test("One that changes is listed again, at most sixteen times, and every name counts that a listing has")
  func changing() throws {
    let listings = (1...20).map { ["a", "\($0)"] }
    let listing = try Self.names(listings, touches: true, age: 60)
    #expect(listing.names == (["a"] + (1...16).map(String.init)).sorted() && listing.count == 16)
  }

  @Test("Every name is there once, with its latest type")
  func once() throws {
    let listing = try Self.names([["a", "b"], ["b", "c"], ["a"]], touches: true, age: 60)
    #expect(listing.names == ["a", "b", "c"])
  }
}
