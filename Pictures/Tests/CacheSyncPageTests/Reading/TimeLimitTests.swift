import Testing

@testable import CacheSyncPage

@Suite("A time limit")
struct TimeLimitTests {
  private struct Late: Error {}
  private struct Failed: Error {}

  @Test("gives the answer or the error of work that ends")
  func ends() async throws {
    #expect(try await withTimeLimit(.seconds(60), { 7 }, orThrow: { Late() }) == 7)
    await #expect(throws: Failed.self) {
      try await withTimeLimit(.seconds(60), { throw Failed() }, orThrow: { Late() })
    }
  }

  @Test("does not wait for work that goes on when told to end, as a process that hangs in the kernel does")
  func hangs() async throws {
    let (ends, end) = AsyncStream<Void>.makeStream()
    // A task whose value another one awaits is not cancelled with that one.
    let hanging = Task.detached { for await _ in ends {} }
    // So that a limit that waits fails here, and not never. Other tests may keep every thread busy for a minute.
    let patience = Task.detached {
      try await Task.sleep(for: .seconds(300))
      end.finish()
    }
    let begin = ContinuousClock.now
    await #expect(throws: Late.self) {
      try await withTimeLimit(.milliseconds(10), { await hanging.value }, orThrow: { Late() })
    }
    #expect(begin.duration(to: .now) < .seconds(300))
    patience.cancel()
    end.finish()
  }

  @Test("ends with its caller")
  func cancelled() async throws {
    let limited = Task {
      try await withTimeLimit(.seconds(60), { try await Task.sleep(for: .seconds(60)) }, orThrow: { Late() })
    }
    limited.cancel()
    await #expect(throws: CancellationError.self) { try await limited.value }
  }
}
