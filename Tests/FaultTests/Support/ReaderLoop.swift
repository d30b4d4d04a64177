import CacheSync
import CacheSyncSystem
import Foundation
import Glibc
import Synchronization

/// Repeats a step in the background until `end()` is called or the last reference is released, so that a test that
/// throws leaves no thread behind.
final class Churn: Sendable {
  /// The state that the threads refer to. They do not refer to the churn itself.
  private final class State: Sendable {
    let flags = Mutex((isEnding: false, running: 0, rounds: 0))

    var isEnding: Bool { flags.withLock { $0.isEnding } }
  }

  private let state = State()

  /// - Parameter start: makes the step of one thread, which is then called with 0, 1, 2…
  init(threads: Int = 1, _ start: () -> (@Sendable (Int) -> Void)) {
    for _ in 0..<threads {
      let (state, step) = (state, start())
      state.flags.withLock { $0.running += 1 }
      Thread.detachNewThread {
        var round = 0
        while !state.isEnding {
          step(round)
          round += 1
        }
        state.flags.withLock {
          $0.running -= 1
          $0.rounds += round
        }
      }
    }
  }

  convenience init(_ step: @escaping @Sendable (Int) -> Void) { self.init { step } }

  deinit { end() }

  /// Ends the threads, waits for the current rounds, and returns how many rounds there were.
  @discardableResult
  func end() -> Int {
    state.flags.withLock { $0.isEnding = true }
    while state.flags.withLock({ $0.running }) > 0 { usleep(1000) }
    return state.flags.withLock { $0.rounds }
  }
}

/// Readers that read everything below `snapshots/` again and again, and record what must never happen.
final class ReaderLoop: Sendable {
  private final class Findings: Sendable {
    struct State {
      var reads = 0
      var faults: [String] = []
      /// The content of each generation of each file.
      var contents: [String: [Int: Int]] = [:]
    }

    let state = Mutex(State())
  }

  /// What a reader last read of each file.
  private typealias LastRead = [String: (bytes: Data, generation: Int)]

  private let findings = Findings()
  private let threads: Churn

  init(_ cache: TestCache, readers: Int) {
    let (directory, findings) = (cache.at("snapshots"), findings)
    threads = Churn(threads: readers) {
      let last = Mutex<LastRead>([:])
      return { _ in last.withLock { Self.readAll(directory, &$0, findings) } }
    }
  }

  /// How many files have been read so far.
  var reads: Int { findings.state.withLock { $0.reads } }

  private static func readAll(_ directory: String, _ last: inout LastRead, _ findings: Findings) {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter {
      $0.hasSuffix(".json")
    }
    for name in Set(names).union(last.keys) {
      guard let fault = read(name, in: directory, &last, findings) else { continue }
      findings.state.withLock { $0.faults.append(fault) }
    }
    // Even so, four readers read some ten thousand files a second. Without a pause they would take the processors from
    // tests that run in parallel.
    usleep(UInt32(250 * max(4, names.count)))
  }

  /// Reads one file and returns what is wrong with it.
  private static func read(
    _ name: String, in directory: String, _ last: inout LastRead, _ findings: Findings
  ) -> String? {
    guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)") else { return "\(name) is missing" }
    let before = last[name]
    // The bytes are the same as this reader found valid a moment ago, so generation and content are the same.
    if let before, before.bytes == bytes {
      findings.state.withLock { $0.reads += 1 }
      return nil
    }
    guard let value = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let generation = value["generation"] as? Int
    else { return "\(name) is torn: \(bytes.count) bytes" }
    last[name] = (bytes, generation)
    let hash = [UInt8](bytes).hashValue
    let known = findings.state.withLock { state in
      state.reads += 1
      return state.contents[name, default: [:]].updateValue(hash, forKey: generation)
    }
    if let before, generation < before.generation {
      return "\(name) went back from \(before.generation) to \(generation)"
    }
    return known.map { $0 == hash } ?? true ? nil : "\(name): generation \(generation) stands for two contents"
  }

  /// Ends the readers, and returns how much they read and what was wrong.
  func end() -> (reads: Int, faults: [String]) {
    threads.end()
    return findings.state.withLock { ($0.reads, $0.faults) }
  }
}
