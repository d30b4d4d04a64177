import Testing

@testable import CacheSyncPage

@Suite("A time limit")
struct TimeLimitTests {
  private struct Late: Error {}
  private struct Failed: Error {}

  @Test("Work that ends in time gives its answer or its error")
  func ends() async throws {
    #expect(try await withTimeLimit(.seconds(60), { 7 }, orThrow: { Late() }) == 7)
    await #expect(throws: Failed.self) {
      try await withTimeLimit(.seconds(60), { throw Failed() }, orThrow: { Late() })
    }
  }

  @Test("Work that ignores its cancellation is not waited for, such as a process that hangs in the kernel")
  func hangs() async throws {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let (limits, limit) = AsyncStream<Void>.makeStream()
    // A task is not cancelled with the task that awaits its value.
    let hanging = Task.detached { for await _ in ends {} }
    // After the limit the work ends, too, so that a limit that waits for it fails here instead of hanging. What comes
    // first is counted in turns and not in seconds, because other tests may keep every thread busy for minutes.
    let patience = Task.detached {
      for await _ in limits {}
      for _ in 0..<1_000 where !Task.isCancelled { await Task.yield() }
      let isOver = !Task.isCancelled
      end.finish()
      return isOver
    }
    await #expect(throws: Late.self) {
      try await withTimeLimit(.milliseconds(10), { await hanging.value }) {
        limit.finish()
        return Late()
      }
    }
    patience.cancel()
    let waited = await patience.value
    #expect(!waited)
  }

  @Test("The limit ends with its caller")
  func cancelled() async throws {
    let limited = Task {
      try await withTimeLimit(.seconds(60), { try await Task.sleep(for: .seconds(60)) }, orThrow: { Late() })
    }
    limited.cancel()
    await #expect(throws: CancellationError.self) { try await limited.value }
  }
}
