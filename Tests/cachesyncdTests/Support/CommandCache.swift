import CacheSync
import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing

@testable import cachesyncd

/// A separate cache directory for a test, and the commands on it.
final class CommandCache {
  private let folder: TemporaryFolder
  let path: String

  /// - Parameter sessions: session files by their paths.
  init(_ sessions: [String: String] = [:], at path: String? = nil) throws {
    folder = try TemporaryFolder()
    self.path = path ?? folder.path + "/cache"
    try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
    for (name, text) in sessions { try write(name, text) }
  }

  /// The directory that contains the cache and nothing else.
  var parent: String { folder.path }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file as producers do, in one step.
  func write(_ name: String, _ text: String) throws {
    let file = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: .atomic)
  }

  /// Overwrites the beginning of a file, which needs no space on a full disk.
  func overwrite(_ name: String, _ text: String) throws {
    let file = open(file(name), O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let bytes = Array(text.utf8)
    try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
  }

  func size(_ name: String) throws -> Int {
    var about = stat()
    try #require(stat(file(name), &about) == 0)
    return Int(about.st_size)
  }

  /// When a file was written, by its modification time, because the test may check it later.
  func written(_ name: String) throws -> Instant {
    var about = stat()
    try #require(stat(file(name), &about) == 0)
    return Instant(microseconds: Int64(about.st_mtim.tv_sec) * 1_000_000 + Int64(about.st_mtim.tv_nsec) / 1_000)
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
  }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

  func names(_ directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(directory)).sorted()
  }

  func link(_ name: String, to target: String) throws { try #require(symlink(target, file(name)) == 0) }

  /// A published file as JSON.
  func published(_ name: String) throws -> JSONValue { try json(try text("snapshots/\(name).json")) }

  /// Runs a command on this cache.
  func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:], within seconds: Double = 120
  ) throws -> Outcome {
    try Program.run(arguments + ["--cache", path], input: input, environment: environment, within: seconds)
  }

  /// Starts an agent and returns when it serves the cache.
  func agent(_ arguments: String..., environment: [String: String] = [:]) throws -> Child {
    let agent = try Child(["run"] + arguments + ["--cache", path], environment: environment)
    try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil })
    try #require(agent.exitStatus() == nil, "the agent ended: \(agent.errors)")
    return agent
  }

  /// Waits until everything written is published, and returns the generation.
  ///
  /// The request comes from this process, with the code of the command `wait`: in a debug build, a process spends most
  /// of its time in the argument parser.
  ///
  /// - Parameter sweeping: whether to include changes without an event.
  @discardableResult
  func caughtUp(sweeping: Bool = false) throws -> Int {
    try WaitCommand.wait(FilePath(path), sweeping: sweeping, timeout: .seconds(60))
  }

  /// Holds the cache like another process, as long as the lock is kept.
  func lock(as holder: CacheLock.Holder) throws -> CacheLock {
    if !has(".cachesync") { try #require(mkdir(file(".cachesync"), 0o700) == 0) }
    let directory = open(file(".cachesync"), O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    return try CacheLock(in: directory, as: holder)
  }

  func status() throws -> JSONValue { try json(try run("status", "--json").output) }
}

/// One JSON document and the newline that ends it.
func json(_ text: String) throws -> JSONValue {
  try #require(text.hasSuffix("\n"))
  return try #require(Array(text.utf8).withUnsafeBytes { JSONValue.parse($0) }, "no JSON: \(text.prefix(200))")
}

extension JSONValue {
  /// The names of an object's members, in order.
  var keys: [String] { (object ?? [:]).keys.sorted() }

  var strings: [String] { (array ?? []).compactMap(\.string) }
}
