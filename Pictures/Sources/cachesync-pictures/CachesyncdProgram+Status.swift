import CacheSync
import CacheSyncPage
import CacheSyncPictures
import CacheSyncPrograms
import CacheSyncSystem

extension CachesyncdProgram {
  /// The status of the cache's agent.
  ///
  /// - Throws: ``Failure`` with the message of `cachesyncd`.
  func agent() async throws -> StatusPanel.Agent {
    let output = try await output(
      of: ["status", "--json"] + cache, accepting: [.success, .unavailable, .withoutEvents])
    guard let status = JSONValue(output), let isAlive = status["alive"]?.bool, let isHearing = status["hearing"]?.bool
    else {
      throw Failure("cachesyncd status gave no answer that can be read: install both programs anew", .unavailable)
    }
    guard isAlive, let pid = status["pid"]?.int else { return .none }
    return isHearing ? .receiving(pid: pid) : .withoutEvents(pid: pid)
  }

  /// The screens of the cache, by name.
  ///
  /// - Throws: ``Failure`` with the message of `cachesyncd`.
  func screens() async throws -> [String: ScreenPlan] {
    guard let plans = ScreenPlan.all(try await output(for: .screens)) else {
      throw Failure("cachesyncd screens gave no answer that can be read: install both programs anew", .unavailable)
    }
    return plans
  }

  /// What `cachesyncd` prints for other programs.
  ///
  /// - Throws: ``Failure`` with the message of `cachesyncd`.
  func output(for printed: CacheQuestions.Printed) async throws -> [UInt8] {
    switch printed {
    case .kinds: return try await output(of: ["kinds", "--json"] + options)
    case .screens: return try await output(of: ["screens", "--json"] + options)
    case .metrics:
      return try await output(
        of: ["status", "--prometheus"] + cache, accepting: [.success, .unavailable, .withoutEvents])
    case .calendar(let feed):
      do {
        return try await output(of: ["export"] + options + ["--", CommandLineWord(argument: feed)])
      } catch let failure as Failure where failure.status == .usage {
        throw CacheQuestions.NoSuch()
      }
    }
  }
}
