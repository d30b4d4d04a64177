/// Does some work, and gives it up when it takes too long.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value,
  orThrow error: @escaping @Sendable () -> any Error
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw error()
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}
