import Foundation

/// The built programs as a user runs them, on a separate cache.
struct Commands {
  static let project = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  /// `make test-pictures` builds both programs in this directory.
  static let program = project.appendingPathComponent(".build/debug/cachesyncd").path

  /// A directory that is removed with this value's owner.
  final class Folder {
    let path: String

    init() throws {
      path = FileManager.default.temporaryDirectory.appendingPathComponent("render-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: file(name)))) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  }

  struct Result {
    var status: Int32
    var output: [UInt8]
    var error: String
  }

  let folder: Folder
  var cache: String { folder.file("cache") }

  /// A copy of the sample cache.
  init() throws {
    folder = try Folder()
    let sample = Self.project.appendingPathComponent("sample-cache")
    try FileManager.default.copyItem(at: sample, to: URL(fileURLWithPath: cache))
  }

  static let moment = "2026-11-21T09:30:00+01:00"

  /// `cachesyncd render …` on this cache, by default at the sample's moment.
  func render(_ words: String..., at moment: String? = Commands.moment) throws -> Result {
    try run(["render"] + words + ["--cache", cache] + (moment.map { ["--at", $0] } ?? []))
  }

  /// The names of the pictures of every kind and family that `kinds` lists, sorted.
  ///
  /// - Parameter cache: nil: this one.
  func pictures(_ format: String, in cache: String? = nil) throws -> [String] {
    struct Kinds: Decodable {
      struct Kind: Decodable { var kind: String, families: [String] }
      var kinds: [Kind]
    }
    let listed = try run(["kinds", "--json", "--cache", cache ?? self.cache])
    let kinds = try JSONDecoder().decode(Kinds.self, from: Data(listed.output)).kinds
    return kinds.flatMap { kind in kind.families.map { "\(kind.kind)-\($0).\(format)" } }.sorted()
  }

  func run(_ words: [String], program: String = Commands.program) throws -> Result {
    let process = try start(words, program: program)
    let output = (process.standardOutput as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
    let error = (process.standardError as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: [UInt8](output), error: String(decoding: error, as: UTF8.self))
  }

  /// - Parameter errors: a file for standard error while it runs, or nil if it is read at the end.
  func start(_ words: [String], program: String = Commands.program, errors: String? = nil) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    process.standardOutput = Pipe()
    process.standardError = Pipe()
    if let errors {
      try Data().write(to: URL(fileURLWithPath: errors))
      process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    }
    try process.run()
    return process
  }

  /// Whether a condition becomes true within half a minute.
  static func holds(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      if try condition() { return true }
      usleep(20_000)
    }
    return try condition()
  }
}
