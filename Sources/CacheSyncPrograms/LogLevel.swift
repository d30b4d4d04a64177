public import ArgumentParser
import CacheSync
import CacheSyncSystem
public import Logging

/// swift-log's levels as a type of our own, because an argument's type must be one's own.
public enum LogLevel: String, CaseIterable, ExpressibleByArgument, Sendable {
  case trace, debug, info, notice, warning, error, critical

  /// What writes messages of this level and above, a line each on standard error.
  public var logger: Logger {
    var logger = Logger(label: StandardError.program) { _ in StandardErrorHandler() }
    logger.logLevel = Logger.Level(rawValue: rawValue) ?? .notice
    return logger
  }
}

/// One line on standard error for each message: what a daemon's journal or a cron mail wants.
private struct StandardErrorHandler: LogHandler {
  var logLevel = Logger.Level.notice
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    StandardError.log(EscapedText.forPeople(event.message.description), event.level)
  }
}
