import CacheSync
import CacheSyncPage
import CacheSyncPrograms
import FoundationEssentials

extension CachesyncdProgram {
  private struct Status: Decodable {
    var alive: Bool
    var hearing: Bool
    var pid: Int?
  }

  /// How the agent of the cache is.
  ///
  /// - Throws: ``Failure`` with that program's own message.
  func agent() async throws -> StatusPanel.Agent {
    let output = try await output(of: ["status", "--json"] + options, accepting: [.success, .unavailable, .deaf])
    guard let status = try? JSONDecoder().decode(Status.self, from: Data(output)) else {
      throw Failure("cachesyncd status gave no answer that can be read: install both programs anew", .unavailable)
    }
    guard status.alive, let pid = status.pid else { return .none }
    return status.hearing ? .hears(pid: pid) : .deaf(pid: pid)
  }
}
