import Foundation
import SystemPackage
import Testing

@testable import CacheSyncPage

@Suite("A key file")
final class KeyFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cachesync-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("key").path }
  private var file: KeyFile { KeyFile(path: FilePath(path)) }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ text: String, mode: Int = 0o600) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test("A key file is created for its owner only, and later gives the same key")
  func made() throws {
    let key = try file.key()
    #expect(RandomKey.isKey(key))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try file.key() == key)
  }

  @Test("A missing directory is created for its owner only")
  func directory() throws {
    let file = KeyFile(path: FilePath(folder.appendingPathComponent("config/cachesync/key").path))
    let key = try file.key()
    #expect(try file.key() == key)
    for made in ["config", "config/cachesync"] {
      let place = folder.appendingPathComponent(made).path
      let mode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
      #expect(mode == 0o700)
    }
  }

  @Test(
    "A file without a valid key is refused",
    arguments: ["", "\n", "0123", String(repeating: "g", count: 32), String(repeating: "0", count: 33)])
  func noKey(text: String) throws {
    try write(text)
    let failure = #expect(throws: KeyFile.Failure.self) { try file.key() }
    #expect(failure?.isPermission == false)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test("A key file that others may read is refused")
  func open() throws {
    try write(String(repeating: "0", count: 32), mode: 0o640)
    let failure = #expect(throws: KeyFile.Failure.self) { try file.key() }
    #expect(failure?.isPermission == true)
  }
}
