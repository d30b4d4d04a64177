import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// Checks whether a pool's agent works, in the way any producer or reader could. The bridge renames a session file into
/// a cache of its own, and the agent must publish.
@LoopActor
final class AgentAnswers {
  private let directory: PoolDirectory
  private let watch: DirectoryWatch
  private let troubles: Troubles
  private let answered: @LoopActor () -> Void
  private var token: DirectoryWatch.Token?
  /// The generation of the last publication that was found.
  private var generation: Int?

  /// - Parameter answered: called at every publication.
  init(
    _ directory: PoolDirectory, watch: DirectoryWatch, troubles: Troubles, answered: @escaping @LoopActor () -> Void
  ) {
    self.directory = directory
    self.watch = watch
    self.troubles = troubles
    self.answered = answered
    // An earlier publication does not prove that the agent works now.
    generation = publishedGeneration
  }

  /// Asks once more. An answer also covers all earlier questions.
  func ask() {
    follow()
    // For publications without an event, for example while this program was stopped.
    look()
    do throws(Errno) {
      let (parent, name) = try FileCall.parent(of: Self.path("tasks/question.json"), in: directory.root, making: true)
      defer { close(parent) }
      // The contract ignores names that begin with a dot.
      let temporary = ".question"
      try FileCall.write(Self.question, as: Array(temporary.utf8), in: parent, mode: 0o666)
      try FileCall.check(FileCall.withName(name) { renameat(parent, temporary, parent, $0) })
      troubles.record("question", nil)
    } catch {
      let path = EscapedText.forPeople(directory.path)
      troubles.record("question", "cannot ask the agent of \(path) whether it works: \(error)")
    }
  }

  /// A session of tasks with a title that the agent has not seen before.
  private nonisolated static var question: [UInt8] {
    let task: TextMap<JSONValue> = [
      "id": .integer(1), "title": .string("\(Uptime.now().nanoseconds)"), "completed": .bool(false),
      "createdAt": .string("2026-01-01T00:00:00Z"),
    ]
    return JSONValue.object(["lastUpdate": .string("2026-01-01T00:00:00Z"), "tasks": .array([.object(task)])]).bytes
  }

  private nonisolated static func path(_ below: String) -> [UInt8] { Array("\(PoolDirectory.ownCache)/\(below)".utf8) }

  private func follow() {
    guard token == nil else { return }
    token = try? watch.watch(directory.path.appending(PoolDirectory.ownCache).appending("snapshots")) {
      [weak self] event in
      if event.has(IN_IGNORED) { self?.token = nil }
      if event.has(IN_MOVED_TO), event.name == Array("manifest.json".utf8) { self?.look() }
    }
  }

  private func look() {
    guard let found = publishedGeneration, found != generation else { return }
    generation = found
    answered()
  }

  private var publishedGeneration: Int? {
    let manifest = try? FileCall.readDated(at: Self.path("snapshots/manifest.json"), in: directory.root)
    return manifest.flatMap { JSONValue($0.bytes)?["generation"]?.int }
  }
}
