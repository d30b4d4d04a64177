import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

/// Definitions for all caches, `--feeds DIR`.
@Suite struct SharedDefinitionsTests {
  private let directory: TemporaryCache
  private let cache: TemporaryCache

  init() throws {
    directory = try TemporaryCache()
    cache = try TemporaryCache()
  }

  private func definition(of kind: String, files: String? = nil, text: String = "{count}") -> String {
    let claim = files.map { "\"files\":\"\($0)\"," } ?? ""
    return """
      {"version":1,\(claim)"items":{"each":"$[*]"},
      "kinds":{"\(kind)":{"show":"all","template":"table","content":{"text":"\(text)"},"items":{"n":"{index}"}}}}
      """
  }

  private func shared() throws -> SharedDefinitions { try SharedDefinitions(in: directory.path) }

  private func contents(_ shared: SharedDefinitions) throws -> CacheContents {
    var environment = cache.environment
    environment.shared = shared
    return try OneShot.contents(of: cache.path, environment: environment)
  }

  private func names(_ shared: SharedDefinitions) -> [String] { shared.current.definitions.map(\.name.description) }

  @Test("The definitions of a directory are read, and problems have absolute paths")
  func reading() throws {
    try directory.write("bins.json", definition(of: "bins"))
    try directory.write("bad.json", "{")
    try directory.write("Bad.json", definition(of: "Bad"))
    try directory.write("notes.txt", "x")
    try directory.write(".hidden.json", "{")
    try directory.write("large.json", String(repeating: " ", count: 70_000))
    #expect(mkfifo(directory.file("fifo.json").path, 0o600) == 0)
    let shared = try shared()
    #expect(names(shared) == ["bins"])
    let files = shared.current.problems.map { $0.path?.description ?? "" }
    #expect(files == ["Bad", "bad", "fifo", "large"].map { "\(shared.directory)/\($0).json" }, "\(files)")
  }

  @Test("Conflict copies of definitions cause warnings and are not read")
  func conflictCopies() throws {
    let copies = ["bins (conflicted copy 2026-11-24 101500).json", "bins.json.conflict1"]
    try directory.write("bins.json", definition(of: "bins"))
    for copy in copies { try directory.write(copy, definition(of: "others")) }
    try directory.write(".bins (conflicted copy 2026-11-24 101500).json", definition(of: "others"))
    try directory.write("notes.sync-conflict-20261124-101500-ABCDEF7.txt", "x")
    let shared = try shared()
    #expect(names(shared) == ["bins"])
    let expected = copies.map { copy in
      "\(shared.directory)/\(copy): a sync tool's conflict copy of 'bins.json', not read: merge it into that one, then delete it"
    }
    func texts(_ problems: [Problem]) -> [String] {
      problems.filter { $0.severity == .warning }.map { "\($0.path?.description ?? ""): \($0.message)" }
    }
    #expect(texts(shared.current.problems) == expected)
    let contents = try contents(shared)
    #expect(texts(contents.allProblems(at: contents.moment(at: .now)).map(\.problem)) == expected)
    #expect(shared.read(isPatient: true).isEmpty, "they are no reason to look again")
    try FileManager.default.removeItem(at: directory.file(copies[0]))
    shared.read(isPatient: true)
    #expect(texts(shared.current.problems) == Array(expected.dropFirst()))
  }

  @Test("A bad or missing file keeps its definition until the second look; a bad one is then a problem")
  func patience() throws {
    try directory.write("a.json", definition(of: "a"))
    try directory.write("b.json", definition(of: "b"))
    let shared = try shared()
    #expect(shared.read(isPatient: true).isEmpty, "nothing is open")
    try directory.write("a.json", "{")
    try FileManager.default.removeItem(at: directory.file("b.json"))
    let unsettled = shared.read(isPatient: true)
    #expect(Set(unsettled.keys.map(\.description)) == Set(["a", "b"].map { "\(shared.directory)/\($0).json" }))
    #expect(shared.read(isPatient: true) == unsettled, "the files are the same")
    try directory.write("a.json", "{ ")
    #expect(shared.read(isPatient: true) != unsettled, "one was written again")
    #expect(names(shared) == ["a", "b"] && shared.current.problems.isEmpty)
    shared.read(isPatient: false)
    #expect(names(shared) == ["a"] && shared.current.problems.count == 1)
    #expect(shared.read(isPatient: true).isEmpty, "what was found bad before is not waited for")
    try directory.write("a.json", definition(of: "a", text: "x"))
    #expect(shared.read(isPatient: true).isEmpty)
    #expect(shared.current.problems.isEmpty)
  }

  @Test("If both define a feed with the same name, the cache's own definition wins")
  func ownFirst() throws {
    try directory.write("a.json", definition(of: "a"))
    try directory.write("b.json", "{")
    try cache.write("feeds/a.json", definition(of: "a-own"))
    try cache.write("feeds/b.json", definition(of: "b"))
    let contents = try contents(try shared())
    #expect(contents.registry.definitions.flatMap { $0.kinds.map(\.name.description) } == ["a-own", "b"])
    let moment = contents.moment(at: Instant(seconds: 0))
    #expect(contents.allProblems(at: moment).isEmpty)
  }

  @Test("If a shared definition claims another feed's files, status alone reports it")
  func claimed() throws {
    try directory.write("b.json", definition(of: "b", files: "x/**"))
    try cache.write("feeds/a.json", definition(of: "a", files: "x/**"))
    try cache.write("x/1.json", "[1]")
    let shared = try shared()
    let contents = try contents(shared)
    let moment = contents.moment(at: Instant(seconds: 0))
    let problems = contents.allProblems(at: moment).map(\.problem)
    #expect(problems.map { $0.path?.description ?? "" } == ["\(shared.directory)/b.json"])
    #expect(problems.first?.message.contains("belongs to the feed a") == true)
    let kind = try #require(contents.registry.kind(named: "a"))
    #expect(contents.projector.problems(of: kind, at: moment).isEmpty)
  }

  @Test("A directory that does not exist, or is not a directory, gives exit status 66")
  func missing() throws {
    try directory.write("file", "x")
    for name in ["none", "file"] {
      let error = #expect(throws: CacheError.self) {
        try SharedDefinitions(in: directory.path.appending(name))
      }
      #expect(error?.status == .noInput)
    }
  }
}
