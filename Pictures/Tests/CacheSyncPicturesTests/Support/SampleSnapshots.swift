import CacheSync
import Foundation
import Testing

/// The snapshots of the sample cache at one moment, as the agent's program computes them.
enum SampleSnapshots {
  static let project = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  /// A Saturday morning with data of every feed.
  static let moment = "2026-11-21T09:30:00+01:00"

  static let all: [Snapshot] = {
    do { return try computed() } catch { preconditionFailure("\(error)") }
  }()

  static func snapshot(_ kind: String) throws -> Snapshot {
    try #require(all.first { $0.kind == kind }, "the sample cache has every kind")
  }

  /// Every kind with every family that it names.
  static let pictures: [(kind: String, family: ViewFamily)] = KnownKind.all.flatMap { kind in
    kind.families.map { (kind.name, $0) }
  }

  private static func computed() throws -> [Snapshot] {
    let cache = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: cache) }
    try FileManager.default.copyItem(at: project.appendingPathComponent("sample-cache"), to: cache)
    // The tasks feed uses a file's time if the app's file has no date.
    let midnight = Date(timeIntervalSince1970: 1_795_215_600)
    for case let file as URL in FileManager.default.enumerator(at: cache, includingPropertiesForKeys: nil)! {
      try FileManager.default.setAttributes([.modificationDate: midnight], ofItemAtPath: file.path)
    }
    let program = Process()
    // make test-pictures builds it first.
    program.executableURL = project.appendingPathComponent(".build/debug/cachesyncd")
    program.arguments = [
      "show", "--json", "--cache", cache.path, "--at", moment, "--time-zone", "Europe/Berlin",
    ]
    let output = Pipe()
    program.standardOutput = output
    try program.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    program.waitUntilExit()
    return try Snapshot.computed(Array(bytes))
  }
}
