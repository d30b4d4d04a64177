import CacheSync
import Foundation
import Glibc
import Synchronization

/// Readers that read everything under `snapshots/` as fast as they can and write down what must never happen.
final class ReaderLoop: Sendable {
  private struct State {
    var isEnding = false
    var running = 0
    var reads = 0
    var faults: [String] = []
    /// The content that each generation of each file stands for.
    var contents: [String: [Int: Int]] = [:]
  }

  private let state = Mutex(State())
  private let directory: String

  /// - Parameter allowingAbsence: whether the directory may go, as when the cache is deleted.
  init(_ cache: TestCache, readers: Int) {
    directory = cache.at("snapshots")
    for _ in 0..<readers {
      state.withLock { $0.running += 1 }
      Thread.detachNewThread { self.loop() }
    }
  }

  private func loop() {
    var greatest: [String: Int] = [:]
    while !state.withLock({ $0.isEnding }) {
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter {
        $0.hasSuffix(".json")
      }
      for name in Set(names).union(greatest.keys) { read(name, &greatest) }
      if names.isEmpty { usleep(1000) }
    }
    state.withLock { $0.running -= 1 }
  }

  private func read(_ name: String, _ greatest: inout [String: Int]) {
    guard let bytes = TestCache.read("\(directory)/\(name)") else { return note("\(name) is missing") }
    guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
      let generation = value["generation"] as? Int
    else { return note("\(name) is torn: \(bytes.count) bytes") }
    if let before = greatest[name], generation < before { note("\(name) went back from \(before) to \(generation)") }
    greatest[name] = generation
    let hash = bytes.hashValue
    state.withLock { state in
      state.reads += 1
      let known = state.contents[name, default: [:]].updateValue(hash, forKey: generation)
      if let known, known != hash { state.faults.append("\(name): generation \(generation) stands for two contents") }
    }
  }

  private func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  /// Ends the readers; returns how much they read and what was wrong.
  func end() -> (reads: Int, faults: [String]) {
    state.withLock { $0.isEnding = true }
    while state.withLock({ $0.running }) > 0 { usleep(1000) }
    return state.withLock { ($0.reads, $0.faults) }
  }
}

/// Something that goes on in the background until it is ended.
final class Churn: Sendable {
  private let state = Mutex((isEnding: false, isRunning: true, rounds: 0))

  init(_ step: @escaping @Sendable (Int) -> Void) {
    Thread.detachNewThread {
      var round = 0
      while !self.state.withLock({ $0.isEnding }) {
        step(round)
        round += 1
      }
      self.state.withLock { $0 = (true, false, round) }
    }
  }

  @discardableResult
  func end() -> Int {
    state.withLock { $0.isEnding = true }
    while state.withLock({ $0.isRunning }) { usleep(1000) }
    return state.withLock { $0.rounds }
  }
}
