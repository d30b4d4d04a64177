package import CacheSync
package import CacheSyncSystem
package import Logging

/// The current problems and since when they exist. Logs each at its beginning, at its end, and once an hour in between.
/// `status` lists them too.
@LoopActor
package final class Troubles {
  private struct Trouble {
    var message: String
    var since: Instant
  }

  private let logger: Logger
  private var troubles: [String: Trouble] = [:]
  private var timer: Int?

  private nonisolated static let interval = Duration.seconds(3_600)

  package init(_ logger: Logger) { self.logger = logger }

  /// - Parameters:
  ///   - key: identifies the trouble; each key has at most one.
  ///   - message: nil when the trouble is over.
  package func record(_ key: String, _ message: String?) {
    guard let message else {
      guard let ended = troubles.removeValue(forKey: key) else { return }
      logger.notice("over: \(ended.message)")
      return
    }
    if troubles[key]?.message != message { logger.warning("\(message)") }
    troubles[key] = Trouble(message: message, since: troubles[key]?.since ?? .now)
    remind()
  }

  package var isEmpty: Bool { troubles.isEmpty }

  /// Ends the troubles of a key, and of those that begin with it and a colon, without logging that.
  package func remove(prefix: String) {
    for key in troubles.keys where key == prefix || key.hasPrefix(prefix + ":") { troubles[key] = nil }
  }

  private func remind() {
    guard timer == nil else { return }
    timer = Alarms.shared.set(after: Self.interval) { [weak self] in
      guard let self else { return }
      timer = nil
      for trouble in troubles.values.sorted(by: { $0.since < $1.since }) {
        logger.warning("since \(trouble.since): \(trouble.message)")
      }
      if !troubles.isEmpty { remind() }
    }
  }

  package var value: JSONValue {
    .array(
      troubles.values.sorted { ($0.since, $0.message) < ($1.since, $1.message) }.map {
        .object(["since": .string($0.since.description), "message": .string($0.message)])
      })
  }
}
