/// Runs some work, and gives up after a time limit. It cancels the work but does not wait for it, because a process
/// that hangs in the kernel survives even SIGKILL.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value,
  orThrow error: @escaping @Sendable () -> any Error
) async throws -> Value {
  let (answers, answer) = AsyncThrowingStream<Value, any Error>.makeStream()
  let working = Task {
    do {
      answer.yield(try await work())
      answer.finish()
    } catch {
      answer.finish(throwing: error)
    }
  }
  let waiting = Task {
    try await Task.sleep(for: limit)
    answer.finish(throwing: error())
  }
  defer {
    working.cancel()
    waiting.cancel()
  }
  for try await value in answers { return value }
  // The caller was cancelled.
  throw CancellationError()
}
